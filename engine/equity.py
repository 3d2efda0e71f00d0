"""Match winning chances at a score, for spectators.

They assume equal players, a cube in use, and the Crawford rule as agreed. Ratings and rulings do not use
them.
"""

from __future__ import annotations

from math import erfc, sqrt
from typing import Final

from engine.equity_table import AFTER_CRAWFORD, BEFORE_CRAWFORD, LONGEST
from engine.errors import Impossible
from engine.rules import Rules
from engine.side import BySide

MILLION: Final = 1_000_000
DIGITS: Final = 9
_TABLE: Final = tuple(tuple(int(each) / MILLION for each in row.split()) for row in BEFORE_CRAWFORD)
_TRAILER: Final = tuple(int(each) / MILLION for each in AFTER_CRAWFORD.split())

# Beyond the table the points still needed are modelled as a random walk. The spread below was fitted to the
# table's outer rows, 16 to 25 points away, where the error is never more than 0.3 %.
SPREAD_LEADER, SPREAD_TRAILER, SPREAD_LESS = 4.53, 2.56, 3.0
# After the Crawford game the trailer doubles at once and wins two points a game; every two more points away
# multiply the chance by 0.6.
EACH_TWO_POINTS = 0.6


def compute_chance(mine: int, theirs: int, *, crawford_played: bool = False) -> float:
    """Return the match winning chance of a side that needs *mine* points while the opponent needs *theirs*.

    If one side needs a single point and the Crawford game has not been played, this game is the Crawford
    game.

    >>> compute_chance(2, 4), compute_chance(4, 2), compute_chance(5, 5)
    (0.6687, 0.3313, 0.5)
    >>> compute_chance(1, 4), compute_chance(1, 4, crawford_played=True)
    (0.81436, 0.68998)
    """
    if mine <= 0 and theirs <= 0:
        raise Impossible("both-have-won", "Both sides cannot have won the match.", mine=mine, theirs=theirs)
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    if mine > theirs:
        return round(1 - compute_chance(theirs, mine, crawford_played=crawford_played), DIGITS)
    if mine == theirs:
        return 0.5
    if mine == 1 and crawford_played:
        beyond = max(0, (theirs - LONGEST + 1) // 2)
        return round(1 - _TRAILER[theirs - 2 * beyond - 1] * EACH_TWO_POINTS**beyond, DIGITS)
    return _compute_leader_chance(mine, theirs)


def compute_chances(
    rules: Rules, score: BySide[int], *, crawford_played: bool = False
) -> BySide[float] | None:
    """Return both sides' chances at *score*; None for unlimited play, which has no winner.

    >>> from engine.rules import Rules
    >>> compute_chances(Rules(length=7), BySide(3, 5))
    BySide(white=0.3313, black=0.6687)
    """
    if not rules.is_match:
        return None
    away = score.map(lambda points: rules.length - points)
    # Without the Crawford rule the trailer may double at once, as after the Crawford game.
    white = compute_chance(away.white, away.black, crawford_played=crawford_played or not rules.crawford)
    return BySide(white, round(1 - white, DIGITS))


def _compute_leader_chance(leader: int, trailer: int) -> float:
    if trailer <= LONGEST:
        return _TABLE[leader - 1][trailer - leader - 1]
    upset = _estimate_upset(leader, trailer)
    if leader < LONGEST:
        # Scaled to match the last column, so that the chances continue to fall where the table ends.
        upset *= (1 - _compute_leader_chance(leader, LONGEST)) / _estimate_upset(leader, LONGEST)
    return round(1 - upset, DIGITS)


def _estimate_upset(leader: int, trailer: int) -> float:
    spread = SPREAD_LEADER * leader + SPREAD_TRAILER * trailer - SPREAD_LESS
    return erfc((trailer - leader) / sqrt(2 * spread)) / 2
