"""The poll of the database each second: which sweeps have work, and are fast heartbeats needed?"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from runtime import nodes
from runtime.nodes import Heartbeat
from runtime.work import jobs, sweeps
from runtime.work.sweeps import Sweep, Ticker

HURRY: Final = "hurry"


class Poller:
    """The poll of a process: it sends heartbeats and, with *send*, starts sweeps that have work."""

    def __init__(self, heart: Heartbeat, *, send: Callable[[Sweep], object] | None = None) -> None:
        self._heart = heart
        self._send = send
        self._turns = sweeps.PollSchedule()

    def tick(self, now: datetime) -> None:
        """Poll, beat if it is due, and start sweeps; called each second."""
        sweeps_due = self._turns.take(now) if self._send else []
        found = sweeps.list_with_work(sweeps_due, now=now, **{HURRY: nodes.query_running_clocks})
        self._heart.tick(now, is_hurried=HURRY in found)
        for sweep in sweeps_due:
            if self._send and sweep.name in found:
                self._send(sweep)


_tickers: Final[list[Ticker]] = []


def start_tickers(
    role: str, *, send: Callable[[Sweep], object] | None = None, is_alone: bool = False
) -> None:
    """Start the thread that polls for a process of this role, and one that runs overdue sweeps, except in beat."""
    _tickers.append(Ticker("poller", Poller(nodes.Heartbeat(role, is_alone=is_alone), send=send).tick))
    if role != "beat":
        _tickers.append(Ticker("watch", sweeps.OverdueSweepRunner().tick, every=sweeps.WATCH_SECONDS))
    for ticker in _tickers:
        ticker.start()


def stop_tickers() -> None:
    for ticker in _tickers:
        ticker.stop()


_turns: Final = sweeps.PollSchedule()


def queue_due_sweeps(*, now: datetime) -> None:
    """Queue the sweeps that have work. A Celery worker does this each second, scheduled by beat."""
    due = _turns.take(now)
    found = sweeps.list_with_work(due, now=now)
    for sweep in due:
        if sweep.name in found:
            queue_sweep(sweep)


def queue_sweep(sweep: Sweep) -> None:
    """Queue *sweep*. It expires soon, since the next run finds the same rows."""
    expires = max(5.0, 2 * sweep.every.total_seconds())
    jobs.queue_task("runtime.sweep", sweeps.run, queue=sweep.queue, expires=expires, name=sweep.name)
