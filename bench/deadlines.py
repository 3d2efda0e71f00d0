"""The speed of flagging overdue matches, and the cost of sweeps that find none.

    python -m bench.deadlines [--matches 10000] [--due 1000] [--only sqlite|postgresql]

Builds so many running matches, of which so many fall due within one second, on SQLite and on PostgreSQL with Redis. Measures
the sweep while nothing is due, while moves may be on their way, by one sweeper and by two at once; then checks that exactly
those were flagged, once, and that their journals are valid.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matches.journal.journal import Draft
    from matches.models import JournalEntry, Match
    from players.models import Player


START = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
GRACE = timedelta(seconds=2)
TICK = timedelta(milliseconds=1)
BATCH = 500
IDLE_SWEEPS = 200
PEOPLE = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--due", type=int, default=1_000)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        measure(asked.matches, asked.due)
        return
    command = [sys.executable, "-m", "bench.deadlines", "--here"]
    command += ["--matches", str(asked.matches), "--due", str(asked.due)]
    if asked.only != "postgresql":
        run(command, {**os.environ})
    if asked.only != "sqlite":
        from tests.services import both

        with both() as environment:
            run(command, environment)


def run(command: list[str], environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as folder:
        subprocess.run(command, env={**environment, "DATA_DIR": folder, "LOG_LEVEL": "ERROR"}, check=True)


def measure(matches: int, due: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    # Two batches that are due a minute apart; all others a day later.
    lots = [build(due, START), build(due, START + timedelta(minutes=1))]
    build(matches - 2 * due, START + timedelta(days=1))
    line("database", connection.vendor)
    line(f"building {matches:,} running matches", f"{time.perf_counter() - began:,.0f} s")
    analyse()
    first, second = (last_deadline(lot) for lot in lots)
    line("plan of the query", plan(first - 2 * GRACE))
    line("sweep while nothing is due", f"{idle(first - 2 * GRACE):.2f} ms")
    line(f"sweep while {due:,} moves may be on their way", f"{1_000 * swept(first, found=0):,.0f} ms")
    used = time.process_time()
    one = swept(first + GRACE, found=due)
    used = time.process_time() - used
    each = f"{one:.2f} s, {1_000 * one / due:.2f} ms each, {1_000 * used / due:.2f} ms of it our CPU"
    line(f"{due:,} flags, one sweeper", each)
    two = by_two(second + GRACE, due)
    line(f"{due:,} flags, two sweepers at once", f"{two:.2f} s, {1_000 * two / due:.2f} ms each")
    check([*lots[0], *lots[1]])


def line(what: str, told: str) -> None:
    print(f"{what:<50} {told}", flush=True)


# -- set-up ------------------------------------------------------------------------------


def build(count: int, at: datetime) -> list[int]:
    """Create running matches that began within one second, each with its own journal; return their ids."""
    from django.db import transaction

    from matches.models import JournalEntry, Match

    seats = people()
    made: list[int] = []
    drafts = (draft(seats, number, at + TICK * (number % 1_000)) for number in range(count))
    while some := list(islice(drafts, BATCH)):
        with transaction.atomic():
            Match.objects.bulk_create([each.row for each in some])
            JournalEntry.objects.bulk_create([entry for each in some for entry in entries(each)])
        made += [each.row.pk for each in some]
    return made


def people() -> list[Player]:
    from players.accounts import accounts
    from players.models import Player

    if not Player.objects.exists():
        for number in range(PEOPLE):
            accounts.register(
                email=f"p{number}@example.org", password=None, name=f"Player {number}", now=START
            )
    return list(Player.objects.order_by("pk"))


def draft(seats: list[Player], number: int, at: datetime) -> Draft:
    """Build a match up to the first play, without a database."""
    from engine.clock import PRESETS
    from engine.fair import Party
    from engine.game import Phase
    from engine.rules import Rules
    from engine.side import Side
    from matches.journal import dice, journal
    from matches.models import Match
    from matches.play import automatic_facts
    from matches.state import terms
    from matches.state.facts import Promised, Readied

    white, black = seats[number % len(seats)], seats[(number + 1 + number // len(seats)) % len(seats)]
    if white == black:
        black = seats[(seats.index(white) + 1) % len(seats)]
    agreed = terms.build_terms(Rules(length=3), PRESETS["club"].control(3), "club")
    row = Match(
        white=white,
        black=black,
        white_key=white.key,
        black_key=black.key,
        terms=agreed.to_json(),
        length=3,
        is_timed=True,
        is_limited=True,
        created_at=at,
    )
    found = journal.Draft(row, journal.build_start_state(row), journal.to_milliseconds(at))
    dice.begin_dice(found)
    for side in Side:
        found.write(Promised(Party.from_side(side)), by=side.word, who=found.who(side))
    automatic_facts.write_automatic_facts(found)
    while found.state.match.game.phase is Phase.OPENING:
        for side in Side:
            if side not in found.state.ready:
                found.write(Readied(side), by=side.word, who=found.who(side))
        automatic_facts.write_automatic_facts(found)
    row.head_hash = [*hashes(found)][-1]
    for name, value in journal.build_columns(row, found.state).items():
        setattr(row, name, value)
    return found


def hashes(found: Draft) -> Iterator[str]:
    from matches.journal import journal
    from matches.state import facts

    before = journal.compute_genesis(found.row)
    for step in found.steps:
        before = facts.compute_hash(before, step.line.body())
        yield before


def entries(found: Draft) -> Iterator[JournalEntry]:
    from matches.models import JournalEntry

    for step, chained in zip(found.steps, hashes(found), strict=True):
        yield JournalEntry(match=found.row, hash=chained, **step.line.body())


def last_deadline(lot: list[int]) -> datetime:
    found = max(row.deadline_at for row in rows(lot) if row.deadline_at)
    line(
        "falling due within",
        f"{(found - min(r.deadline_at for r in rows(lot) if r.deadline_at)).total_seconds():.3f} s",
    )
    return found


def rows(lot: list[int]) -> Iterator[Match]:
    from matches.models import Match

    for first in range(0, len(lot), BATCH):
        yield from Match.objects.filter(pk__in=lot[first : first + BATCH])


# -- measurements --------------------------------------------------------------------------------


def analyse() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def plan(now: datetime) -> str:
    from django.db import connection

    from matches.play import deadlines

    found = deadlines.list_due(now=now).values_list("pk", "deadline_at")[: deadlines.MOST]
    sql, given = found.query.sql_with_params()
    explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    with connection.cursor() as cursor:
        cursor.execute(explain + sql, given)
        told = " ".join(str(row[-1]).strip() for row in cursor.fetchall())
    return told[:150]


def idle(now: datetime) -> float:
    """Return the milliseconds of a sweep without work."""
    from matches.play import deadlines

    began = time.perf_counter()
    for _ in range(IDLE_SWEEPS):
        assert deadlines.sweep(now) == 0
    return 1_000 * (time.perf_counter() - began) / IDLE_SWEEPS


def swept(now: datetime, *, found: int) -> float:
    """Return the seconds of a sweep that finds *found* matches."""
    from matches.play import deadlines

    began = time.perf_counter()
    assert deadlines.sweep(now) == found
    return time.perf_counter() - began


def by_two(now: datetime, found: int) -> float:
    """Return the seconds until two concurrent sweeps have found *found* matches together."""
    processes = multiprocessing.get_context("spawn")
    ready, told = processes.Barrier(3), processes.Queue()
    both = [processes.Process(target=take_part, args=(now, ready, told)) for _ in range(2)]
    for each in both:
        each.start()
    ready.wait(60)
    began = time.perf_counter()
    shares = [told.get(timeout=120) for _ in both]
    took = time.perf_counter() - began
    for each in both:
        each.join(30)
    assert sum(shares) == found, shares
    line("  of which each did", " + ".join(map(str, shares)))
    return took


def take_part(now: datetime, ready: Any, told: Any) -> None:
    import django

    django.setup()
    from matches.play import deadlines

    assert deadlines.sweep(START) == 0  # warm-up: connects and imports
    ready.wait(60)
    told.put(deadlines.sweep(now))


def check(due: list[int]) -> None:
    """Check that exactly the due matches are over, each by one flag, and that all journals are valid."""
    from matches.journal import journal
    from matches.models import JournalEntry, Match

    over = set(Match.objects.filter(status="finished").values_list("pk", flat=True))
    assert over == set(due), f"{len(over - set(due))} wrongly, {len(set(due) - over)} forgotten"
    flags = JournalEntry.objects.filter(fact__fact="flagged")
    assert flags.count() == flags.values("match").distinct().count() == len(due)
    began = time.perf_counter()
    broken = [problem for row in rows(due) for problem in journal.find_problems(row)]
    assert broken == [], broken[:3]
    each = 1_000 * (time.perf_counter() - began) / len(due)
    line("flagged wrongly, forgotten, twice; broken journals", "0, 0, 0; 0")
    line("replaying one of these journals", f"{each:.1f} ms")
    print()


if __name__ == "__main__":
    main()
