"""Sweeps: each runs once a period, again after a failure, and by the watch when it is overdue."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from runtime.models import Outbox, SweepRun
from runtime.work import outbox, sweeps
from tests.runtime.support import together, until

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

EVERY = timedelta(seconds=10)
SECOND = timedelta(seconds=1)
# All of them hold a connection at once: fewer than the pool has.
RIVALS = 6


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The only sweep there is, and when it ran."""
    times: list[datetime] = []

    def look(now: datetime) -> int:
        times.append(now)
        return 3

    monkeypatch.setattr(sweeps, "_sweeps", {})
    sweeps.register("look", EVERY, look, queue="slow")
    return times


def test_a_sweep_runs_and_says_what_it_found(ran: list[datetime], now: datetime) -> None:
    assert sweeps.run("look", now=now)
    assert ran == [now]
    row = SweepRun.objects.get(name="look")
    assert (row.claimed_at, row.found, row.last_error) == (now, 3, "")
    assert now <= row.finished_at < now + SECOND


@pytest.mark.parametrize(
    ("later", "runs"), [(0, False), (1, False), (7.9, False), (8, True), (10, True), (999, True)]
)
def test_it_runs_again_after_its_period_and_no_more_than_a_fifth_early(
    ran: list[datetime], now: datetime, later: float, runs: bool
) -> None:
    sweeps.run("look", now=now)
    assert sweeps.run("look", now=now + timedelta(seconds=later)) is runs


def test_a_clock_that_is_put_back_stops_no_sweep(ran: list[datetime], now: datetime) -> None:
    """A laptop that also starts another system often begins two hours ahead and is put right by the network."""
    sweeps.run("look", now=now + timedelta(hours=2))
    assert sweeps.run("look", now=now)
    assert not sweeps.run("look", now=now + SECOND)
    assert sweeps.run("look", now=now + EVERY)


def test_a_failing_sweep_is_written_down_and_runs_again(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(sweeps, "_sweeps", {})
    outcomes: list[Exception | int] = [ValueError("worst row"), 5]

    def look(now: datetime) -> int:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    sweeps.register("look", EVERY, look)
    assert sweeps.run("look", now=now)
    row = SweepRun.objects.get()
    assert (row.last_error, row.found) == ("ValueError: worst row", 0)
    assert row.finished_at is not None
    assert sweeps.run("look", now=now + EVERY)
    row.refresh_from_db()
    assert (row.last_error, row.found) == ("", 5)


def test_a_name_that_nobody_registered_is_a_mistake(ran: list[datetime], now: datetime) -> None:
    with pytest.raises(KeyError):
        sweeps.run("nothing", now=now)


def test_a_sweep_that_nobody_runs_is_forgotten_and_one_that_runs_is_not(
    ran: list[datetime], now: datetime
) -> None:
    sweeps.register("quick", SECOND, lambda now: 0)
    assert [s.name for s in sweeps.list_overdue(now=now)] == ["look", "quick"]
    sweeps.run("look", now=now)
    sweeps.run("quick", now=now)
    assert sweeps.list_overdue(now=now + 5 * SECOND) == []
    assert [s.name for s in sweeps.list_overdue(now=now + 6 * SECOND)] == ["quick"], (
        "patience is five seconds at least"
    )
    assert [s.name for s in sweeps.list_overdue(now=now + 31 * SECOND)] == ["look", "quick"]


def test_what_has_nothing_to_do_is_never_forgotten_and_what_waits_is_after_five_seconds(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(sweeps, "_sweeps", {})
    sweeps.register("look", SECOND, lambda now: 0, due=partial(outbox.query_due, queue="slow"))
    sweeps.run("look", now=now)
    assert not SweepRun.objects.exists()
    assert sweeps.list_overdue(now=now + timedelta(days=1)) == []
    outbox.put("runtime.mail", {}, dedupe_key="m", now=now, queue="slow")
    assert sweeps.list_overdue(now=now + 4 * SECOND) == []
    assert [s.name for s in sweeps.list_overdue(now=now + 5 * SECOND)] == ["look"]
    assert sweeps.list_late(now=now + 9 * SECOND) == []
    assert [s.name for s in sweeps.list_late(now=now + 10 * SECOND)] == ["look"]
    sweeps.run("look", now=now + 5 * SECOND)
    assert sweeps.list_overdue(now=now + 10 * SECOND) == [], "somebody is at it, though it is not done yet"
    assert [s.name for s in sweeps.list_overdue(now=now + 11 * SECOND)] == ["look"]


def test_asking_what_was_forgotten_is_one_statement(
    now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        sweeps.list_overdue(now=now)


def test_the_watch_runs_what_was_forgotten_and_nothing_else(ran: list[datetime], now: datetime) -> None:
    real = timezone.now()
    watch = sweeps.OverdueSweepRunner()
    watch.tick(real)
    assert len(ran) == 1
    watch.tick(real + EVERY)
    assert len(ran) == 1


def test_after_a_forgotten_sweep_the_watch_runs_for_a_while_all_that_have_something_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Redis or beat is away: not each of them is waited for again."""
    real = timezone.now()
    monkeypatch.setattr(sweeps, "_sweeps", {})
    for queue in ("clocks", "slow"):
        sweeps.register(
            queue, SECOND, lambda now, queue=queue: _do(queue), due=partial(outbox.query_due, queue=queue)
        )
    watch = sweeps.OverdueSweepRunner()
    outbox.put("runtime.mail", {}, dedupe_key="fresh", now=real, queue="slow")
    watch.tick(real)
    assert _open() == {"slow"}, "it has not waited long"

    outbox.put("runtime.mail", {}, dedupe_key="old", now=real - 5 * SECOND, queue="clocks")
    watch.tick(real + SECOND)
    assert _open() == set()
    SweepRun.objects.all().delete()
    outbox.put("runtime.mail", {}, dedupe_key="more", now=real, queue="slow")
    watch.tick(real + 3 * SECOND)
    assert _open() == set(), "it polls"

    SweepRun.objects.all().delete()
    at = real + SECOND + sweeps.STAND_IN
    outbox.put("runtime.mail", {}, dedupe_key="later", now=at, queue="slow")
    watch.tick(at)
    assert _open() == {"slow"}, "it looks for forgotten ones alone again"


def _open() -> set[str]:
    return set(Outbox.objects.filter(done_at=None).values_list("queue", flat=True))


def _do(queue: str) -> int:
    return Outbox.objects.filter(queue=queue, done_at=None).update(done_at=timezone.now())


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_run_before", [False, True])
def test_of_eight_at_once_one_runs(ran: list[datetime], now: datetime, has_run_before: bool) -> None:
    for round_ in range(5):
        at = now + 2 * round_ * EVERY
        SweepRun.objects.all().delete()
        if has_run_before:
            assert sweeps.run("look", now=at - EVERY)
        ran.clear()
        assert together(8, lambda _, at=at: sweeps.run("look", now=at)).count(True) == 1
        assert len(ran) == 1


@pytest.mark.django_db(transaction=True)
def test_without_the_comparison_all_of_them_run(
    ran: list[datetime], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = threading.Barrier(RIVALS)

    def claim_after_looking(sweep: sweeps.Sweep, *, now: datetime) -> bool:
        is_due = not SweepRun.objects.filter(name=sweep.name, claimed_at__gt=now - sweep.every * 0.8).exists()
        met.wait(10)
        return is_due

    monkeypatch.setattr(sweeps, "_claim", claim_after_looking)
    together(RIVALS, lambda _: sweeps.run("look", now=now))
    assert len(ran) == RIVALS


@pytest.fixture
def ticker() -> Iterator[list[sweeps.Ticker]]:
    tickers: list[sweeps.Ticker] = []
    yield tickers
    for each in tickers:
        each.stop()


@pytest.mark.django_db(transaction=True)
def test_a_ticker_ticks_until_it_is_stopped_whatever_its_ticks_do(ticker: list[sweeps.Ticker]) -> None:
    ticks = []

    def fail_at_first(now: datetime) -> None:
        ticks.append(now)
        SweepRun.objects.count()
        if len(ticks) == 1:
            raise ConnectionError("the database is away")

    thread = sweeps.Ticker("test", fail_at_first, every=0.01)
    ticker.append(thread)
    thread.start()
    until(lambda: len(ticks) >= 3)
    thread.stop()
    assert not thread.is_alive()
    seen = len(ticks)
    time.sleep(0.05)
    assert len(ticks) == seen
