"""How many positions lie one, two and three rolls away: the counts of a slow enumerator and of other programs."""

from __future__ import annotations

import os

import pytest

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.plays import perft
from engine.side import BLACK, WHITE
from tests.engine.shared import OTHERS, OURS, THE_LONG_RUN, Source, long_run

LONG = 40_000


def positions(source: Source) -> dict[str, tuple[list[int], list[int]]]:
    """Return the numbers of each position's board, and its counts."""
    if not source.perft.exists():
        return {}
    found = {}
    for line in source.perft.read_text().splitlines():
        told, _, counts = line.partition("|")
        name, *numbers = told.split()
        found[name] = [int(number) for number in numbers], [int(count) for count in counts.split()]
    return found


SAMPLES, SHARED = positions(OURS), positions(OTHERS)
ALL = [
    *(pytest.param(*said, id=f"samples {name}") for name, said in SAMPLES.items()),
    *(pytest.param(*said, id=f"shared {name}", marks=THE_LONG_RUN) for name, said in SHARED.items()),
]


@pytest.mark.parametrize(("numbers", "counts"), ALL)
def test_two_rolls(numbers: list[int], counts: list[int]) -> None:
    board = Board.from_numbers(numbers, WHITE)
    depths = range(len(counts[:2]) + 1)
    assert [perft(board, WHITE, depth) for depth in depths] == [1, *counts[:2]]


@pytest.mark.parametrize(("numbers", "counts"), [each for each in SAMPLES.values() if len(each[1]) == 3])
def test_three_rolls_of_few_checkers(numbers: list[int], counts: list[int]) -> None:
    assert perft(Board.from_numbers(numbers, WHITE).mirrored(), BLACK, 3) == counts[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHARED or [pytest.param("", marks=THE_LONG_RUN)])
def test_three_rolls(name: str) -> None:
    numbers, counts = SHARED[name]
    if counts[1] > LONG and not os.environ.get("PERFT_LONG"):
        pytest.skip("minutes: set PERFT_LONG=1")
    assert perft(Board.from_numbers(numbers, WHITE).mirrored(), BLACK, 3) == counts[2]


def test_a_finished_game_is_one() -> None:
    assert (
        perft(Board.from_counts({}, {1: 1}), BLACK, 3) == perft(Board.from_counts({}, {1: 1}), WHITE, 2) == 1
    )


def test_the_named_starts() -> None:
    for name, board in (("start", STANDARD), ("nackgammon", NACKGAMMON), ("hypergammon", HYPERGAMMON)):
        assert perft(board, BLACK, 1) == SAMPLES[name][1][0]


@long_run
def test_the_slow_enumerator_counts_as_other_programs_do() -> None:
    both = SAMPLES.keys() & SHARED.keys()
    assert both == {"start", "nackgammon", "hypergammon"}
    for name in both:
        counts = SAMPLES[name][1]
        assert counts == SHARED[name][1][: len(counts)]
