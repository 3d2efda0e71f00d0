"""Displayed scores. Journals add up the games' values; points beyond the match length do not count (R55)."""

from __future__ import annotations


def capped(score: tuple[int, int], length: int | None) -> tuple[int, int]:
    """Return a score capped at the match length; unlimited play has none.

    >>> capped((2, 0), 1), capped((8, 5), 7), capped((8, 5), 0)
    ((1, 0), (7, 5), (8, 5))
    """
    return (min(score[0], length), min(score[1], length)) if length else score
