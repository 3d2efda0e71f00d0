"""How fast ratings are computed, and in how much memory: python -m bench.ratings [matches]

The pure computation of each system, in a process of its own, one core: a club's matches come one by one in their order,
each with two steps that are read and let go. Between 20,000 players, 24 periods.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import sys
import time
from typing import TYPE_CHECKING

from rankings.formulas.systems import SYSTEMS, system
from rankings.formulas.values import Outcome, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

MATCHES = 1_000_000
PLAYERS = 20_000
PERIODS = 24
LENGTHS = (1, 3, 5, 7, 9, 11)


def outcomes(matches: int) -> Iterator[Outcome]:
    """Yield matches in their order; some players play far more than others."""
    rng = random.Random(1)
    names = [f"p{number}" for number in range(PLAYERS)]
    for number in range(matches):
        a = int(PLAYERS * rng.random() ** 2)
        b = (a + 1 + int((PLAYERS - 1) * rng.random() ** 2)) % PLAYERS
        period = number * PERIODS // matches
        yield Outcome(
            number, float(number), names[a], names[b], rng.random() < 0.5, rng.choice(LENGTHS), period
        )


def _run(name: str, matches: int, answer: Connection) -> None:
    began = time.process_time()
    for _ in outcomes(matches):
        pass
    made = time.process_time() - began
    players: dict[str, Standing] = {}
    began = time.process_time()
    steps = sum(1 for _ in system(name).steps(outcomes(matches), players))
    took = time.process_time() - began - made
    assert steps == 2 * matches
    answer.send((took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(players)))


def main() -> None:
    """Print the table."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    print(f"{matches:,} matches rated one after the other, CPU seconds without making them up")
    print(f"{'':10}{'seconds':>9}{'matches/s':>12}{'peak MB':>9}{'players':>9}")
    for name in SYSTEMS:
        here, there = multiprocessing.Pipe()
        child = multiprocessing.get_context("spawn").Process(target=_run, args=(name, matches, there))
        child.start()
        took, peak, players = here.recv()
        child.join()
        print(f"{name:10}{took:9.1f}{matches / took:12,.0f}{peak:9.0f}{players:9,}")


if __name__ == "__main__":
    main()
