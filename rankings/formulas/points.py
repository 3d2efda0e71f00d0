"""Points that are only ever won: for a match, or for a place in an event.

Master points as the USBGF has awarded them since 2019; ABT points as the American Backgammon Tour splits them.

>>> round(match_points(11), 4), round(place_points(1, 48), 4)
(1.1055, 3.351)
>>> [float(points) for points in split_points(19, [40, 20, 20, 10, 10])]
[7.6, 3.8, 3.8, 1.9, 1.9]
"""

from __future__ import annotations

from fractions import Fraction
from math import log2, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE_WEIGHT: Final = 0.6
# First and second; the third has 1 / (3 - 1), and so on.
RANK_FACTORS: Final = (1.0, 0.7)


def match_points(length: int, *, event: float = 1.0, division: float = 1.0) -> float:
    """Return the master points of a match won."""
    return event * division * sqrt(length) / 3


def place_points(place: int, players: int, *, event: float = 1.0, division: float = 1.0) -> float:
    """Return the master points of a place among so many players."""
    factor = RANK_FACTORS[place - 1] if place <= len(RANK_FACTORS) else 1 / (place - 1)
    return event * division * PLACE_WEIGHT * log2(players) * factor


def split_points(players: int, shares: Sequence[int], *, division: Fraction | int = 1) -> list[Fraction]:
    """Return the ABT points of each paid place: one a player of the division, split by shares."""
    whole = players * division
    return [Fraction(whole * share, sum(shares)) for share in shares]
