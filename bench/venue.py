"""What a call costs: python -m bench.venue

CPU milliseconds to say who is next in a room with so many players and tables: when all tables are free and
everybody waits, and when one table has become free while the others are in play.
"""

from __future__ import annotations

import random
import statistics
import time

from venue.queue import MatchId, Name, Ready, RoomNow, Running, TableId, TableNow, next_calls

SIZES = ((16, 6), (128, 20), (1024, 160))
TIMES = 200


def night(players: int, tables: int, busy: int) -> RoomNow:
    """Return a room where so many tables are in play, and everybody else waits."""
    rng = random.Random(f"{players} {tables} {busy}")
    names = [Name(f"player {number}") for number in range(players)]
    pairs = [(names[at], names[at + 1]) for at in range(0, players, 2)]
    all_tables = tuple(TableNow(TableId(str(number))) for number in range(tables))
    running = tuple(Running(all_tables[at].id, pairs[at]) for at in range(busy))
    ready = tuple(
        Ready(MatchId(str(at)), pair, rng.uniform(0, 3600), rng.randrange(4))
        for at, pair in enumerate(pairs[busy:])
    )
    return RoomNow(3600.0, all_tables, running, ready, {name: rng.uniform(0, 3600) for name in names})


def cost(room: RoomNow) -> float:
    """Return the CPU milliseconds of one answer, the median of many."""
    spent = []
    for _ in range(TIMES):
        began = time.process_time_ns()
        next_calls(room)
        spent.append((time.process_time_ns() - began) / 1e6)
    return statistics.median(spent)


def main() -> None:
    """Print a line for each size of room."""
    print(f"{'players':>8} {'tables':>7} {'all free':>9} {'one free':>9}")
    for players, tables in SIZES:
        opening, later = night(players, tables, 0), night(players, tables, tables - 1)
        print(f"{players:>8} {tables:>7} {cost(opening):>6.2f} ms {cost(later):>6.2f} ms")


if __name__ == "__main__":
    main()
