"""Win chances, by ratings before a match, and by ratings and score during it.

Before a match the chance is the system's expectancy. At a score the match equity table gives the chance of
equal players; its odds are then multiplied by the odds of the ratings over the points that are left to play
(docs/ratings.md).

>>> from rankings.formulas.fibs import Fibs
>>> from rankings.formulas.values import Standing
>>> strong, weak = Standing(1700.0), Standing(1500.0)
>>> round(Fibs().chance(strong, weak, 7), 4)
0.6478
>>> left = compute_points_left(7, 3, crawford_played=False)
>>> round(shift_chance(0.2377, Fibs().chance(strong, weak, left)), 4)
0.3429
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final

from rankings.formulas.values import Standing, System


def compute_chance(
    how: System, standings: Mapping[int, Standing], one: str, other: str, length: int
) -> float:
    """Return the win chance of one entrant of an event against another; both are given by their number."""
    return how.chance(standings[int(one)], standings[int(other)], length)


def compute_points_left(mine: int, theirs: int, *, crawford_played: bool) -> float:
    """Return the length of a match with as much left to play: half of the points that both players need.

    After the Crawford game the trailing player doubles at once: two of their points are one game.

    >>> compute_points_left(7, 7, crawford_played=False), compute_points_left(1, 6, crawford_played=True)
    (7.0, 2.0)
    """
    if crawford_played and min(mine, theirs) == 1:
        return (1 + ceil(max(mine, theirs) / 2)) / 2
    return (mine + theirs) / 2


def shift_chance(even: float, by_rating: float) -> float:
    """Adjust the chance of equal players by the ratings: multiply the odds of both.

    >>> shift_chance(0.5, 0.7), shift_chance(0.8, 0.5)
    (0.7, 0.8)
    """
    won, lost = even * by_rating, (1.0 - even) * (1.0 - by_rating)
    return round(won / (won + lost), 12) if won or lost else even


# 10 to this power is still a float; beyond it the chance is zero anyway.
LARGEST_POWER: Final = 300.0


def compute_chance_against(lead: float) -> float:
    """Return the chance against an opponent whose lead is this many scales.

    >>> compute_chance_against(0.0), round(compute_chance_against(1.0), 4)
    (0.5, 0.0909)
    """
    if lead > LARGEST_POWER:
        return 0.0
    return 1.0 / (float(10.0**lead) + 1.0)
