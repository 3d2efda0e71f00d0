"""Decisions of bots with an engine, as commands. Uses no database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Phase
from engine.plays import legal_plays
from matches.state.commands import Double, Drop, Move, Roll, Take
from opinion.judging import bot_decisions
from opinion.judging.spots import Spot, Throw, explain_unsupported, to_numbers

if TYPE_CHECKING:
    from engine.match import Match
    from engine.side import Side
    from matches.state.commands import Command
    from opinion.judging.oracle import Oracle
    from opinion.judging.strengths import Level


def decide(oracle: Oracle, level: Level, match: Match, side: Side, seed: str) -> Command | None:
    """Return the command of a bot of *level*; None for decisions that the engine does not support.

    These are resignations, beavers, and all decisions with unsupported rules.

    :raises LookupError: the oracle's board is not the result of a legal play.
    """
    game = match.game
    if explain_unsupported(match.rules) or game.actor is not side:
        return None
    seed = f"{seed}|{match.number}|{game.plies}"
    if game.phase is Phase.DOUBLED and game.offer == 2 * game.cube.value and not game.is_dead_double:
        return (
            Take()
            if bot_decisions.should_take(oracle, Spot.from_match(match, side.other), level, seed)
            else Drop()
        )
    if game.phase is Phase.TO_ROLL:
        if game.why_no_double is not None or game.is_dead_double:
            return Roll()
        return (
            Double()
            if bot_decisions.should_double(oracle, Spot.from_match(match, side), level, seed)
            else Roll()
        )
    if game.phase is not Phase.TO_PLAY or game.dice is None:
        return None
    plays = legal_plays(game.board, side, game.dice)
    if len(plays) == 1:
        return Move(plays[0].steps)
    board = bot_decisions.choose_play(oracle, Throw(Spot.from_match(match, side), game.dice), level, seed)
    for play in plays:
        if to_numbers(play.board, side) == board:
            return Move(play.steps)
    raise LookupError(f"the oracle plays to {board}, which {game.dice} does not reach")
