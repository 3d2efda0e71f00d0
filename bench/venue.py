"""What a call costs: python -m bench.venue

CPU milliseconds to say who is next in a room with so many players and tables: when all tables are free and
everybody waits, and when one table has become free while the others are in play. Then a night of 128 on 20 tables, in a
database of its own: what a result costs, and from there to the next call, the room read, the queue asked and the call written.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta

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


def a_night(players: int, tables: int) -> None:
    """Print what results and calls cost in a running event, by the median and the slowest of a hundred."""
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "LOG_LEVEL": "ERROR", "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        _play_a_night(players, tables)
        connections.close_all()


def _play_a_night(players: int, tables: int) -> None:
    from tests.tournaments.event_desk import Desk, a_plan
    from tournaments.plan import drawing
    from venue.calls import filling
    from venue.models import Assignment, CallMode
    from venue.rooms import modes, rooms

    desk = Desk(datetime(2026, 11, 19, 19, 30, tzinfo=UTC))
    room = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels=f"1-{tables}", now=desk.now)
    desk.announce(a_plan("progressive-consolation"), players)
    modes.play_in(event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    spent: dict[str, list[float]] = {"result": [], "next call": [], "result to call": []}
    began = time.process_time()
    first = len(filling.fill(room_id=room.pk, now=desk.now))
    print(
        f"{players} players, {tables} tables: {first} calls at the start, {1000 * (time.process_time() - began):.0f} ms"
    )
    for _ in range(100):
        desk.now += timedelta(minutes=2)
        row = Assignment.objects.filter(ended_at=None).select_related("pairing").order_by("called_at").first()
        if row is None:
            break
        at, walled = time.process_time(), time.perf_counter()
        desk.play(row.pairing.key)
        then = time.process_time()
        made = filling.fill(room_id=room.pk, now=desk.now)
        if made:
            spent["result"].append(then - at)
            spent["next call"].append(time.process_time() - then)
            spent["result to call"].append(time.perf_counter() - walled)
    for what, seconds in spent.items():
        print(
            f"{what:>16} {1000 * statistics.median(seconds):>6.1f} ms  slowest {1000 * max(seconds):>6.1f} ms"
        )


def main() -> None:
    """Print a line for each size of room, and then a night."""
    print(f"{'players':>8} {'tables':>7} {'all free':>9} {'one free':>9}")
    for players, tables in SIZES:
        opening, later = night(players, tables, 0), night(players, tables, tables - 1)
        print(f"{players:>8} {tables:>7} {cost(opening):>6.2f} ms {cost(later):>6.2f} ms")
    a_night(128, 20)


if __name__ == "__main__":
    main()
