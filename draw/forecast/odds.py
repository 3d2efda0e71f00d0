"""Winning probabilities from ratings and match length."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draw.event import Entrant, EntrantId
    from draw.format import Odds

UNRATED: Final = 1500.0


def compute_fibs_chance(one: float, other: float, length: int) -> float:
    """The winning probability of the first player by the FIBS formula (P111).

    >>> [round(compute_fibs_chance(1600, 1500, length), 3) for length in (1, 5, 11)]
    [0.529, 0.564, 0.594]
    """
    return 1 / (1 + 10 ** ((other - one) * sqrt(length) / 2000))


def build_odds(entrants: Iterable[Entrant]) -> Odds:
    """Odds among these entrants; unrated ones count as average."""
    ratings = {one.id: UNRATED if one.rating is None else one.rating for one in entrants}

    def odds(one: EntrantId, other: EntrantId, length: int) -> float:
        return compute_fibs_chance(ratings[one], ratings[other], length)

    return odds
