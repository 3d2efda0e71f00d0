"""A `dataclasses.replace` that is about five times as fast, for values that are replaced at every fact."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """Copy *value* with changed fields. Only for dataclasses without slots and without __post_init__.

    >>> from engine.game import Game
    >>> from engine.rules import Rules
    >>> replace(Game.start(Rules()), plies=3).plies
    3
    """
    other = object.__new__(type(value))
    object.__setattr__(other, "__dict__", vars(value) | changes)
    return other
