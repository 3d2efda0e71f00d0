"""The cost of an event: its draw, each result, and five hundred deadlines at once.

    python -m bench.events [--sizes 128 1024] [--only sqlite|postgresql]

Draws a double elimination of each size and enters every result through the services, as the desk does: with its ruling, what
follows on the sheet, and the order. Then five hundred matches fall due at one moment. Every event is compared with the state
that its results lead to. The bracket page of an event with last chance is requested after each of its first results. CPU
time is that of this process, without PostgreSQL.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.test import Client

if TYPE_CHECKING:
    from players.models import Club, User
    from tournaments.models import Tournament


START = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
DUE = 500
REPEATS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[128, 1024])
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        measure(asked.sizes)
        return
    command = [sys.executable, "-m", "bench.events", "--here", "--sizes", *map(str, asked.sizes)]
    if asked.only != "postgresql":
        run(command, {**os.environ})
    if asked.only != "sqlite":
        from tests.services import both

        with both() as environment:
            run(command, environment)


def run(command: list[str], environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as folder:
        subprocess.run(command, env={**environment, "DATA_DIR": folder, "LOG_LEVEL": "ERROR"}, check=True)


def measure(sizes: list[int]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from players.accounts import accounts
    from players.clubs import clubs

    call_command("migrate", verbosity=0)
    line("database", connection.vendor)
    director = accounts.register(email="desk@example.org", password=None, name="Dora", now=START)
    club = clubs.create(owner=director, name="Here", now=START)
    for size in sizes:
        double(club, director, size)
        swiss(club, director, size)
        bracket(club, director, size)
    due(club, director)


def line(what: str, told: str) -> None:
    print(f"{what:<50} {told}", flush=True)


def announced(club: Club, by: User, size: int, form: str, **settings: Any) -> Tournament:
    """Announce an event with *size* entries."""
    from players.keys import new_key
    from players.models import Player
    from tournaments.base.settings import Settings
    from tournaments.models import Entry
    from tournaments.plan import setup
    from tournaments.plan.templates import Plan, StagePlan

    details = setup.Details(name=f"{form} {size}", starts_at=START + timedelta(hours=1))
    options = {"rounds": 5} if form == "swiss" else {}
    plan = Plan(stages=(StagePlan(format=form, options=options),), settings=Settings(**settings))
    event = setup.announce(club=club, by=by, key=new_key(), details=details, now=START, plan=plan)
    people = Player.objects.bulk_create(
        Player(name=f"Player {number}", created_at=START) for number in range(1, size + 1)
    )
    Entry.objects.bulk_create(
        Entry(tournament=event, player=player, number=number, entered_at=START)
        for number, player in enumerate(people, 1)
    )
    return event


def published(event: Tournament, by: User, now: datetime) -> None:
    """Publish a draw, and run its background jobs."""
    from tournaments.plan import drawing
    from tournaments.play import pairing_jobs

    drawing.publish(tournament_id=event.pk, by=by, now=now)
    pairing_jobs.pair_event(tournament_id=event.pk, now=now)


def cpu(act: Callable[[], object]) -> float:
    """Return the CPU milliseconds of a call."""
    began = time.process_time()
    act()
    return 1_000 * (time.process_time() - began)


def double(club: Club, by: User, size: int) -> None:
    """Measure the draws of double eliminations, and every result of one of them."""
    from tournaments.base import bracket_cache
    from tournaments.models import Pairing, Tournament
    from tournaments.play import results

    events = [announced(club, by, size, "double-elimination") for _ in range(REPEATS)]
    now = START + timedelta(hours=1)
    drawn = [cpu(partial(published, one, by, now)) for one in events]
    line(
        f"{size:,}: draw published, first and median of more",
        f"{drawn[0]:.0f}, {statistics.median(drawn[1:]):.0f} ms CPU",
    )
    event, costs = events[0], []

    def enter(key: str, at: datetime) -> None:
        results.enter_result(tournament_id=event.pk, key=key, score=(5, 3), by=by, now=at)
        bracket_cache.compute_standings(Tournament.objects.get(pk=event.pk))

    began = time.perf_counter()
    while todo := list(
        Pairing.objects.filter(tournament=event, state="ready").order_by("pk").values_list("key", flat=True)
    ):
        for key in todo:
            now += timedelta(seconds=20)
            costs.append(cpu(partial(enter, key, now)))
    took = time.perf_counter() - began
    quantiles = statistics.quantiles(costs, n=100)
    line(
        f"{size:,}: {len(costs):,} results, median, p99, last",
        f"{statistics.median(costs):.1f}, {quantiles[98]:.1f}, {costs[-1]:.1f} ms CPU; {1_000 * took / len(costs):.1f} ms each by the clock",
    )
    check(event)


def swiss(club: Club, by: User, size: int) -> None:
    """Measure two rounds of a Swiss: each result, and the background job of a round."""
    from tournaments.models import Pairing
    from tournaments.play import pairing_jobs, results

    event = announced(club, by, size, "swiss")
    now = START + timedelta(hours=1)
    published(event, by, now)
    costs: list[float] = []
    jobs: list[float] = []
    for _ in range(2):
        todo = Pairing.objects.filter(tournament=event, state="ready").order_by("pk")
        for key in list(todo.values_list("key", flat=True)):
            enter = partial(
                results.enter_result, tournament_id=event.pk, key=key, score=(5, 3), by=by, now=now
            )
            costs.append(cpu(enter))
        # One job for the whole round, as when results come faster than jobs run.
        jobs.append(cpu(partial(pairing_jobs.pair_event, tournament_id=event.pk, now=now)))
    line(
        f"{size:,}: Swiss, a result; a round by a worker",
        f"{statistics.median(costs):.1f}; {', '.join(f'{one:.0f}' for one in jobs)} ms CPU",
    )
    check(event)


def bracket(club: Club, by: User, size: int) -> None:
    """Measure requests of the bracket page: first, repeated, unchanged, and for news."""
    from django.test import Client

    from runtime.install import statics
    from tournaments.models import Pairing
    from tournaments.play import results

    statics.collect_if_stale()
    client = Client(SERVER_NAME="localhost")
    event = announced(club, by, size, "last-chance")
    now = START + timedelta(hours=1)
    published(event, by, now)
    keys = Pairing.objects.filter(tournament=event, state="ready").values_list("key", flat=True)
    address = f"/events/{event.key}/bracket/"
    looked_at(client, address)  # sets the visitor's cookie
    costs: dict[str, list[float]] = {}
    sizes: dict[str, int] = {}
    for key in list(keys)[:25]:
        results.enter_result(tournament_id=event.pk, key=key, score=(5, 3), by=by, now=now)
        # The first request renders the page; the next one gets it from the cache.
        first = looked_at(client, address)
        tag = first[1]["ETag"]
        looks: dict[str, Any] = {
            "whole, first": first,
            "whole, again": looked_at(client, address),
            "unchanged": looked_at(client, address, If_None_Match=tag),
            "news, picture": looked_at(client, address + "?shows=picture", HX_Request="true"),
            "news, lists": looked_at(client, address + "?shows=lists", HX_Request="true"),
        }
        assert looks["unchanged"][1].status_code == 304
        for name, (cost, answer) in looks.items():
            costs.setdefault(name, []).append(cost)
            sizes[name] = len(gzip.compress(answer.content, 6)) if answer.content else 0
    for name, spent in costs.items():
        told = f"{statistics.median(spent):.1f} ms CPU, {sizes[name] / 1_000:.1f} KB gzip"
        line(f"{size:,}: bracket page, {name}", told)


def looked_at(client: Client, address: str, **headers: str) -> tuple[float, Any]:
    """Return the CPU milliseconds of a request, and its response."""
    began = time.process_time()
    answer = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    return 1_000 * (time.process_time() - began), answer


def due(club: Club, by: User) -> None:
    """Measure many deadlines that are due at the same time."""
    from tournaments.models import Pairing
    from tournaments.play import deadlines

    event = announced(club, by, 2 * DUE, "swiss", no_show_minutes=20, no_show_policy="double")
    published(event, by, START)
    late = START + timedelta(minutes=20)
    idle = [cpu(lambda: deadlines.sweep(START)) for _ in range(50)]
    line("sweep while nothing is due", f"{statistics.median(idle):.2f} ms CPU")
    began = time.perf_counter()
    done = deadlines.sweep(late)
    line(f"{done} no-shows at one moment, with what follows", f"{time.perf_counter() - began:.1f} s")
    assert done == DUE == Pairing.objects.filter(tournament=event, kind="double forfeit").count()
    assert deadlines.sweep(late) == 0
    check(event)


def check(event: Tournament) -> None:
    """Run the remaining jobs, and compare the event with the state computed from its results."""
    from tournaments.models import Tournament
    from tournaments.play import inspection, pairing_jobs

    pairing_jobs.pair_event(tournament_id=event.pk, now=START + timedelta(days=1))
    problems = list(inspection.find_problems(Tournament.objects.get(pk=event.pk)))
    line(f"{event.name}: wrong", str(len(problems)))
    assert not problems, problems[0]


if __name__ == "__main__":
    main()
