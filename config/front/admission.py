"""A limit on how many requests run at once; the rest wait in a queue.

Threads that compute at the same time compete for the interpreter lock; pages are quicker if only one or two
run. When a request has to wait for SQLite, the next one may start. Other waits are not noticed: a request
that still runs after a moment is probably waiting for I/O (PostgreSQL, disk, slow client). Acts start before
pages.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from runtime import transactions

T = TypeVar("T")

# Measured by bench/pages.py: one leaves the interpreter idle during queries, three compete for it.
AT_ONCE = 2
MOMENT_SECONDS = 0.05
# With SQLite nothing waits for a query. The waits that matter are noticed, so that a moment need only exceed the
# computing time of most pages.
SQLITE_AT_ONCE = 1
SQLITE_MOMENT_SECONDS = 0.15
# A page is ordered as if it had been requested so many seconds later.
PAGE_PATIENCE = 0.25


@dataclass(slots=True)
class _Turn:
    is_quick: bool = True


class Admission:
    """A thread pool that starts only a few calls at once."""

    def __init__(self, threads: int, *, at_once: int | None = None, moment: float | None = None) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._threads = threads
        self._at_once = AT_ONCE if at_once is None else at_once
        self._moment = MOMENT_SECONDS if moment is None else moment
        self._quick = 0
        self._busy = 0
        self._numbers = itertools.count()
        # The time by which each is ordered, a number to keep the order of equal times, and what starts it.
        self._line: list[tuple[float, int, asyncio.Future[None]]] = []

    @property
    def inside(self) -> int:
        """Number of running and queued requests."""
        return self._busy + len(self._line)

    async def run(self, call: Callable[[], T], *, patience: float = 0.0) -> T:
        """Run *call* in a thread when it is its turn, as if it had come *patience* seconds later; return its result."""
        loop = asyncio.get_running_loop()
        if self._has_room:
            self._admit()
        else:
            await self._wait_in_queue(loop, loop.time() + patience)
        turn = _Turn()
        timer = loop.call_later(self._moment, self._admit_waiting, turn)

        def notice_wait() -> None:
            loop.call_soon_threadsafe(self._admit_waiting, turn)

        def call_and_notice() -> T:
            with transactions.report_waits(notice_wait):
                return call()

        try:
            return await loop.run_in_executor(self._pool, call_and_notice)
        finally:
            timer.cancel()
            self._busy -= 1
            self._admit_waiting(turn)

    @property
    def _has_room(self) -> bool:
        return self._quick < self._at_once and self._busy < self._threads

    def _admit(self) -> None:
        self._quick += 1
        self._busy += 1

    async def _wait_in_queue(self, loop: asyncio.AbstractEventLoop, ordered_by: float) -> None:
        place = loop.create_future()
        heapq.heappush(self._line, (ordered_by, next(self._numbers), place))
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                # Cancelled just after its turn came: pass the turn on.
                self._busy -= 1
                self._admit_waiting(_Turn())
            raise

    def _admit_waiting(self, turn: _Turn) -> None:
        if turn.is_quick:
            turn.is_quick = False
            self._quick -= 1
        while self._line and self._has_room:
            _, _, place = heapq.heappop(self._line)
            if not place.done():
                self._admit()
                place.set_result(None)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
