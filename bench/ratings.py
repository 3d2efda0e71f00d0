"""How fast ratings are computed, and in how much memory: python -m bench.ratings [matches] [--lists sqlite|postgresql ...]

The pure computation of each system, in a process of its own, one core: a club's matches come one by one in their order,
each with two steps that are read and let go. Between 20,000 players, 24 periods.

With `--lists`, lists of a club in that database as well: each is opened for as many matches and computed, computed again
where nothing differs, and computed again after the oldest result was corrected; each in a process of its own. Then one more
match is rated. The matches are in events of 500 among 50 players each; putting them there is not measured.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from rankings.formulas.systems import SYSTEMS, system
from rankings.formulas.values import Outcome, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

MATCHES = 1_000_000
PLAYERS = 20_000
PERIODS = 24
START = datetime(2024, 1, 1, tzinfo=UTC)
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


def pure(matches: int) -> None:
    """Print the table of the formulas alone."""
    print(f"{matches:,} matches rated one after the other, CPU seconds without making them up")
    print(f"{'':10}{'seconds':>9}{'matches/s':>12}{'peak MB':>9}{'players':>9}")
    for name in SYSTEMS:
        here, there = multiprocessing.Pipe()
        child = multiprocessing.get_context("spawn").Process(target=_run, args=(name, matches, there))
        child.start()
        took, peak, players = here.recv()
        child.join()
        print(f"{name:10}{took:9.1f}{matches / took:12,.0f}{peak:9.0f}{players:9,}")


def lists(database: str, matches: int) -> None:
    """Print the table of a database."""
    with contextlib.ExitStack() as stack:
        environment = dict(os.environ)
        if database == "postgresql":
            from tests.services import both

            environment = stack.enter_context(both())
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="barpoint-bench-"))
        environment |= {"DATA_DIR": folder, "LOG_LEVEL": "ERROR"}
        print(
            f"{matches:,} matches of {min(PLAYERS, matches):,} players in {database}, seconds; matches by CPU second"
        )
        print(f"{'':28}{'clock':>9}{'CPU':>9}{'matches/s':>12}{'peak MB':>9}{'entries':>12}", flush=True)
        for step in ("fill", *STEPS):
            command = [sys.executable, "-m", "bench.ratings", str(matches), "--step", step]
            subprocess.run(command, env=environment, check=True)


STEPS = tuple(
    f"{name} {what}" for name in ("fibs", "glicko2") for what in ("opened", "again", "corrected", "one more")
)


def step(which: str, matches: int) -> None:
    """Do one thing with the database of this process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from players.accounts import accounts
    from players.clubs import clubs
    from players.models import Club, User
    from rankings.ledger import ledger, rebuilding
    from rankings.lists import lists
    from rankings.models import RatingList
    from tests.rankings import many
    from tournaments.models import Pairing

    every = timedelta(days=30 * PERIODS) / matches
    if which == "fill":
        call_command("migrate", verbosity=0)
        owner = accounts.register(email="desk@example.org", password=None, name="Dora", now=START)
        club = clubs.create(owner=owner, name="Here", now=START)
        many.play(club, matches, players=min(PLAYERS, matches), since=START, every=every)
        return
    name, what = which.split(" ", 1)
    now = START + timedelta(days=31 * PERIODS)
    club, owner = Club.objects.get(), User.objects.get()
    began, busy = time.perf_counter(), time.process_time()
    if what == "opened":
        made = lists.open_list(
            club=club, by=owner, name=name, system=name, since=START - timedelta(days=1), now=now
        )
        changed = rebuilding.to_the_end(list_id=made.pk, now=now)
    else:
        made = RatingList.objects.get(name=name)
        if what == "again":
            changed = ledger.rebuild(list_id=made.pk, now=now)
        else:
            in_order = Pairing.objects.order_by("decided_at", "uid")
            row = in_order.first() if what == "corrected" else in_order.last()
            Pairing.objects.filter(pk=row.pk).update(
                winner=row.b_id if row.winner_id == row.a_id else row.a_id
            )
            began, busy = time.perf_counter(), time.process_time()
            changed = ledger.follow(event_id=row.tournament_id, now=now)
            changed += rebuilding.to_the_end(list_id=made.pk, now=now)
    took, busy = time.perf_counter() - began, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate = "" if what == "one more" else f"{matches / busy:,.0f}"
    print(f"{which:28}{took:9.2f}{busy:9.2f}{rate:>12}{peak:9.0f}{changed:12,}", flush=True)


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", nargs="?", type=int, default=MATCHES)
    parser.add_argument("--lists", nargs="*", choices=("sqlite", "postgresql"), default=[])
    parser.add_argument("--step", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        step(asked.step, asked.matches)
        return
    pure(asked.matches)
    for database in asked.lists:
        lists(database, asked.matches)


if __name__ == "__main__":
    main()
