"""Positions with every legal result, and perft counts, both by the slow enumerator that shares nothing with the engine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.dice import ROLLS, Dice
from engine.side import WHITE
from tests.engine.slow_plays import State, random_board, slow_results
from tests.samples.bouts import Note

# Positions with more results than this say no more than others, and are long.
MOST = 60
PERFT = {
    "start": STANDARD,
    "nackgammon": NACKGAMMON,
    "hypergammon": HYPERGAMMON,
    "bar-two": Board.from_counts({25: 2, 6: 5, 5: 4, 4: 4}, {6: 2, 5: 2, 4: 2, 13: 9}),
    "closed-out": Board.from_counts({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 5}),
    "prime": Board.from_counts({24: 2, 6: 5, 8: 3, 5: 5}, {4: 2, 5: 3, 6: 3, 7: 3, 8: 2, 9: 2}),
    "race": Board.from_counts({7: 2, 6: 3, 4: 2, 2: 1}, {8: 1, 6: 4, 5: 1, 3: 2}),
    "bear-off": Board.from_counts({3: 2, 2: 2, 1: 1}, {4: 1, 3: 1, 1: 2}),
    "last-two": Board.from_counts({6: 1, 1: 1}, {5: 1, 2: 1}),
    "bear-off-hit": Board.from_counts({5: 2, 3: 2}, {24: 1, 21: 1, 2: 1}),
    "one-checker": Board.from_counts({24: 1}, {24: 1}),
    "ace-point": Board.from_counts({24: 2, 1: 3}, {3: 2, 2: 3}),
}
# Count the next depth only if this depth has at most so many positions.
DEEPER = {1: 500, 2: 2_000}


def lines(notes: Sequence[Note]) -> Iterator[str]:
    """Yield a record for each line: positions from matches of the bots, and random positions."""
    rng = random.Random("positions")
    met = [(note.state, Dice.from_numbers(*note.dice)) for note in notes if note.word == "roll"]
    made = [
        ((board.points(WHITE), board.points(WHITE.other)), rng.choice(ROLLS))
        for board in (random_board(rng) for _ in range(260))
    ]
    for state, dice in [*rng.sample(met, 140), *made]:
        used, found = slow_results(Board.from_numbers(numbers(state), WHITE), WHITE, dice)
        if len(found) <= MOST:
            results = sorted(letters(each) for each in found)
            yield json.dumps({"b": numbers(state), "d": [dice.high, dice.low], "n": used, "r": results})


def numbers(state: State) -> list[int]:
    mine, theirs = state
    return [-theirs[25], *(mine[point] - theirs[25 - point] for point in range(1, 25)), mine[25]]


def letters(state: State) -> str:
    return "".join(
        "-" if not number else chr((64 if number > 0 else 96) + abs(number)) for number in numbers(state)
    )


def perft_lines() -> Iterator[str]:
    for name, board in PERFT.items():
        state = board.points(WHITE), board.points(WHITE.other)
        counts: list[int] = []
        while len(counts) < 3 and (not counts or counts[-1] <= DEEPER[len(counts)]):
            counts.append(count(state, len(counts) + 1))
        yield f"{name} {' '.join(map(str, numbers(state)))} | {' '.join(map(str, counts))}"


@cache
def count(state: State, depth: int) -> int:
    """Count the ways, roll by roll, as `perft` does: the side to play changes, an ended game counts one."""
    if depth == 0 or not any(state[0][1:]) or not any(state[1][1:]):
        return 1
    board = Board.from_numbers(numbers(state), WHITE)
    return sum(
        count((after[1], after[0]), depth - 1)
        for dice in ROLLS
        for after in slow_results(board, WHITE, dice)[1]
    )
