"""Counts of the readers of this process; changes are written to the database in batches, in a thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping

import structlog
from django.utils import timezone

from runtime import nodes
from runtime.stream import presence
from runtime.stream.threads import Threads

log = structlog.get_logger(__name__)

# Longer than a page takes to reload.
GRACE_SECONDS = 2.0
# Batching interval for the first readers of topics, which are written at once.
TICK_SECONDS = 0.1
# Interval for writing changed numbers and for retrying failed writes.
COUNT_SECONDS = 1.0
STAMP_SECONDS = 15.0
# After a longer pause of the process its rows may have been deleted.
LONGEST_PAUSE = nodes.DEAD_AFTER.total_seconds() / 2
LONGEST_FAREWELL = 2.0

# One thread, so that writes happen in order.
_thread = Threads(1, "presence")


class ReaderCounts:
    """The readers of each topic: the current numbers and the written ones."""

    def __init__(self) -> None:
        self._readers: dict[str, int] = {}
        self._written: dict[str, int] = {}
        self._left_at: dict[str, float] = {}

    @property
    def is_empty(self) -> bool:
        return not (self._readers or self._written)

    @property
    def written(self) -> dict[str, int]:
        return dict(self._written)

    def came(self, topic: str) -> bool:
        """Count a reader; True if it is the first of the topic."""
        self._readers[topic] = self._readers.get(topic, 0) + 1
        return self._readers[topic] == 1

    def left(self, topic: str, *, at: float) -> None:
        if topic not in self._readers:
            return
        self._readers[topic] -= 1
        if not self._readers[topic]:
            del self._readers[topic]
            self._left_at[topic] = at

    def due(self, *, at: float, with_numbers: bool) -> dict[str, int]:
        """Return the counts to write.

        These are new topics, topics without readers for `GRACE_SECONDS`, and if *with_numbers* other changes.
        """
        found = {}
        for topic in self._readers.keys() | self._written.keys():
            readers, written = self._readers.get(topic, 0), self._written.get(topic, 0)
            is_due = with_numbers if readers else at - self._left_at[topic] >= GRACE_SECONDS
            if readers != written and (is_due or not written):
                found[topic] = readers
        return found

    def note(self, counts: Mapping[str, int]) -> None:
        for topic, readers in counts.items():
            if readers:
                self._written[topic] = readers
            else:
                self._written.pop(topic, None)
                self._left_at.pop(topic, None)


class PresenceCounter:
    """The counts of a hub's readers, with a task in its event loop while there are any."""

    def __init__(self) -> None:
        self._tally = ReaderCounts()
        self._wake: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False

    def came(self, topic: str) -> None:
        if not presence.is_counted(topic):
            return
        is_first = self._tally.came(topic)
        if self._task is None or self._task.done():
            self._is_closing = False
            self._wake = asyncio.Event()
            self._task = asyncio.get_running_loop().create_task(self._run_loop(self._wake))
        elif is_first and self._wake is not None:
            self._wake.set()

    def left(self, topic: str) -> None:
        if presence.is_counted(topic):
            self._tally.left(topic, at=asyncio.get_running_loop().time())

    async def close(self) -> None:
        """Stop, and renew the rows once more: the readers are about to reconnect to another process."""
        self._is_closing = True
        if self._task is not None and self._wake is not None:
            self._wake.set()
            await asyncio.wait([self._task], timeout=LONGEST_FAREWELL)
        if written := self._tally.written:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._write_counts(presence.renew_counts, written), LONGEST_FAREWELL)
        self._tally = ReaderCounts()

    async def _run_loop(self, wake: asyncio.Event) -> None:
        clock = asyncio.get_running_loop().time
        looked_at = counted_at = stamped_at = clock()
        while not (self._tally.is_empty or self._is_closing):
            wake.clear()
            at = clock()
            is_stale = at - stamped_at >= STAMP_SECONDS or at - looked_at >= LONGEST_PAUSE
            looked_at = at
            if is_stale and await self._write_counts(presence.renew_counts, self._tally.written):
                stamped_at = at
            is_second = at - counted_at >= COUNT_SECONDS
            if is_second:
                counted_at = at
            due = self._tally.due(at=at, with_numbers=is_second)
            if due and await self._write_counts(presence.write_counts, due):
                self._tally.note(due)
            await asyncio.sleep(TICK_SECONDS)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), COUNT_SECONDS)

    @staticmethod
    async def _write_counts(write: Callable[..., None], counts: Mapping[str, int]) -> bool:
        try:
            await _thread.run(write, counts, now=timezone.now())  # noqa: TID251 - there is no request that could pass it
        except Exception as error:  # noqa: BLE001 - a database that is away comes back
            log.warning("presence.not_written", error=f"{type(error).__name__}: {error}")
            return False
        return True
