"""Typed values read from JSON; errors name the path.

Names that no reader has looked up are errors: a misspelt name must not be ignored silently.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, cast

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
            raise BadFile(f"{path or 'the file'}: an object is expected")
        return cls(cast("Mapping[str, object]", value), path)

    def refuse(self, name: str, expected: str) -> BadFile:
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
        raise BadFile(f"{path}: a number is expected, not {value!r}")
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError) as problem:
        raise BadFile(f"{path}: a number is expected, not {value!r}") from problem


def parse_option(value: object, path: str) -> Value:
    """Convert a value for an option: lists become tuples."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return tuple(parse_option(one, path) for one in cast("list[object]", value))
    raise BadFile(f"{path}: a text, a number, yes or no, or a list of these is expected")


class ReadObject(dict[str, object]):
    """A JSON object that records the names that were looked up, present or not."""

    def __init__(self, pairs: Sequence[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.asked: set[str] = set()
        if len(self) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise BadFile(f"{twice!r} is there twice in one object")

    def __getitem__(self, name: str) -> object:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:
        self.asked.add(name)
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        self.asked.update(super().keys())
        return super().__iter__()

    def keys(self) -> Any:
        """Return all names and record them; the caller checks them itself."""
        self.asked.update(super().keys())
        return super().keys()

    def items(self) -> Any:
        self.asked.update(super().keys())
        return super().items()

    def peek(self) -> list[tuple[str, object]]:
        """Return all names with their values without recording a look-up."""
        return [*super().items()]

    def values(self) -> Any:
        self.asked.update(super().keys())
        return super().values()


def parse_strict_json(text: str) -> object:
    """Parse a JSON text into objects that record looked-up names.

    :raises BadFile: an object has a duplicate name.
    """
    return json.loads(text, object_pairs_hook=ReadObject)


def require_all_read(data: object, path: str = "", *, also: Collection[str] = ()) -> None:
    """Refuse names that were never looked up.

    Names in *also*, at the top, are for other commands on the same file.

    :raises BadFile: there is one; the message suggests the nearest known name.
    """
    if isinstance(data, ReadObject):
        known = {*data.asked, *also}
        for name, value in data.peek():
            if name not in known:
                raise BadFile(_describe(path, name, known))
            if name in data.asked:
                require_all_read(value, f"{path}{name}.")
    elif isinstance(data, list):
        for at, value in enumerate(cast("list[object]", data)):
            require_all_read(value, f"{path.removesuffix('.')}[{at}].")


def _describe(path: str, name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name[:40], known, n=1)
    return f"{path}{name[:40]} is not known" + (f"; the nearest is {nearest[0]}" if nearest else "")
