"""How strong bots are made to play: mistakes by seed, never about a game that is won, and always within the rules."""

from __future__ import annotations

import random
import statistics

import pytest

from engine.actions import Opened, RuledPosition
from engine.board import STANDARD, Board
from engine.cube import CENTRED
from engine.dice import Dice
from engine.match import Match, apply
from engine.rules import Rules
from engine.side import WHITE
from matches import brain
from opinion.judging import bot_decisions
from opinion.judging.bot_decisions import BEGINNER, EXPERT, LEVELS, WORLD_CLASS, Level
from opinion.judging.oracle import WeighedPlay
from opinion.judging.spots import Spot, Throw, to_numbers
from opinion.practice.live_engine import decide_by_oracle
from tests.matches.pure.test_brain import fact
from tests.opinion.fakes import PipOracle

pytestmark = pytest.mark.pure
BEGINNING = Spot(to_numbers(STANDARD, WHITE), away=(5, 5))


def weighed(equity: float, number: int, win: float = 0.5) -> WeighedPlay:
    return WeighedPlay((number,), equity, (win, 0.0, 0.0, 0.0, 0.0), 1)


def test_mistakes_are_spread_as_they_should_be() -> None:
    drawn = [bot_decisions.draw_mistake("m|1|1", number, 0.2) for number in range(4_000)]
    assert statistics.mean(drawn) == pytest.approx(0, abs=0.01)
    assert statistics.stdev(drawn) == pytest.approx(0.2, abs=0.01)
    assert bot_decisions.draw_mistake("m|1|2", 0, 0.2) != drawn[0]


def test_a_better_play_is_made_more_often_and_a_bad_one_never() -> None:
    plays = [weighed(0.1, 1), weighed(0.0, 2), weighed(-1.5, 3)]
    made = [bot_decisions.choose_best(plays, BEGINNER, f"m|1|{ply}").board[0] for ply in range(300)]
    assert made.count(1) > made.count(2) > 50
    # More than five standard deviations behind.
    assert 3 not in made


def test_about_a_game_that_is_won_nobody_errs() -> None:
    plays = [weighed(1.02, 1, win=1.0), weighed(1.0, 2, win=1.0)]
    assert {bot_decisions.choose_best(plays, BEGINNER, f"m|1|{ply}").board[0] for ply in range(100)} == {1}


def test_without_a_spread_the_best_play_is_made() -> None:
    oracle = PipOracle()
    throw = Throw(BEGINNING, Dice(3, 1))
    for level in (WORLD_CLASS, Level("exact", 7, 0)):
        board = bot_decisions.choose_play(oracle, throw, level, "m|1|1")
        if level.plies == 1:
            assert board == oracle.plays([throw])[0][0].board
    assert "weigh 2" in oracle.asked


def test_the_levels_are_in_order() -> None:
    assert [level.rank for level in LEVELS] == [1, 2, 3, 5, 6]
    assert [level.pr for level in LEVELS] == sorted((level.pr for level in LEVELS), reverse=True)
    spreads = [level.sigma for level in LEVELS]
    assert spreads == sorted(spreads, reverse=True)


def played(level: Level, seed: int) -> Match:
    """A match of the level against the practice bot, with an engine that counts pips."""
    oracle, dice = PipOracle(), random.Random(seed)
    match = apply(Match.start(Rules(length=3)), Opened(4, 2))
    for _ in range(3_000):
        if match.is_over:
            return match
        side = match.game.actor
        if side is None:
            match = apply(match, Opened(*dice.sample(range(1, 7), 2)))
            continue
        command = decide_by_oracle(oracle, level, match, side, f"m{seed}") if side is WHITE else None
        match = apply(match, fact(match, side, command or brain.decide(match, side), dice))
    raise AssertionError("the match does not end")


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_every_level_plays_a_match_by_the_rules_and_the_same_one_twice(level: Level) -> None:
    match = played(level, 3)
    assert match.outcome is not None
    assert played(level, 3) == match


def test_what_no_engine_knows_is_left_to_somebody_else() -> None:
    oracle = PipOracle()
    hyper = Match.start(Rules(length=3, cube=False))
    assert decide_by_oracle(oracle, EXPERT, apply(hyper, Opened(3, 1)), WHITE, "m") is None
    # Not on turn.
    assert (
        decide_by_oracle(oracle, EXPERT, apply(Match.start(Rules(length=3)), Opened(1, 3)), WHITE, "m")
        is None
    )
    assert oracle.asked == []


def test_where_there_is_one_play_nobody_is_asked() -> None:
    oracle = PipOracle()
    closed = Board.from_counts({25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 7: 3})
    match = apply(Match.start(Rules(length=3)), RuledPosition(closed, WHITE, CENTRED, Dice(6, 5)))
    command = decide_by_oracle(oracle, EXPERT, match, WHITE, "m")
    assert getattr(command, "steps", None) == ()
    assert oracle.asked == []
