"""Options of a stage: read with the type they must have, or refused by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Scalar = str | int | float | bool | None
Value = Scalar | tuple["Value", ...]


class BadOption(ValueError):
    """An option the format does not know, or cannot use."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Options:
    """Names and values, as announced."""

    items: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, **values: Value) -> Options:
        """Make options from keywords."""
        return cls(tuple(sorted(values.items())))

    def get(self, name: str) -> Value:
        """Return the value, None if it was not given."""
        return dict(self.items).get(name)

    def check(self, known: frozenset[str]) -> None:
        """Refuse a name that the format does not know."""
        for name, _ in self.items:
            if name not in known:
                raise BadOption(name, "is not an option of this format")

    def flag(self, name: str, default: bool = False) -> bool:
        """Return yes or no."""
        value = self.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise BadOption(name, "is yes or no")
        return value

    def integer(self, name: str, default: int, least: int = 0) -> int:
        """Return a whole number."""
        value = self.get(name)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise BadOption(name, f"is a whole number from {least}")
        return value

    def text(self, name: str, default: str, among: Sequence[str] = ()) -> str:
        """Return a word, one of those allowed."""
        value = self.get(name)
        if value is None:
            return default
        if not isinstance(value, str) or (among and value not in among):
            raise BadOption(name, f"is one of {', '.join(among)}" if among else "is a text")
        return value

    def values(self, name: str) -> tuple[Value, ...]:
        """Return a list, empty if it was not given."""
        value = self.get(name)
        if value is None:
            return ()
        if not isinstance(value, tuple):
            raise BadOption(name, "is a list")
        return value
