"""Rules that clubs change for whole matches: Jacoby, no gammons, no backgammons, the best of so many games."""

from __future__ import annotations

import pytest

from engine import formats
from engine.actions import (
    Doubled,
    Dropped,
    Opened,
    Played,
    RuledPosition,
)
from engine.board import Board, Step
from engine.cube import CENTRED, Cube
from engine.dice import Dice
from engine.errors import EngineError
from engine.match import replay
from engine.record import Record
from engine.rules import Rules
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate
from tests.engine import selfplay

NAMES = BySide("Ann", "Ben")
# White bears off the last checker; of black's, all are on the bar, at home, or in White's home.
GAMMON = Board.from_counts({1: 1}, {7: 15})
BACKGAMMON = Board.from_counts({1: 1}, {20: 1, 7: 14})
OFF = Played(WHITE, (Step(1, 0),))


def won(board: Board, cube: Cube = CENTRED) -> tuple[RuledPosition, Played]:
    return RuledPosition(board, WHITE, cube, Dice(2, 1)), OFF


@pytest.mark.parametrize(
    ("rules", "board", "cube", "points"),
    [
        (Rules(length=9), BACKGAMMON, CENTRED, 3),
        (Rules(length=9, backgammons=False), BACKGAMMON, CENTRED, 2),
        (Rules(length=9, backgammons=False), GAMMON, CENTRED, 2),
        (Rules(length=9, gammons=False, backgammons=False), BACKGAMMON, CENTRED, 1),
        (Rules(length=9, jacoby=True), BACKGAMMON, CENTRED, 1),
        (Rules(length=9, jacoby=True), BACKGAMMON, Cube(2, WHITE), 6),
        (Rules.best_of(9), BACKGAMMON, CENTRED, 1),
    ],
)
def test_a_game_is_worth_what_the_rules_say(rules: Rules, board: Board, cube: Cube, points: int) -> None:
    match = replay(rules, [Opened(3, 1), *won(board, cube)])
    assert tuple(match.score) == (points, 0)


def test_best_of_so_many_games_is_a_match_to_more_than_half_of_them() -> None:
    rules = Rules.best_of(3)
    assert (rules.length, rules.cube, rules.worst, rules.best_of_games) == (2, False, 1, 3)
    others = (
        Rules(length=2),
        Rules(length=2, cube=False),
        Rules(length=1, cube=False, gammons=False, backgammons=False),
    )
    assert [each.best_of_games for each in others] == [0, 0, 0]
    for games in (1, 4, 0):
        with pytest.raises(EngineError):
            Rules.best_of(games)


def test_jacoby_is_played_in_matches_and_beavers_are_not() -> None:
    assert Rules(length=5, jacoby=True).jacoby
    for money in ({"beavers": True}, {"automatic_doubles": 1}):
        with pytest.raises(EngineError):
            Rules(length=5, **money)  # type: ignore[arg-type]


GAMES = (
    Rules.best_of(3),
    Rules(length=5, cube=False, backgammons=False),
    Rules(length=5, gammons=False, backgammons=False),
    Rules(length=5, jacoby=True),
)


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_a_record_says_by_which_rules_it_was_played(rules: Rules) -> None:
    for seed in range(4):
        record = selfplay.match(seed, rules=rules)
        points = [each.points for each in record.replay().results]
        for form in ("mat", "sgf", "json"):
            verdict = adjudicate(formats.read(formats.write(record, form))[0])

            assert (verdict.word, verdict.rules) == ("accepted", rules), (form, seed, verdict.findings)
            assert [each.points for each in verdict.games] == points, (form, seed)


def test_what_other_programs_say_of_jacoby_in_a_match_counts_for_nothing() -> None:
    plain = Record(
        NAMES,
        Rules(length=7),
        (Opened(3, 1), Played(WHITE, (Step(8, 5), Step(6, 5))), Doubled(BLACK), Dropped(WHITE)),
    )
    said = b'; [Jacoby "On"]\n\n' + formats.write(plain, "mat")
    assert adjudicate(formats.read(said)[0]).rules == Rules(length=7)
