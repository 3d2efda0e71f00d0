"""Typed values read from parsed JSON; errors name the path."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.options import Value


class BadFile(ValueError):
    """An invalid file."""


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object of the file, with its path."""

    values: Mapping[str, object]
    path: str = ""

    @classmethod
    def parse(cls, value: object, path: str) -> JsonObject:
        """Wrap a parsed object.

        :raises BadFile: the value is not an object.
        """
        if not isinstance(value, dict):
            message = f"{path or 'the file'}: an object is expected"
            raise BadFile(message)
        return cls(cast("Mapping[str, object]", value), path)

    def refuse(self, name: str, expected: str) -> BadFile:
        """Build the error for the value of one name."""
        return BadFile(f"{self.path}{name}: {expected} is expected, not {self.values.get(name)!r}")

    def get(self, name: str) -> object:
        return self.values.get(name)

    def text(self, name: str, default: str = "") -> str:
        """Read a text; numbers are converted."""
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.refuse(name, "a text")
        return str(value)

    def integer(self, name: str, default: int | None = None) -> int | None:
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(name, "a whole number")
        return value

    def fraction(self, name: str) -> Fraction | None:
        """Read an exact number; None if it is missing."""
        return None if self.get(name) is None else parse_fraction(self.get(name), f"{self.path}{name}")

    def flag(self, name: str) -> bool:
        """Read a boolean; missing is False."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.refuse(name, "true or false")
        return value is True

    def items(self, name: str) -> list[object]:
        """Read a list; missing is empty."""
        value = self.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.refuse(name, "a list")
        return cast("list[object]", value)

    def things(self, name: str) -> list[JsonObject]:
        """Read a list of objects; missing is empty."""
        return [
            JsonObject.parse(value, f"{self.path}{name}[{at}].") for at, value in enumerate(self.items(name))
        ]

    def object(self, name: str) -> JsonObject:
        """Read an object; missing is empty."""
        value = self.get(name)
        return JsonObject.parse({} if value is None else value, f"{self.path}{name}.")


def get_list(value: object) -> list[object] | None:
    return cast("list[object]", value) if isinstance(value, list) else None


def parse_fraction(value: object, path: str) -> Fraction:
    """Parse a number exactly: 0.5 is a half."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        message = f"{path}: a number is expected, not {value!r}"
        raise BadFile(message)
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError) as problem:
        message = f"{path}: a number is expected, not {value!r}"
        raise BadFile(message) from problem


def parse_option(value: object, path: str) -> Value:
    """Convert a value for an option: lists become tuples."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return tuple(parse_option(one, path) for one in cast("list[object]", value))
    message = f"{path}: a text, a number, yes or no, or a list of these is expected"
    raise BadFile(message)
