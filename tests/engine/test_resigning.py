"""The levels of resignation in live play: no more than the player can still lose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.actions import Opened, ResignOffered
from engine.board import STANDARD, Board
from engine.cube import Cube
from engine.game import Game, apply
from engine.rules import Rules
from engine.side import BySide, Side

W, B = Side.WHITE, Side.BLACK
MONEY = Rules.unlimited(jacoby=False)


def game(rules: Rules, board: Board = STANDARD, cube: Cube | None = None, away: int | None = None) -> Game:
    """A game in which either side needs *away* points."""
    found = Game.start(rules, away=None if away is None else BySide(away, away))
    return replace(found, board=board, cube=cube or Cube())


def test_with_nothing_borne_off_everything_can_be_lost() -> None:
    assert game(Rules(length=7), away=7).find_highest_level(W) == 3
    assert game(MONEY).find_highest_level(B) == 3


def test_with_a_checker_off_only_a_single_game_can_be_lost() -> None:  # R41
    board = Board.from_counts({6: 14}, {20: 15})
    found = game(Rules(length=7), board, away=7)
    assert (found.find_highest_level(W), found.find_highest_level(B)) == (1, 3)


def test_out_of_reach_a_backgammon_cannot_be_lost() -> None:  # R43
    race = Board.from_counts({18: 1, 5: 14}, {6: 15})
    assert game(MONEY, race).find_highest_level(W) == 2
    # One point further back it may stay behind, and where the two can meet it may be hit.
    assert game(MONEY, Board.from_counts({19: 1, 5: 14}, {5: 15})).find_highest_level(W) == 3
    assert game(MONEY, Board.from_counts({18: 1, 5: 14}, {8: 15})).find_highest_level(W) == 3


@pytest.mark.parametrize(
    ("away", "cube", "most"),
    [(1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 2, 2), (3, 2, 2), (2, 2, 1), (9, 4, 3), (1, 8, 1)],
)
def test_what_ends_the_match_is_the_most(away: int, cube: int, most: int) -> None:  # R55
    assert game(Rules(length=25), cube=Cube(cube), away=away).find_highest_level(W) == most


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        (Rules(length=7, gammons=False, backgammons=False), 1),
        (Rules(length=7, backgammons=False), 2),
        (Rules(length=1), 1),
    ],
)
def test_what_does_not_count_is_not_resigned(rules: Rules, most: int) -> None:
    assert game(rules, away=rules.length).find_highest_level(W) == most


def test_under_jacoby_gammons_wait_for_the_cube() -> None:
    rules = Rules.unlimited(jacoby=True)
    assert game(rules).find_highest_level(W) == 1
    assert game(rules, cube=Cube(2, B)).find_highest_level(W) == 3


def test_the_score_of_the_winner_counts_and_not_that_of_the_loser() -> None:
    found = replace(game(Rules(length=5)), away=BySide(1, 5))
    assert (found.find_highest_level(W), found.find_highest_level(B)) == (3, 1)


def test_the_highest_offer_is_known_by_its_level() -> None:
    found = apply(game(Rules(length=2), away=2), Opened(3, 1))
    assert not found.is_highest_resignation
    assert [apply(found, ResignOffered(W, level)).is_highest_resignation for level in (1, 2, 3)] == [
        False,
        True,
        True,
    ]
