"""Sweeps: what makes it true when a message was lost.

A sweep looks for what is due and does it, bounded, and may run in two places at once. Celery beat
sends each at its pace; a thread of every web process runs those that beat has forgotten.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from django.db import close_old_connections, connections
from django.db.models import Q
from django.utils import timezone

from runtime.models import Queue, SweepRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

log = structlog.get_logger(__name__)

# A sweep that is this late has been forgotten; the web process then runs it.
PATIENCE = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Something to look for, how often, and where."""

    name: str
    every: timedelta
    run: Callable[[datetime], int]
    queue: str

    @property
    def overdue_after(self) -> timedelta:
        """How long it may rest before somebody else steps in."""
        return max(PATIENCE, 3 * self.every)


_sweeps: dict[str, Sweep] = {}


def register(name: str, every: timedelta, run: Callable[[datetime], int], queue: str = Queue.DEFAULT) -> None:
    """Have *run* called every so often with the time; it returns how much it found."""
    _sweeps[name] = Sweep(name, every, run, queue)


def registered() -> list[Sweep]:
    """Return every sweep, by name."""
    return [_sweeps[name] for name in sorted(_sweeps)]


def run(name: str, *, now: datetime) -> bool:
    """Run the sweep of that name unless somebody just did; say whether it ran."""
    sweep = _sweeps[name]
    if not _claim(sweep, now=now):
        return False
    began = time.perf_counter()
    found, error = 0, ""
    try:
        found = sweep.run(now)
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"[:2000]
        log.exception("sweep.failed", sweep=name)
    took = time.perf_counter() - began
    SweepRun.objects.filter(name=name).update(
        finished_at=now + timedelta(seconds=took), took_ms=round(took * 1000), found=found, last_error=error
    )
    return True


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
    return bool(SweepRun.objects.filter(is_due, name=sweep.name).update(claimed_at=now))


def forgotten(*, now: datetime) -> list[Sweep]:
    """Return the sweeps that nobody has run for too long."""
    claimed = dict(SweepRun.objects.values_list("name", "claimed_at"))
    return [s for s in registered() if s.name not in claimed or claimed[s.name] < now - s.overdue_after]


class Ticker(threading.Thread):
    """A thread that does something once a second until it is stopped, whatever happens."""

    def __init__(self, name: str, tick: Callable[[datetime], object], every: float = 1.0) -> None:
        super().__init__(name=name, daemon=True)
        self._tick = tick
        self._every = every
        self._stop_asked = threading.Event()

    def run(self) -> None:
        """Tick until asked to stop."""
        while not self._stop_asked.wait(self._every):
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


def watch(now: datetime) -> None:
    """Run what beat and the workers have forgotten (the web process's ticker calls this)."""
    for sweep in forgotten(now=now):
        log.info("sweep.forgotten", sweep=sweep.name)
        run(sweep.name, now=timezone.now())
