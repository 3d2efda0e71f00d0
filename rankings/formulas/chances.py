"""How likely somebody is to win a match, by rating before it and by rating and score while it is played.

Before a match it is the system's own expectancy. At a score the match equity table knows what equal players may expect; the
ratings then shift its odds, by as much as they would shift them over what is left to play (docs/ratings.md).

>>> from rankings.formulas.fibs import Fibs
>>> from rankings.formulas.values import Standing
>>> strong, weak = Standing(1700.0), Standing(1500.0)
>>> round(Fibs().chance(strong, weak, 7), 4)
0.6478
>>> left = points_left(7, 3, crawford_played=False)
>>> round(shifted(0.2377, Fibs().chance(strong, weak, left)), 4)
0.3429
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rankings.formulas.values import Standing, System


def between(how: System, standings: Mapping[int, Standing], one: str, other: str, length: int) -> float:
    """Return how likely one entrant of an event beats another, by where both stand; entrants are known by their number."""
    return how.chance(standings[int(one)], standings[int(other)], length)


def points_left(mine: int, theirs: int, *, crawford_played: bool) -> float:
    """Return how long a match is that has as much left to play as this one: half of what both still need.

    After the Crawford game the one behind doubles at once: two points of theirs are one game.

    >>> points_left(7, 7, crawford_played=False), points_left(1, 6, crawford_played=True)
    (7.0, 2.0)
    """
    if crawford_played and min(mine, theirs) == 1:
        return (1 + ceil(max(mine, theirs) / 2)) / 2
    return (mine + theirs) / 2


def shifted(even: float, by_rating: float) -> float:
    """Return what becomes of the chance among equals when ratings are not: the odds of both, multiplied.

    >>> shifted(0.5, 0.7), shifted(0.8, 0.5)
    (0.7, 0.8)
    """
    won, lost = even * by_rating, (1.0 - even) * (1.0 - by_rating)
    return round(won / (won + lost), 12) if won or lost else even


# 10 to this power is still a float; beyond it nobody has a chance anyway.
LARGEST_POWER: Final = 300.0


def chance_against(lead: float) -> float:
    """Return the chance against an opponent who leads by so many scales.

    >>> chance_against(0.0), round(chance_against(1.0), 4)
    (0.5, 0.0909)
    """
    if lead > LARGEST_POWER:
        return 0.0
    return 1.0 / (float(10.0**lead) + 1.0)
