"""How many positions lie one, two and three rolls away: the counts of other programs."""

from __future__ import annotations

import os

import pytest

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.plays import perft
from engine.side import BLACK, WHITE
from tests.engine.shared import ORACLE, needs_shared

pytestmark = needs_shared
LONG = 40_000
POSITIONS = {
    name: ([int(number) for number in numbers.split()], [int(count) for count in counts.split()])
    for name, numbers, counts in (
        (line.split()[0], line.split("|")[0].partition(" ")[2], line.split("|")[1])
        for line in ((ORACLE / "perft.txt").read_text().splitlines() if ORACLE.is_dir() else [])
    )
}


@pytest.mark.parametrize("name", POSITIONS)
def test_two_rolls(name: str) -> None:
    numbers, counts = POSITIONS[name]
    board = Board.from_numbers(numbers, WHITE)
    assert [perft(board, WHITE, depth) for depth in (0, 1, 2)] == [1, *counts[:2]]


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITIONS)
def test_three_rolls(name: str) -> None:
    numbers, counts = POSITIONS[name]
    if counts[1] > LONG and not os.environ.get("PERFT_LONG"):
        pytest.skip("minutes: set PERFT_LONG=1")
    assert perft(Board.from_numbers(numbers, WHITE).mirrored(), BLACK, 3) == counts[2]


def test_a_finished_game_is_one() -> None:
    assert perft(Board.of({}, {1: 1}), BLACK, 3) == perft(Board.of({}, {1: 1}), WHITE, 2) == 1


def test_the_named_starts() -> None:
    for name, board in (("start", STANDARD), ("nackgammon", NACKGAMMON), ("hypergammon", HYPERGAMMON)):
        assert perft(board, BLACK, 1) == POSITIONS[name][1][0]
