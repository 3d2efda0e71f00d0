"""`dataclasses.replace` for values that are replaced at every fact: some five times as quick."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """Return *value* with other fields. Only for a dataclass without slots and without checks of its own.

    >>> from engine.game import Game
    >>> from engine.rules import Rules
    >>> replace(Game.start(Rules()), plies=3).plies
    3
    """
    other = object.__new__(type(value))
    object.__setattr__(other, "__dict__", vars(value) | changes)
    return other
