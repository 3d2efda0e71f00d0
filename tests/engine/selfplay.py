"""Matches played at random from a seed, with cube, drops and resignations."""

from __future__ import annotations

import random

from engine.actions import (
    Action,
    Doubled,
    Dropped,
    Opened,
    Played,
    ResignAccepted,
    ResignOffered,
    Rolled,
    Took,
)
from engine.board import Board
from engine.dice import Dice
from engine.game import Phase
from engine.match import Match, apply
from engine.plays import Play, legal_plays
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side


def match(seed: int, length: int = 5, rules: Rules | None = None) -> Record:
    """Return a whole match, played no better than by chance."""
    rng = random.Random(seed)
    rules = rules or Rules(length=length)
    state = Match.start(rules)
    facts: list[Action] = []
    while not state.is_over:
        for action in _next(state, rng):
            state = apply(state, action)
            facts.append(action)
    return Record(BySide("Ada", "Bo"), rules, tuple(facts))


def match_of_one_long_game(rolls: int, seed: int = 1) -> Record:
    """Return a match to one point in which both play away from home for so many *rolls*, and then go home."""
    rng = random.Random(seed)
    rules = Rules(length=1)
    state = apply(Match.start(rules), opened := Opened(6, 1))
    facts: list[Action] = [opened]
    while not state.is_over:
        side, game = state.game.turn, state.game
        assert side is not None
        action: Action = Rolled(side, Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6)))
        if game.phase is not Phase.TO_ROLL:
            assert game.dice is not None
            plays = legal_plays(game.board, side, game.dice)
            wish = _hitting if len(facts) < 2 * rolls else _homewards
            action = Played(side, wish(list(plays), side).steps)
        state = apply(state, action)
        facts.append(action)
    return Record(BySide("Ada", "Bo"), rules, tuple(facts))


def _hitting(plays: list[Play], side: Side) -> Play:
    """Choose the play with the most hits, then the fewest checkers off, then the most pips left."""
    return max(plays, key=lambda each: (len(each.hits), -each.board.off(side), each.board.pips(side)))


def _homewards(plays: list[Play], side: Side) -> Play:
    return min(plays, key=lambda each: _behind(each.board, side))


def _next(state: Match, rng: random.Random) -> list[Action]:
    game = state.game
    if game.phase is Phase.OPENING:
        return [Opened(*rng.sample(range(1, 7), 2))]
    side = game.turn
    assert side is not None
    if game.phase is Phase.TO_ROLL:
        if rng.random() < 0.01:
            return [ResignOffered(side, rng.randint(1, state.rules.worst)), ResignAccepted(side.other)]
        if game.why_no_double is None and not game.is_dead_double and rng.random() < 0.03:
            return [Doubled(side), rng.choice([Took, Took, Dropped])(side.other)]
        return [Rolled(side, Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6)))]
    assert game.dice is not None
    if rng.random() < 0.003 and len(legal_plays(game.board, side, game.dice)) > 1:
        return [ResignOffered(side, 1), ResignAccepted(side.other)]
    plays = list(legal_plays(game.board, side, game.dice))
    # Half the time homewards, so that games end.
    play = min(plays, key=lambda each: _behind(each.board, side)) if rng.random() < 0.5 else rng.choice(plays)
    return [Played(side, play.steps)]


def _behind(board: Board, side: Side) -> int:
    return board.rearmost(side) - board.off(side)
