"""The hub: recent events and open streams of each topic, in one event loop.

There is no queue for each reader: readers are woken and read new events from the topic's ring buffer, so that
a slow reader takes no memory. One that falls behind the ring reads from the database, and one that falls
further behind has to reload ("resync").
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from runtime.stream import events
from runtime.stream.events import MOST_AT_ONCE, Event
from runtime.stream.guard import Guard, Reader
from runtime.stream.presence_counter import PresenceCounter
from runtime.stream.threads import Threads

RING = 256
# Fewer than the connections of a process (config/front/limits.py), to leave room for pages.
MOST_STREAMS = 7_000


class TopicState:
    """A topic with at least one reader: its recent events and its readers."""

    __slots__ = ("head", "heard", "is_refilling", "readers", "ring")

    def __init__(self, head: int) -> None:
        self.head = head
        # The highest number announced; above the head while events are missing.
        self.heard = head
        self.ring: deque[Event] = deque(maxlen=RING)
        self.readers: set[Reader] = set()
        self.is_refilling = False

    def after(self, seq: int) -> list[Event] | None:
        """Return the events after *seq*, or None if they are not all in the ring."""
        missing = self.head - seq
        if missing <= 0:
            return []
        if missing > len(self.ring):
            return None
        return [self.ring[i] for i in range(len(self.ring) - missing, len(self.ring))]

    def append(self, event: Event) -> None:
        self.ring.append(event)
        self.head = event.seq
        for reader in self.readers:
            reader.wake.set()


class Hub:
    """All topics with readers in this process."""

    def __init__(self) -> None:
        self._topics: dict[str, TopicState] = {}
        self._readers: set[Reader] = set()
        self._joining: set[Reader] = set()
        self._being_admitted: set[Reader] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.presence = PresenceCounter()
        self.guard = Guard()
        self.is_closing = False

    @property
    def open_streams(self) -> int:
        return len(self._readers)

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.is_closing = False

    def close(self) -> None:
        """End all streams; the clients reconnect."""
        self.is_closing = True
        for reader in self._readers:
            reader.wake.set()

    def call_soon(self, call: Callable[..., None], *args: Any) -> None:
        """Call a method in the event loop, from any thread or signal handler; without a running loop, do nothing."""
        if self._loop is not None:
            # The loop may be closed in between.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(call, *args)

    def post(self, event: Event) -> None:
        """Take an event.

        A repeated event is ignored. If events before it are missing, they are read from the source.
        """
        for reader in self._joining:
            if event.topic in reader.heard:
                reader.heard[event.topic] = max(reader.heard[event.topic], event.seq)
        state = self._topics.get(event.topic)
        if state is None or event.seq <= state.head:
            return
        state.heard = max(state.heard, event.seq)
        if event.seq == state.head + 1:
            state.append(event)
        else:
            self._schedule_refill(event.topic)

    async def admit(self, reader: Reader) -> bool:
        """Check the rights of *reader* and add it; False if it is refused."""
        # Rights may change before the reader has joined, so re-checks include these readers.
        self._being_admitted.add(reader)
        try:
            if not await self.guard.admits(reader):
                return False
            await self.join(reader)
        finally:
            self._being_admitted.discard(reader)
        return True

    def ask_again(self, names: Iterable[str]) -> None:
        """Check the rights of the streams of these people, bearers and topics again."""
        wanted = set(names)
        self.guard.doubt(each for each in self._readers | self._being_admitted if each.is_meant_by(wanted))

    def ask_about_all(self) -> None:
        """Check the rights of all streams again, for changes whose message was lost."""
        self.guard.doubt(self._readers | self._being_admitted)

    async def join(self, reader: Reader) -> None:
        """Subscribe *reader* to its topics, starting at its cursors."""
        found: dict[str, int] = {}
        self._joining.add(reader)
        try:
            while unknown := self._list_unknown_heads(reader, found):
                found |= await _threads.run(events.load_heads, unknown)
        finally:
            self._joining.discard(reader)
        self._readers.add(reader)
        for topic, cursor in reader.cursors.items():
            if topic in found and cursor > found[topic]:
                reader.lost.add(topic)
            if topic not in self._topics:
                self._topics[topic] = TopicState(found[topic])
            state = self._topics[topic]
            state.readers.add(reader)
            self.presence.came(topic)
            # Written after the head was read and announced before the reader was added.
            if reader.heard[topic] > state.head:
                state.heard = max(state.heard, reader.heard[topic])
                self._schedule_refill(topic)
        reader.wake.set()

    def _list_unknown_heads(self, reader: Reader, found: dict[str, int]) -> list[str]:
        """Return the topics whose head must be read: new ones, and those where the reader is ahead."""
        return [
            topic
            for topic, cursor in reader.cursors.items()
            if topic not in found and (topic not in self._topics or self._topics[topic].head < cursor)
        ]

    def leave(self, reader: Reader) -> None:
        self._readers.discard(reader)
        for topic in reader.cursors:
            state = self._topics.get(topic)
            if state is not None:
                state.readers.discard(reader)
                if not state.readers:
                    del self._topics[topic]
            # Clients reconnect after a shutdown, so they are still present.
            if not self.is_closing:
                self.presence.left(topic)

    async def take(self, reader: Reader) -> tuple[list[Event], list[str]]:
        """Return the reader's new events and the topics it must reload; advance its cursors."""
        news: list[Event] = []
        lost: list[str] = []
        for topic, cursor in reader.cursors.items():
            state = self._topics[topic]
            if topic in reader.lost:
                missed = None
            elif (missed := state.after(cursor)) is None:
                missed = await self._load_from_source(topic, cursor, state.head)
            if missed is None:
                lost.append(topic)
                reader.lost.discard(topic)
                reader.cursors[topic] = state.head
            elif missed:
                news += filter(reader.wants, missed)
                reader.cursors[topic] = missed[-1].seq
        return news, lost

    async def _load_from_source(self, topic: str, cursor: int, head: int) -> list[Event] | None:
        if head - cursor > MOST_AT_ONCE:
            return None
        events_found = await _threads.run(events.find_source(topic).since, topic, cursor, MOST_AT_ONCE)
        return events_found if _is_next(events_found, cursor) else None

    async def look(self) -> None:
        """Compare all topics with their sources, to find events whose message was lost."""
        topics = list(self._topics)
        if not topics:
            return
        found = await _threads.run(events.load_heads, topics)
        for topic, head in found.items():
            state = self._topics.get(topic)
            if state is not None and head != state.head:
                self._schedule_refill(topic)

    def _schedule_refill(self, topic: str) -> None:
        state = self._topics[topic]
        if not state.is_refilling:
            state.is_refilling = True
            task = asyncio.get_running_loop().create_task(self._refill(topic))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _refill(self, topic: str) -> None:
        # Two concurrent commits are announced within milliseconds of each other, in either order.
        await asyncio.sleep(0.01)
        state = self._topics.get(topic)
        if state is None:
            return
        heard = state.heard
        try:
            await self._load_missing(topic, state)
        finally:
            state.is_refilling = False
        # Announced during the query and not in its result.
        if state.heard > max(heard, state.head) and self._topics.get(topic) is state:
            self._schedule_refill(topic)

    async def _load_missing(self, topic: str, state: TopicState) -> None:
        before = state.head
        head = (await _threads.run(events.load_heads, [topic]))[topic]
        if head < before:  # the database was restored to an earlier state
            self._reset_topic(topic, state, head)
            return
        stored = await _threads.run(events.find_source(topic).since, topic, state.head, MOST_AT_ONCE)
        stored = [event for event in stored if event.seq > state.head]
        if stored and _is_next(stored, state.head):
            for event in stored:
                state.append(event)
        elif head > state.head:
            self._reset_topic(topic, state, head)

    @staticmethod
    def _reset_topic(topic: str, state: TopicState, head: int) -> None:
        state.ring.clear()
        state.head = state.heard = head
        for reader in state.readers:
            reader.lost.add(topic)
            reader.wake.set()


def _is_next(stored: list[Event], seq: int) -> bool:
    return bool(stored) and stored[0].seq == seq + 1


_threads = Threads(2, "hub")
HUB = Hub()
