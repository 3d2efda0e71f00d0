"""Chances in races: both sides have passed each other.

A side's roll count is estimated from its pips and the expected waste on gaps and on low points;
with few checkers left it is computed exactly. The estimate was fitted to the exact mean of every bear-off
position (its error is 0.12 rolls), its variance to the ends of 4,000 games.
"""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from operator import getitem
from typing import Final

from engine.dice import ROLLS
from engine.movegen import results
from engine.packed import LANE, SIZE, mirror_position
from matches.brain.stakes import Chances

PIPS_A_ROLL: Final = 8.167
# Average part of the last roll that is not needed, and the share of a roll that an empty home point costs.
BEGUN: Final = 0.12
GAP: Final = 0.18
# Cost in rolls of a checker on each home point: pips, bearing off, and waste on low points.
_HOME: Final = (0.383, 0.411, 0.480, 0.539, 0.638, 0.736)
# Checkers outside are assumed to come in on the five point.
_ON_FIVE: Final = _HOME[4] + 0.02
_COSTS: Final = (
    0.0,
    *_HOME,
    *(_ON_FIVE + (point - 5) / PIPS_A_ROLL for point in range(7, SIZE)),
)
_ROLLS: Final = tuple(
    [GAP if not count and 1 <= point <= 3 else cost * count for count in range(16)]
    for point, cost in enumerate(_COSTS)
)
_TO_COME_HOME: Final = tuple(
    [max(point - 6, 0) / PIPS_A_ROLL * count for count in range(16)] for point in range(SIZE)
)
SPREAD: Final = 0.15
# With at most this many checkers on each side, the distribution is exact.
FEW: Final = 4
# Offsets in rolls of the gammon estimate, and its deviation.
GAMMON_ON_ROLL: Final = 1.1
GAMMON_WAITING: Final = 2.1
GAMMON_SPREAD: Final = 0.9


def estimate_chances(position: int) -> Chances:
    """Return the chances of the side that has just moved and sees *position*; the other one rolls next."""
    mine, theirs = position & LANE, mirror_position(position) & LANE
    my_rolls, their_rolls = estimate_rolls(mine), estimate_rolls(theirs)
    if _has_few_checkers(mine) and _has_few_checkers(theirs):
        win = _compute_win_chance(mine, theirs)
    else:
        win = _compute_normal_cdf((their_rolls - my_rolls - 0.5) / sqrt(SPREAD * (my_rolls + their_rolls)))
    gammon = _estimate_gammon_chance(theirs, my_rolls, GAMMON_ON_ROLL)
    lost_gammon = _estimate_gammon_chance(mine, their_rolls, GAMMON_WAITING)
    return Chances(win, min(gammon, win), min(lost_gammon, 1 - win))


def estimate_rolls(lane: int) -> float:
    """Return the estimated number of rolls a side needs; *lane* has its checkers in its own numbering.

    >>> from engine.board import Board
    >>> from engine.side import WHITE
    >>> round(estimate_rolls(Board.from_counts({6: 5, 5: 5, 4: 5}, {24: 15}).seen_by(WHITE) & LANE), 1)
    10.2
    """
    if _has_few_checkers(lane):
        return _compute_roll_counts(lane >> 8 << 8)[0]
    counts = lane.to_bytes(SIZE, "little")
    gaps = counts.count(0, 4, 7) - sum(counts[7:])
    return BEGUN + max(gaps, 0) * GAP + sum(map(getitem, _ROLLS, counts))


def _has_few_checkers(lane: int) -> bool:
    return lane < 1 << 56 and (lane >> 8) % 255 <= FEW


def _compute_win_chance(mine: int, theirs: int) -> float:
    """Return the exact chance to bear off first if the other side rolls next."""
    mine_in, theirs_in = _compute_roll_counts(mine >> 8 << 8)[1], _compute_roll_counts(theirs >> 8 << 8)[1]
    return sum(chance * sum(mine_in[:number]) for number, chance in enumerate(theirs_in))


@cache
def _compute_roll_counts(lane: int) -> tuple[float, tuple[float, ...]]:
    """Return the mean number of rolls to bear off, and the probability of each number."""
    if not lane:
        return 0.0, (1.0,)
    spread: list[float] = [0.0]
    for roll in ROLLS:
        _, after = min(_compute_roll_counts(each >> 8 << 8) for each in results(lane, roll.high, roll.low)[1])
        spread += [0.0] * (len(after) + 1 - len(spread))
        for number, chance in enumerate(after, 1):
            spread[number] += chance * roll.weight / 36
    return sum(number * chance for number, chance in enumerate(spread)), tuple(spread)


def _estimate_gammon_chance(loser: int, winner_rolls: float, ahead: float) -> float:
    """Return the chance that *loser* bears nothing off before the winner has finished."""
    if loser & 15:
        return 0.0
    needed = sum(map(getitem, _TO_COME_HOME, loser.to_bytes(SIZE, "little")))
    return _compute_normal_cdf((needed - winner_rolls + ahead) / GAMMON_SPREAD)


def _compute_normal_cdf(deviations: float) -> float:
    return (1 + erf(deviations / sqrt(2))) / 2
