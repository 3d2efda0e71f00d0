"""Speed of legal play generation in positions per second, compared with bgsage from PyPI (C++)."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from engine.board import Board
from engine.dice import Dice
from engine.plays import legal_plays
from engine.side import WHITE

ROUNDS = 15
# Run by a Python with bgsage: for each input line it runs a round and prints results and CPU seconds.
RIVAL = """
import json, sys, time
import bgbot_cpp, bgsage
from importlib.metadata import version
positions = [([-b[0], *b[1:]], *dice) for b, dice in json.loads(sys.stdin.readline())]
print(version("bgsage"), flush=True)
for line in sys.stdin:
    moves = (bgsage if line.strip() == "bgsage" else bgbot_cpp).possible_moves
    began = time.process_time()
    count = 0
    for board, high, low in positions:
        count += len(moves(board, high, low))
    print(json.dumps([count, time.process_time() - began]), flush=True)
"""


def table(positions: Path) -> None:
    """Print the table; without a Python with bgsage (BGSAGE_PYTHON), only our results."""
    pairs = json.loads(positions.read_text())
    questions = [(Board.from_numbers(numbers, WHITE), Dice.from_numbers(*dice)) for numbers, dice in pairs]
    runs: dict[str, Callable[[], tuple[int, float]]] = {
        "Barpoint, distinct results": lambda: _results(questions),
        "Barpoint, their boards": lambda: _boards(questions),
        "Barpoint, plays with steps, hits, boards": lambda: _plays(questions),
    }
    print(
        f"Legal plays of {len(pairs):,} positions, one core, {ROUNDS} rounds in turn, medians of CPU time. A round\n"
        "asks for each position once and counts what comes back; boards are made before, nothing is kept."
    )
    with _rival(pairs) as (version, ask):
        if ask is not None:
            runs[f"bgsage {version}, C++ called directly"] = lambda: ask("bgbot_cpp")
            runs[f"bgsage {version}, its Python function"] = lambda: ask("bgsage")
        rounds = [{name: run() for name, run in runs.items()} for _ in range(ROUNDS)]
    rates = {name: len(pairs) / median(each[name][1] for each in rounds) for name in runs}
    rivals = [rate for name, rate in rates.items() if name.startswith("bgsage")]
    print(f"{'':42}{'positions/s':>12}{'results':>10}{'ratio':>8}")
    for name, rate in rates.items():
        ratio = f"{rate / max(rivals):8.2f}" if rivals else ""
        print(f"{name:42}{rate:12,.0f}{rounds[0][name][0]:10,}{ratio}")
    if not rivals:
        print("bgsage is not here to compare with: BGSAGE_PYTHON may name a Python that has it")


def _results(questions: list[tuple[Board, Dice]]) -> tuple[int, float]:
    count, began = 0, time.process_time()
    for board, dice in questions:
        count += len(legal_plays(board, WHITE, dice))
    return count, time.process_time() - began


def _boards(questions: list[tuple[Board, Dice]]) -> tuple[int, float]:
    count, began = 0, time.process_time()
    for board, dice in questions:
        count += len(legal_plays(board, WHITE, dice).results())
    return count, time.process_time() - began


def _plays(questions: list[tuple[Board, Dice]]) -> tuple[int, float]:
    count, began = 0, time.process_time()
    for board, dice in questions:
        count += len(list(legal_plays(board, WHITE, dice)))
    return count, time.process_time() - began


@contextmanager
def _rival(pairs: list[object]) -> Iterator[tuple[str, Callable[[str], tuple[int, float]] | None]]:
    """Yield bgsage's version, and a function that runs a round; None if it is not available."""
    python = os.environ.get("BGSAGE_PYTHON") or (importlib.util.find_spec("bgsage") and sys.executable)
    if not python:
        yield "", None
        return
    with subprocess.Popen(
        [python, "-c", RIVAL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        told, heard = process.stdin, process.stdout
        assert told is not None
        assert heard is not None

        def ask(line: str) -> str:
            print(line, file=told, flush=True)
            return heard.readline()

        version = ask(json.dumps(pairs)).strip()
        yield version, lambda function: tuple(json.loads(ask(function)))
        told.close()
