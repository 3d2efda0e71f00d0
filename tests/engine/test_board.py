"""The board as a value: counts, texts, and what can be read off it."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError

import pytest

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board, Step
from engine.errors import EngineError, Impossible, Unreadable
from engine.side import BLACK, WHITE, Side
from tests.engine.slow_plays import random_board

RACE = Board.from_counts({6: 2, 1: 1}, {3: 1})
START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


def test_the_start_position() -> None:  # R02
    assert STANDARD.numbers(WHITE) == STANDARD.numbers(BLACK) == START
    assert STANDARD.pips(WHITE) == STANDARD.pips(BLACK) == 167
    assert STANDARD.checkers == NACKGAMMON.checkers == 15
    assert HYPERGAMMON.checkers == 3
    assert STANDARD.mirrored() == STANDARD


def test_every_form_leads_back() -> None:
    rng = random.Random(1)
    for board in [STANDARD, NACKGAMMON, HYPERGAMMON, RACE, *(random_board(rng) for _ in range(300))]:
        assert Board.parse(board.text()) == board
        assert eval(repr(board)) == board
        assert board.mirrored().mirrored() == board
        for side in Side:
            assert Board.from_numbers(board.numbers(side), side, board.checkers) == board
            assert Board.seen(board.seen_by(side), side) == board
            assert sum(board.points(side)) == board.checkers
            assert board.mirrored().points(side) == board.points(side.other)
            assert "".join(map(_letter, board.numbers(side))) == board.result_text(side)


def _letter(number: int) -> str:
    return "-" if not number else chr(ord("A") + number - 1) if number > 0 else chr(ord("a") - number - 1)


def test_what_a_side_has() -> None:
    board = Board.from_counts({25: 2, 13: 3, 2: 1}, {24: 1, 4: 5})
    assert (board.bar(WHITE), board.count(WHITE, 13), board.off(WHITE)) == (2, 3, 9)
    assert (board.pips(WHITE), board.pips(BLACK)) == (91, 44)
    assert (board.rearmost(WHITE), board.rearmost(BLACK)) == (25, 24)
    assert board.text() == "white bar:2 13:3 2:1 off:9 black 24:1 4:5 off:9"


@pytest.mark.parametrize(
    ("white", "black", "contact"),
    [
        ({6: 1}, {6: 1}, False),
        ({12: 1}, {12: 1}, False),
        ({13: 1}, {13: 1}, True),
        ({25: 1}, {}, False),
        ({25: 1}, {1: 1}, True),
        ({20: 1, 1: 2}, {6: 1}, True),
    ],
)
def test_contact(white: dict[int, int], black: dict[int, int], *, contact: bool) -> None:
    board = Board.from_counts(white, black)
    assert board.has_contact is contact
    assert board.mirrored().has_contact is contact


def test_home_and_won() -> None:
    board = Board.from_counts({}, {7: 1})
    assert (board.is_home(WHITE), board.is_home(BLACK), board.winner) == (True, False, WHITE)
    assert board.mirrored().winner is BLACK
    assert RACE.winner is None
    assert RACE.is_home(BLACK)


@pytest.mark.parametrize(
    ("loser", "level"),
    [({1: 14}, 1), ({18: 15}, 2), ({19: 1, 1: 14}, 3), ({25: 1, 1: 14}, 3), ({25: 1, 1: 13}, 1)],
)
def test_what_is_won(loser: dict[int, int], level: int) -> None:  # R41-R43
    assert Board.from_counts(loser, {}).gammon_level(BLACK) == level
    assert Board.from_counts({}, loser).gammon_level(WHITE) == level


def test_a_hit_sends_to_the_bar() -> None:  # R25
    board = Board.from_counts({6: 2}, {20: 1, 21: 2})
    hit = board.moved(WHITE, [Step(6, 5)])
    assert (hit.bar(BLACK), hit.count(BLACK, 20), hit.count(WHITE, 5)) == (1, 0, 1)
    assert board.bar(BLACK) == 0
    assert board.moved(WHITE, [Step(6, 0)]).off(WHITE) == board.off(WHITE) + 1


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([Step(6, 4)], "blocked"),
        ([Step(7, 5)], "empty-source"),
        ([Step(25, 20)], "empty-source"),
        ([Step(6, 3), Step(6, 3), Step(6, 3)], "empty-source"),
        ([Step(4, 6)], "backwards"),
        ([Step(6, 6)], "backwards"),
        ([Step(26, 6)], "backwards"),
        ([Step(6, -1)], "backwards"),
    ],
)
def test_what_no_hand_can_do(steps: list[Step], code: str) -> None:
    with pytest.raises(Impossible) as refused:
        Board.from_counts({6: 2}, {21: 2}).moved(WHITE, steps)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("white", "black"),
    [
        ({6: 16}, {}),  # R01
        ({6: 15, 5: 1}, {1: 1}),
        ({6: 1}, {19: 1}),  # R07
        ({6: -1}, {1: 1}),
        ({26: 1}, {1: 1}),
        ({-1: 1}, {1: 1}),
        ({0: 3, 1: 1}, {1: 1}),
        ({}, {}),
    ],
)
def test_boards_that_cannot_be(white: dict[int, int], black: dict[int, int]) -> None:
    with pytest.raises(Impossible):
        Board.from_counts(white, black)


@pytest.mark.parametrize("checkers", [0, 16, -1])
def test_a_side_has_one_to_fifteen(checkers: int) -> None:
    with pytest.raises(Impossible):
        Board.from_counts({1: 1}, {1: 1}, checkers)


@pytest.mark.parametrize("numbers", [[], [0] * 25, [1, *[0] * 25], [*[0] * 25, -1], [0, 16, *[0] * 24]])
def test_numbers_that_are_no_board(numbers: list[int]) -> None:
    with pytest.raises(Impossible):
        Board.from_numbers(numbers, WHITE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "white",
        "white 6:1",
        "black 6:1",
        "black 6:1 white 6:1",
        "white 6 black 6:1",
        "white x:1 black 1:1",
        "white 6:x black 1:1",
        "white 6:1 6:1 black 1:2",
        "white 6:1 black 1:2",
        "white 6:16 black 1:16",
        "white 6:1 black 19:1",
        "white bar:1 off:-1 black off:0",
        "white 6:1 black 1:1 black",
    ],
)
def test_text_that_is_no_board(text: str) -> None:
    with pytest.raises(EngineError) as refused:
        Board.parse(text)
    assert isinstance(refused.value, Impossible | Unreadable)
    assert refused.value.code == "bad-position"


def test_a_board_is_a_value() -> None:
    board = Board.from_counts({6: 5}, {6: 5})
    assert hash(board) == hash(Board.from_counts({6: 5}, {6: 5}))
    assert board != RACE
    assert {board: 1}[Board.parse(str(board))] == 1
    with pytest.raises(FrozenInstanceError):
        board.position = 0
