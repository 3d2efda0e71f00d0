"""Sweeps: periodic jobs that find due work in the database, even if its notification was lost.

A sweep does a bounded amount of work and may run in two processes at once. Its question says whether it has
work; one statement a second evaluates all questions (`runtime.work.poller`), and only sweeps with work are
queued, claimed and recorded. A thread of every web process and worker runs overdue sweeps.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

import structlog
from django.db import close_old_connections, connections
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from runtime import batched_exists, transactions
from runtime.batched_exists import Question
from runtime.models import Failure, Queue, SweepRun
from runtime.work import failures, jobs

log = structlog.get_logger(__name__)

# The shortest time without a run after which a sweep is overdue; other processes then run it.
PATIENCE = timedelta(seconds=5)
# Seconds between two searches for overdue sweeps.
WATCH_SECONDS = 2.5
# After an overdue sweep a process runs all sweeps for this time, since Redis, beat or the workers are
# probably away.
STAND_IN: Final = timedelta(minutes=2)
# Seconds after which a sweep starts nothing more, to free its worker.
SLICE: Final = 3.0
# Short, because a sweep serves all of its subjects.
LONGEST_PAUSE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Sweep:
    name: str
    every: timedelta
    run: Callable[[datetime], int]
    queue: str
    # Selects its waiting work; without it the sweep runs every period.
    due: Question | None = None
    # Background work: see runtime.work.jobs.
    is_background: bool = False

    @property
    def overdue_after(self) -> timedelta:
        return max(PATIENCE, 3 * self.every)


_sweeps: dict[str, Sweep] = {}


def register(
    name: str,
    every: timedelta,
    run: Callable[[datetime], int],
    queue: str = Queue.DEFAULT,
    *,
    due: Question | None = None,
    is_background: bool = False,
) -> None:
    """Register a sweep: *run* is called with the time, every period, if *due* finds rows.

    It returns the number of things done. The queries of *due* must be cheap: every process may run them each
    second.
    """
    _sweeps[name] = Sweep(name, every, run, queue, due, is_background)


def list_sweeps() -> list[Sweep]:
    return [_sweeps[name] for name in sorted(_sweeps)]


def run(name: str, *, now: datetime) -> bool:
    """Run a sweep unless it has just run or has no work; True if it ran."""
    sweep = _sweeps[name]
    if not sweep.is_background:
        return _run_sweep(sweep, now=now)
    with jobs.BACKGROUND.take(name) as is_free:
        return is_free and _run_sweep(sweep, now=now)


def _run_sweep(sweep: Sweep, *, now: datetime) -> bool:
    if not list_with_work([sweep], now=now) or not _claim(sweep, now=now):
        return False
    began = time.perf_counter()
    found, error = 0, ""
    try:
        # Sweeps have no attempt counter, so they get the longest time limit.
        with transactions.limit_transactions(
            sweep.name,
            attempt=transactions.LARGEST_FACTOR,
            patience=0.0 if sweep.queue == Queue.CLOCKS else transactions.BACKGROUND_PATIENCE,
        ):
            found = sweep.run(now)
    except Exception as problem:
        error = failures.format_error(problem)
        log.exception("sweep.failed", sweep=sweep.name)
    took = time.perf_counter() - began
    row = SweepRun.objects.filter(name=sweep.name)
    attempts = row.values_list("failures", flat=True).get() + 1 if error else 0
    row.update(
        finished_at=now + timedelta(seconds=took),
        took_ms=round(took * 1000),
        found=found,
        last_error=error,
        failures=attempts,
        retry_at=now + failures.compute_pause(attempts, LONGEST_PAUSE) if error else None,
    )
    return True


def list_with_work(candidates: Iterable[Sweep], *, now: datetime, **more: Question) -> set[str]:
    """Return the names of the sweeps that have work, and of the additional questions that are true."""
    known = list(candidates)
    checks = {sweep.name: sweep.due for sweep in known if sweep.due}
    return {sweep.name for sweep in known if not sweep.due} | batched_exists.find_true(
        {**checks, **more}, now=now
    )


def _claim(sweep: Sweep, *, now: datetime) -> bool:
    if _take_turn(sweep, now=now):
        return True
    if SweepRun.objects.filter(name=sweep.name).exists():
        return False
    # First run: insert a row that is due at once; any process may take it.
    SweepRun.objects.bulk_create(
        [SweepRun(name=sweep.name, claimed_at=now - sweep.every)], ignore_conflicts=True
    )
    return _take_turn(sweep, now=now)


def _take_turn(sweep: Sweep, *, now: datetime) -> bool:
    # Beat is not exact, so a sweep may run a fifth of its period early. A claim in the future means that the
    # clock was set back.
    is_due = Q(claimed_at__lte=now - sweep.every * 0.8) | Q(claimed_at__gt=now + sweep.overdue_after)
    is_resting = Q(retry_at__gt=now, retry_at__lte=now + LONGEST_PAUSE)
    return bool(SweepRun.objects.filter(is_due, ~is_resting, name=sweep.name).update(claimed_at=now))


def list_overdue(*, now: datetime, among: Sequence[Sweep] | None = None) -> list[Sweep]:
    """Return the overdue sweeps, using one statement."""
    sweeps_among = list_sweeps() if among is None else among
    claims = {
        f"claimed {sweep.name}": _build_claim_question(sweep.name, sweep.overdue_after)
        for sweep in sweeps_among
    }
    found = list_with_work(sweeps_among, now=now - PATIENCE, **claims)
    return [sweep for sweep in sweeps_among if sweep.name in found and f"claimed {sweep.name}" not in found]


def list_late(*, now: datetime) -> list[Sweep]:
    """Return the sweeps that are overdue even though web processes should have run them."""
    return list_overdue(now=now - PATIENCE)


def count_failures() -> list[tuple[str, int]]:
    """Return (name, failures) of failing sweeps: consecutive failures plus those of their subjects."""
    found = Counter(dict(SweepRun.objects.filter(failures__gt=0).values_list("name", "failures")))
    for name, attempts in (
        Failure.objects.values_list("sweep").annotate(n=Sum("attempts")).values_list("sweep", "n")
    ):
        found[name] += attempts
    return sorted(found.items())


@lru_cache
def _build_claim_question(name: str, patience: timedelta) -> Question:
    def question(at: Any) -> Iterator[QuerySet[SweepRun]]:
        # A failed sweep is not overdue before its next retry.
        is_recent = Q(claimed_at__gte=at + PATIENCE - patience) | Q(retry_at__gte=at + PATIENCE)
        yield SweepRun.objects.filter(is_recent, name=name)

    return question


class Ticker(threading.Thread):
    """A thread that calls *tick* every second until stopped, even after errors."""

    def __init__(self, name: str, tick: Callable[[datetime], object], every: float = 1.0) -> None:
        super().__init__(name=name, daemon=True)
        self._tick = tick
        self._every = every
        self._stop_asked = threading.Event()

    def run(self) -> None:
        pause = 0.0
        while not self._stop_asked.wait(pause):
            pause = self._every
            try:
                close_old_connections()
                self._tick(timezone.now())
            except Exception:
                log.exception("ticker.failed", ticker=self.name)
            close_old_connections()
        connections.close_all()

    def stop(self) -> None:
        self._stop_asked.set()
        if self.is_alive():
            self.join(timeout=2)


class PollSchedule:
    """The times at which a process last polled for each sweep: each is polled at most once a period."""

    def __init__(self) -> None:
        self._asked_at: dict[str, datetime] = {}

    def take(self, now: datetime) -> list[Sweep]:
        """Return the sweeps whose period is over and record *now* for them; all if the clock was set back."""
        found = [sweep for sweep in list_sweeps() if not self._is_recent(sweep, now)]
        self._asked_at |= {sweep.name: now for sweep in found}
        return found

    def _is_recent(self, sweep: Sweep, now: datetime) -> bool:
        before = self._asked_at.get(sweep.name)
        # Ticks are not exact; the tolerance makes one-second sweeps run at each tick.
        return before is not None and timedelta() <= now - before < sweep.every * 0.8


class OverdueSweepRunner:
    """The runner of overdue sweeps, in every web process and worker.

    After an overdue sweep it polls for all, so that work goes on while Redis is away. The claim prevents
    double runs.
    """

    def __init__(self) -> None:
        self._turns = PollSchedule()
        self._until: datetime | None = None

    def tick(self, now: datetime) -> None:
        """Run the overdue sweeps, and while polling also those that have work."""
        due = self._turns.take(now)
        for sweep in list_overdue(now=now, among=due):
            # False if another process has run it, or if it waits for a thread (runtime.work.jobs).
            if run(sweep.name, now=timezone.now()):
                log.info("sweep.forgotten", sweep=sweep.name)
                # A sweep without a question is also overdue after any longer downtime.
                if sweep.due:
                    self._until = now + STAND_IN
        if self._until is not None and now < self._until:
            for name in sorted(list_with_work(due, now=now)):
                run(name, now=timezone.now())
