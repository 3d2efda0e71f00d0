"""Decisions of the player on roll: double or roll, and the play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.movegen import results
from engine.plays import leading_to
from matches.brain import outlook
from matches.brain.prospects import before_roll
from matches.brain.stakes import Stakes
from matches.state.commands import Double, Move, Roll

if TYPE_CHECKING:
    from engine.dice import Dice
    from engine.match import Match
    from engine.side import Side
    from matches.brain.stakes import Prices
    from matches.state.commands import Command


def move(match: Match, side: Side, dice: Dice) -> Move:
    """Return the play with the highest value; ties go to the one that moves the rearmost checkers up."""
    game = match.game
    position = game.board.seen_by(side)
    used, found = results(position, dice.high, dice.low)
    if len(found) == 1:
        (best,) = found
    else:
        prices = Stakes.of(match, side).prices(game.cube.value)
        best = max(found, key=lambda after: (_worth(after, prices), -after))
    return Move(leading_to(position, best, side, dice, used).steps)


def _worth(after: int, prices: Prices) -> float:
    win, gammon, lost_gammon = outlook.after_play(after)
    return prices.win * win + prices.gammon * gammon - prices.lost_gammon * lost_gammon


def roll_or_double(match: Match, side: Side) -> Command:
    """Double if that is worth at least as much as not doubling; a dead cube is not turned (R48)."""
    game = match.game
    if game.why_no_double is not None or game.is_dead_double:
        return Roll()
    cube = game.cube.value
    prospect = before_roll(match, side)
    kept = prospect.holding(cube, mine=True, theirs=game.cube.owner is None)
    taken = prospect.holding(2 * cube, mine=False, theirs=True)
    dropped = prospect.stakes.worth(cube)
    return Double() if min(taken, dropped) >= kept else Roll()
