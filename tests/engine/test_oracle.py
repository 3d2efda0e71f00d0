"""Positions and rolls with all their results, as a slow enumerator and four other programs have them."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.board import Board
from engine.dice import Dice
from engine.plays import is_legal, legal_plays
from engine.side import BLACK, WHITE
from tests.engine.shared import OTHERS, OURS, Source, each_source, needs_shared
from tests.engine.slow_plays import can_be_made, mutated

MUTANTS = 30
COUNTS = {OURS: 363, OTHERS: 13_484}


def records(source: Source) -> Iterator[tuple[Board, Dice, dict[str, Any]]]:
    with gzip.open(source.plays, "rt") if source.plays.suffix == ".gz" else source.plays.open() as lines:
        for line in lines:
            record = json.loads(line)
            yield Board.from_numbers(record["b"], WHITE), Dice(*record["d"]), record


@each_source
def test_every_record(source: Source) -> None:
    number = 0
    for board, dice, record in records(source):
        plays = legal_plays(board, WHITE, dice)
        assert plays.dice_used == record["n"], record
        assert sorted(after.result_text(WHITE) for after in plays.results()) == record["r"], record
        number += 1
    assert number == COUNTS[source]


@each_source
def test_black_plays_by_the_same_rules(source: Source) -> None:
    for number, (board, dice, record) in enumerate(records(source)):
        if number % 20 == 0 or source is OURS:
            plays = legal_plays(board.mirrored(), BLACK, dice)
            assert plays.dice_used == record["n"], record
            assert sorted(play.board.result_text(BLACK) for play in plays) == record["r"], record


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(OURS, id="samples"),
        pytest.param(OTHERS, id="shared", marks=[needs_shared, pytest.mark.slow]),
    ],
)
def test_no_illegal_mutant_is_accepted(source: Source) -> None:
    rng = random.Random(6)
    tried = accepted = 0
    for board, dice, record in records(source):
        results, plays = set(record["r"]), legal_plays(board, WHITE, dice)
        state = board.points(WHITE), board.points(BLACK)
        for _ in range(MUTANTS):
            steps = mutated(rng, plays[rng.randrange(len(plays))].steps)
            legal = (
                len(steps) == record["n"]
                and can_be_made(state, dice.numbers, tuple(steps))
                and board.moved(WHITE, steps).result_text(WHITE) in results
            )
            assert is_legal(board, WHITE, dice, steps) is legal, (record, steps)
            tried += 1
            accepted += legal
    assert tried == MUTANTS * COUNTS[source]
    assert accepted > tried // 25
