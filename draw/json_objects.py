"""A parsed JSON object, read with the type each name must have, or refused with its path."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.options import Value


class BadFile(ValueError):
    """A file that does not say what is asked of it."""


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object of the file and where in it it stands."""

    values: Mapping[str, object]
    path: str = ""

    @classmethod
    def parse(cls, value: object, path: str) -> JsonObject:
        """Take a value as an object."""
        if not isinstance(value, dict):
            message = f"{path or 'the file'}: an object is expected"
            raise BadFile(message)
        return cls(cast("Mapping[str, object]", value), path)

    def refuse(self, name: str, expected: str) -> BadFile:
        """Return the complaint about one name."""
        return BadFile(f"{self.path}{name}: {expected} is expected, not {self.values.get(name)!r}")

    def get(self, name: str) -> object:
        """Return what stands under a name, None if nothing does."""
        return self.values.get(name)

    def text(self, name: str, default: str = "") -> str:
        """Return a text; numbers are taken as they are written."""
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.refuse(name, "a text")
        return str(value)

    def integer(self, name: str, default: int | None = None) -> int | None:
        """Return a whole number."""
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(name, "a whole number")
        return value

    def fraction(self, name: str) -> Fraction | None:
        """Return an exact number."""
        return None if self.get(name) is None else parse_fraction(self.get(name), f"{self.path}{name}")

    def flag(self, name: str) -> bool:
        """Return yes or no."""
        value = self.get(name)
        if value not in (None, True, False):
            raise self.refuse(name, "true or false")
        return value is True

    def items(self, name: str) -> list[object]:
        """Return a list, empty if nothing stands there."""
        value = self.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.refuse(name, "a list")
        return cast("list[object]", value)

    def things(self, name: str) -> list[JsonObject]:
        """Return a list of objects."""
        return [
            JsonObject.parse(value, f"{self.path}{name}[{at}].") for at, value in enumerate(self.items(name))
        ]

    def object(self, name: str) -> JsonObject:
        """Return an object, an empty one if nothing stands there."""
        value = self.get(name)
        return JsonObject.parse({} if value is None else value, f"{self.path}{name}.")


def as_list(value: object) -> list[object] | None:
    """Return a value that is a list, None if it is not."""
    return cast("list[object]", value) if isinstance(value, list) else None


def parse_fraction(value: object, path: str) -> Fraction:
    """Return a number as it is written: 0.5 is a half."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        message = f"{path}: a number is expected, not {value!r}"
        raise BadFile(message)
    try:
        return Fraction(str(value))
    except ValueError as problem:
        message = f"{path}: a number is expected, not {value!r}"
        raise BadFile(message) from problem


def parse_option(value: object, path: str) -> Value:
    """Take a value as that of an option: lists become tuples."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return tuple(parse_option(one, path) for one in cast("list[object]", value))
    message = f"{path}: a text, a number, yes or no, or a list of these is expected"
    raise BadFile(message)
