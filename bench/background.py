"""The cost of background work.

    python -m bench.background [--sizes 8 32 128] [--only sqlite|postgresql]

For every format and size an event is drawn and a few results are entered; then each kind of work that follows is done as a
worker does it. Below that come kinds that depend on no format: rebuilds, dated lists, records, analyses, webhooks. "CPU s"
is that of this process and its children (without the database server), all turns together; "longest s" is the longest turn
by the clock, so run it on a quiet machine. Work that held a worker for more than five seconds is listed at the end, and the
exit code is then 1.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from bench.events import run

if TYPE_CHECKING:
    from players.models import Club, User
    from tournaments.models import Tournament

START: Final = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
SIZES: Final = (8, 32, 128)
# The maximum seconds for which work may occupy a worker.
MOST: Final = 5.0
RESULTS: Final = 6
RATED: Final = 20_000
RECORDS: Final = 60
# For these formats the first round is completed, so that the second is paired.
BY_ROUNDS: Final = {"swiss", "lives"}


@dataclass(slots=True)
class Table:
    """The printed lines, one for each kind of work, format and size."""

    too_long: list[str] = field(default_factory=list)

    def measure(
        self, work: str, act: Callable[[], object], *, form: str = "", size: object = "", turns: int = 1
    ) -> None:
        """Call *act* in so many turns and print the cost."""
        began, longest = used(), 0.0
        for _ in range(turns):
            clock = time.perf_counter()
            act()
            longest = max(longest, time.perf_counter() - clock)
        print(f"{work:<20} {form:<24} {size!s:>7} {used() - began:>7.2f} {longest:>9.2f}", flush=True)
        if longest > MOST:
            self.too_long.append(f"{work} {form} {size}".rstrip())


def used() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        sys.exit(measure_here(asked.sizes))
    command = [sys.executable, "-m", "bench.background", "--here", "--sizes", *map(str, asked.sizes)]
    is_fine = True
    if asked.only != "postgresql":
        is_fine &= succeeds(command, {**os.environ})
    if asked.only != "sqlite":
        from tests.services import both

        with both() as environment:
            is_fine &= succeeds(command, environment)
    sys.exit(not is_fine)


def succeeds(command: list[str], environment: dict[str, str]) -> bool:
    """Run a command with a separate data folder; return True if it succeeded."""
    try:
        run(command, environment)
    except subprocess.CalledProcessError:
        return False
    return True


def measure_here(sizes: list[int]) -> bool:
    """Measure on the database of this process; return True if something took too long."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from draw.formats import FORMATS
    from players.accounts import accounts
    from players.clubs import clubs
    from rankings.lists import lists

    call_command("migrate", verbosity=0)
    director = accounts.register(email="desk@example.org", password=None, name="Dora", now=START)
    club = clubs.create(owner=director, name="Here", now=START)
    lists.open_list(club=club, by=director, name="Here", system="glicko2", now=START)
    table = Table()
    print(f"{connection.vendor:<20} {'format':<24} {'size':>7} {'CPU s':>7} {'longest s':>9}")
    for name in FORMATS:
        for size in sizes:
            measure_event(table, club, director, name, size)
    measure_ratings(table, club, director)
    measure_records(table, club, director)
    measure_outbox(table)
    print(f"more than {MOST:.0f} s at a stretch: {'; '.join(table.too_long) or 'nothing'}")
    return bool(table.too_long)


def measure_event(table: Table, club: Club, by: User, form: str, size: int) -> None:
    """Draw an event, enter a few results, and measure the work that follows."""
    from bench.events import announced
    from draw.limits import TooManyEntrants
    from rankings.ledger import ledger
    from tournaments.base.errors import TournamentError
    from tournaments.models import Pairing, Tournament
    from tournaments.plan import drawing
    from tournaments.play import deadlines, pairing_jobs, results
    from tournaments.status import Status
    from venue.models import Goal, Rehearsal
    from venue.rehearsals import rehearsing

    try:
        event = announced(club, by, size, form, no_show_minutes=20, no_show_policy="double")
        made = rehearsing.start(tournament_id=event.pk, by=by, now=START).event_id
        drawing.publish(tournament_id=event.pk, by=by, now=START)
    except (TournamentError, TooManyEntrants):
        # For example too many players for this format.
        return
    pairing_jobs.pair_event(tournament_id=event.pk, now=START)
    todo = Pairing.objects.filter(tournament=event, state="ready").order_by("pk")
    keys = list(todo.values_list("key", flat=True))
    if form not in BY_ROUNDS:
        keys = keys[:RESULTS]
    now = START + timedelta(hours=2)
    for key in keys[:-1]:
        results.enter_result(tournament_id=event.pk, key=key, score=(5, 3), by=by, now=now)
    event = Tournament.objects.select_related("club").get(pk=event.pk)

    def measure(work: str, act: Callable[[], object]) -> None:
        table.measure(work, act, form=form, size=size)

    def enter_and_pair() -> None:
        results.enter_result(tournament_id=event.pk, key=keys[-1], score=(5, 3), by=by, now=now)
        Tournament.objects.filter(pk=event.pk).update(pairing_at=now)
        pairing_jobs.pair_event(tournament_id=event.pk, now=now)

    measure("round pairing", enter_and_pair)
    event.refresh_from_db()
    measure("title chances", lambda: compute_titles(event))
    measure("ratings follow", lambda: ledger.update_lists(event_id=event.pk, now=now))
    measure("end and what if", lambda: foresee(event, now))
    rehearsing.play(tournament_id=made, goal=Goal.END, by=by, now=now)
    Rehearsal.objects.filter(event=made).update(next_at=now)
    measure("rehearsal", lambda: rehearsing.sweep(now))
    Rehearsal.objects.update(next_at=None)
    measure("no-shows", lambda: deadlines.sweep(now + timedelta(days=1)))
    Tournament.objects.filter(pk__in=[event.pk, made], status=Status.RUNNING).update(status=Status.CANCELLED)


def compute_titles(event: Tournament) -> None:
    """Compute the title chances of an event, with entry numbers in place of ratings."""
    from rankings.chances import titles
    from tournaments.base import event_rows

    found = event_rows.build_event(event_rows.load_rows(event))
    titles.compute(titles.TitleChanceInput(list=None, event=found, odds=_odds, mark=""))  # type: ignore[arg-type]


def _odds(one: str, other: str, length: int) -> float:
    return float(1 / (1 + 10 ** ((int(one) - int(other)) * length**0.5 / 400)))


def foresee(event: Tournament, now: datetime) -> None:
    """Estimate the end of an event, and the end with four tables."""
    from draw.forecast.what_if import Question
    from venue.desk import end_forecast

    if (found := end_forecast.forecast_end(event, now=now)) is not None:
        assert found.span is not None
        found.what_if(Question(tables=4))


def measure_ratings(table: Table, club: Club, by: User) -> None:
    """Measure rebuilds of rating lists, and dated lists."""
    from rankings.ledger import rebuilding
    from rankings.lists import dated_lists, lists
    from rankings.models import DatedInterval, DatedList, RatingList
    from runtime.work import outbox
    from tests.rankings import many

    # A list that lacks an event cannot be published.
    while outbox.drain(queue="default", now=START + timedelta(days=2)):
        pass
    # Two months of a very large club; a rating system with periods processes a period at a time.
    many.play(
        club, RATED, players=RATED // 20, since=START - timedelta(days=60), every=timedelta(days=60) / RATED
    )
    for name in ("fibs", "elo", "glicko2"):
        made = lists.open_list(
            club=club,
            by=by,
            name=f"Again {name}",
            system=name,
            since=datetime(2020, 1, 1, tzinfo=UTC),
            now=START,
        )
        rebuilding.request_full_rebuild(list_id=made.pk, now=START)
        table.measure("rebuild", lambda: rebuilding.sweep(START), form=name, size=RATED)
        rebuilding.finish_rebuild(list_id=made.pk, now=START)
        dated_lists.schedule(rating_list=made, each=DatedInterval.WEEK, by=by, now=START)
        RatingList.objects.filter(pk=made.pk).update(dated_at=START)
        table.measure("dated list", lambda: dated_lists.sweep(START), form=name, size=RATED)
        assert DatedList.objects.filter(list=made).exists()


def measure_records(table: Table, club: Club, by: User) -> None:
    """Measure adjudicating, archiving and analysing records."""
    from bench.opinion import OTHERS, OURS, files
    from opinion.analyses import analysing, availability
    from records.archive import archiving
    from records.models import RecordMatch
    from records.submissions import submissions
    from runtime.work import outbox

    found = list(itertools.islice(files([OTHERS if OTHERS.exists() else OURS]), RECORDS))
    longest = max(found, key=lambda each: len(each[1]))
    sent = [
        submissions.SentFile(f"{at}.mat", data) for at, (_, data) in enumerate(found) if data != longest[1]
    ]
    submissions.hand_in(club=club, by=by, files=[submissions.SentFile("long.mat", longest[1])], now=START)
    table.measure("verdict", lambda: outbox.drain(queue="slow", now=START), size=f"{len(longest[1]) >> 10}KB")
    for first in range(0, len(sent), 20):
        submissions.hand_in(club=club, by=by, files=sent[first : first + 20], now=START)
    while outbox.drain(queue="slow", now=START):
        pass
    table.measure("archive", lambda: archiving.sweep(START), size=len(found), turns=3)
    if not availability.is_available():
        return
    for key in RecordMatch.objects.values_list("key", flat=True)[:5]:
        analysing.request_record_analysis(key=key, now=START)
    table.measure("analyses", lambda: analysing.sweep(now=START), size=5, turns=4)


def measure_outbox(table: Table) -> None:
    """Measure slow webhooks, and the deletion of expired rows."""
    from runtime import receivers
    from runtime.work import outbox

    outbox.register("bench.call", lambda _payload, *, now: time.sleep(0.9), external=True)
    for number in range(20):
        outbox.put("bench.call", {}, dedupe_key=f"bench {number}", now=START)
    table.measure("webhooks", lambda: outbox.drain(queue="default", now=START), size=20)
    table.measure("tidying", lambda: receivers.prune_all(START + timedelta(days=30)))


if __name__ == "__main__":
    main()
