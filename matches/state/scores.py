"""How a score is told. A journal adds up what games were worth; what is beyond the length counts for nothing (R55)."""

from __future__ import annotations


def capped(score: tuple[int, int], length: int | None) -> tuple[int, int]:
    """Return a score as it is told: nobody has more points than the match is long; unlimited play has no length.

    >>> capped((2, 0), 1), capped((8, 5), 7), capped((8, 5), 0)
    ((1, 0), (7, 5), (8, 5))
    """
    return (min(score[0], length), min(score[1], length)) if length else score
