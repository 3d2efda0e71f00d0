"""Sweeps: they find what is due and do it, even when a message was lost.

A sweep looks for what is due and does it, bounded, and may run in two places at once. It says by a question
whether it has anything to do; one statement a second asks all of them (`runtime.work.poller`), and only those that have are
sent to a worker, claimed and written down. A thread of every web process and worker runs those that were forgotten.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import close_old_connections, connections
from django.db.models import Q, Sum
from django.utils import timezone

from runtime import batched_exists, transactions
from runtime.models import Failure, Queue, SweepRun
from runtime.work import background, failures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from runtime.batched_exists import Question

log = structlog.get_logger(__name__)

# A sweep that is this late has been forgotten; the web process then runs it.
PATIENCE = timedelta(seconds=5)
# How often that is asked.
WATCH_SECONDS = 2.5
# After a forgotten sweep all are run from here for so long: Redis, beat or the workers are probably away.
STAND_IN: Final = timedelta(minutes=2)
# A sweep begins nothing more after so many seconds, so that others get its worker.
SLICE: Final = 3.0
# Short, because a sweep works for all of its subjects.
LONGEST_PAUSE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Something to look for, how often, and where."""

    name: str
    every: timedelta
    run: Callable[[datetime], int]
    queue: str
    # Whether something has been waiting for it since a time; without it, it runs at its pace.
    due: Question | None = None
    # Background work: see runtime.work.background.
    is_background: bool = False

    @property
    def overdue_after(self) -> timedelta:
        """How long it may rest before somebody else steps in."""
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
    """Have *run* called every so often with the time, if *due* has an answer; it returns how much it found.

    What *due* asks must be cheap: every process may ask it each second.
    """
    _sweeps[name] = Sweep(name, every, run, queue, due, is_background)


def registered() -> list[Sweep]:
    """Return every sweep, by name."""
    return [_sweeps[name] for name in sorted(_sweeps)]


def run(name: str, *, now: datetime) -> bool:
    """Run the sweep of that name unless somebody just did, or there is nothing to do; say whether it ran."""
    sweep = _sweeps[name]
    if not sweep.is_background:
        return _run(sweep, now=now)
    with background.THREADS.take(name) as is_free:
        return is_free and _run(sweep, now=now)


def _run(sweep: Sweep, *, now: datetime) -> bool:
    if not with_work([sweep], now=now) or not _claim(sweep, now=now):
        return False
    began = time.perf_counter()
    found, error = 0, ""
    try:
        # A sweep deals with its own errors and counts no attempts, so it has the longest time at once.
        with transactions.limited(sweep.name, attempt=transactions.LARGEST_FACTOR):
            found = sweep.run(now)
    except Exception as problem:
        error = failures.describe(problem)
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
        retry_at=now + failures.pause_after(attempts, LONGEST_PAUSE) if error else None,
    )
    return True


def with_work(candidates: Iterable[Sweep], *, now: datetime, **more: Question) -> set[str]:
    """Return the names of those that have something to do, and of those other questions that have an answer."""
    known = list(candidates)
    asked = {sweep.name: sweep.due for sweep in known if sweep.due}
    return {sweep.name for sweep in known if not sweep.due} | batched_exists.ask({**asked, **more}, now=now)


def _claim(sweep: Sweep, *, now: datetime) -> bool:
    if _take_turn(sweep, now=now):
        return True
    if SweepRun.objects.filter(name=sweep.name).exists():
        return False
    # The first time ever: a row that is due at once, for whoever takes it.
    SweepRun.objects.bulk_create(
        [SweepRun(name=sweep.name, claimed_at=now - sweep.every)], ignore_conflicts=True
    )
    return _take_turn(sweep, now=now)


def _take_turn(sweep: Sweep, *, now: datetime) -> bool:
    # Beat is not exact: a sweep may come a fifth of its period early. A claim from the future is
    # from a clock that has been put back.
    is_due = Q(claimed_at__lte=now - sweep.every * 0.8) | Q(claimed_at__gt=now + sweep.overdue_after)
    is_resting = Q(retry_at__gt=now, retry_at__lte=now + LONGEST_PAUSE)
    return bool(SweepRun.objects.filter(is_due, ~is_resting, name=sweep.name).update(claimed_at=now))


def forgotten(*, now: datetime, among: Sequence[Sweep] | None = None) -> list[Sweep]:
    """Return the sweeps that nobody runs though something has been waiting for too long; by one statement."""
    asked = registered() if among is None else among
    claims = {f"claimed {sweep.name}": _claims_of(sweep.name, sweep.overdue_after) for sweep in asked}
    found = with_work(asked, now=now - PATIENCE, **claims)
    return [sweep for sweep in asked if sweep.name in found and f"claimed {sweep.name}" not in found]


def late(*, now: datetime) -> list[Sweep]:
    """Return the sweeps that not even the web processes run."""
    return forgotten(now=now - PATIENCE)


def count_failures() -> list[tuple[str, int]]:
    """Return each sweep that fails, with its failures in a row and those of its subjects."""
    found = Counter(dict(SweepRun.objects.filter(failures__gt=0).values_list("name", "failures")))
    for name, attempts in (
        Failure.objects.values_list("sweep").annotate(n=Sum("attempts")).values_list("sweep", "n")
    ):
        found[name] += attempts
    return sorted(found.items())


@lru_cache
def _claims_of(name: str, patience: timedelta) -> Question:
    def question(at: Any) -> Iterator[QuerySet[SweepRun]]:
        # One that failed waits until its next try is due.
        is_recent = Q(claimed_at__gte=at + PATIENCE - patience) | Q(retry_at__gte=at + PATIENCE)
        yield SweepRun.objects.filter(is_recent, name=name)

    return question


class Ticker(threading.Thread):
    """A thread that does something once a second until it is stopped, whatever happens."""

    def __init__(self, name: str, tick: Callable[[datetime], object], every: float = 1.0) -> None:
        super().__init__(name=name, daemon=True)
        self._tick = tick
        self._every = every
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Tick until asked to stop."""
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
        """Ask the thread to end and wait for it briefly."""
        self._stop_asked.set()
        if self.is_alive():
            self.join(timeout=2)


class Turns:
    """When a process asked last for each sweep: no question is asked more often than its sweep may run."""

    def __init__(self) -> None:
        self._asked_at: dict[str, datetime] = {}

    def take(self, now: datetime) -> list[Sweep]:
        """Return the sweeps whose period is over, as asked now; a clock that was put back ends every one."""
        found = [sweep for sweep in registered() if not self._is_running(sweep, now)]
        self._asked_at |= {sweep.name: now for sweep in found}
        return found

    def _is_running(self, sweep: Sweep, now: datetime) -> bool:
        before = self._asked_at.get(sweep.name)
        # Ticks are not exact: what is asked each second is asked at each.
        return before is not None and timedelta() <= now - before < sweep.every * 0.8


class StandIn:
    """Runs what beat and the workers have forgotten, in every web process and worker.

    After a forgotten sweep it polls for all, so that work goes on while Redis is away; of two who try a sweep one runs it.
    """

    def __init__(self) -> None:
        self._turns = Turns()
        self._until: datetime | None = None

    def tick(self, now: datetime) -> None:
        """Run the forgotten sweeps, and while polling those that have something to do."""
        asked = self._turns.take(now)
        for sweep in forgotten(now=now, among=asked):
            # One that waits for a thread (runtime.work.background) is not forgotten.
            if run(sweep.name, now=timezone.now()):
                log.info("sweep.forgotten", sweep=sweep.name)
                self._until = now + STAND_IN
        if self._until is not None and now < self._until:
            for name in sorted(with_work(asked, now=now)):
                run(name, now=timezone.now())
