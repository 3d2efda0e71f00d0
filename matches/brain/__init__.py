"""The decisions of the practice bot. Pure and deterministic.

It evaluates every legal play one ply ahead, by the chances after it (`prospects`) and their value at
the score (`stakes`), and the cube by its value on either side.
"""

from __future__ import annotations

from engine.dice import Dice
from engine.game import Phase
from engine.match import Match
from engine.movegen import results
from engine.plays import find_play_between
from engine.side import Side
from matches.brain import answers
from matches.brain.prospects import compute_prospect_before_roll, estimate_after_play
from matches.brain.stakes import ResultValues, Stakes
from matches.state.commands import Command, Double, Move, Roll


def decide(match: Match, side: Side) -> Command | None:
    """Return the command of *side*; None if it has nothing to do.

    >>> from engine.match import Match, apply
    >>> from engine.actions import Opened
    >>> from engine.rules import Rules
    >>> from engine.side import Side
    >>> match = Match.start(Rules(length=5))
    >>> decide(match, Side.WHITE)
    Roll()
    >>> [str(step) for step in decide(apply(match, Opened(3, 1)), Side.WHITE).steps]
    ['8/5', '6/5']
    """
    game = match.game
    if match.is_over or match.paused:
        return None
    if game.phase is Phase.OPENING:
        return Roll()
    if game.actor is not side:
        return None
    if game.phase is Phase.RESIGNING:
        return answers.answer_resignation(match, side)
    if game.phase is Phase.DOUBLED:
        return answers.answer_double(match, side)
    return choose_play(match, side, game.dice) if game.dice else choose_roll_or_double(match, side)


def choose_play(match: Match, side: Side, dice: Dice) -> Move:
    """Return the play with the highest value; ties go to the one that moves the rearmost checkers up."""
    game = match.game
    position = game.board.seen_by(side)
    used, found = results(position, dice.high, dice.low)
    if len(found) == 1:
        (best,) = found
    else:
        prices = Stakes.from_match(match, side).prices(game.cube.value)
        best = max(found, key=lambda after: (_compute_value(after, prices), -after))
    return Move(find_play_between(position, best, side, dice, used).steps)


def _compute_value(after: int, prices: ResultValues) -> float:
    win, gammon, lost_gammon = estimate_after_play(after)
    return prices.win * win + prices.gammon * gammon - prices.lost_gammon * lost_gammon


def choose_roll_or_double(match: Match, side: Side) -> Command:
    """Double if that is worth at least as much as not doubling; a dead cube is not turned (R48)."""
    game = match.game
    if game.why_no_double is not None or game.is_dead_double:
        return Roll()
    cube = game.cube.value
    prospect = compute_prospect_before_roll(match, side)
    kept = prospect.holding(cube, mine=True, theirs=game.cube.owner is None)
    taken = prospect.holding(2 * cube, mine=False, theirs=True)
    dropped = prospect.stakes.worth(cube)
    return Double() if min(taken, dropped) >= kept else Roll()
