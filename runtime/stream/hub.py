"""The hub: what each topic last said, and who is listening, in one event loop.

Readers are not sent anything: they are woken and take from the topic's ring what they have not had.
A slow reader therefore costs no memory. One that falls behind the ring reads the database, and one
that falls behind that is told to start afresh.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any

from runtime.stream import events
from runtime.stream.events import MOST_AT_ONCE, Event
from runtime.stream.guard import Guard
from runtime.stream.presence_counter import PresenceCounter
from runtime.stream.threads import Threads
from runtime.tally import COUNTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from runtime.stream.reader import Reader

RING = 256
# Fewer than a process has connections (config/front/limits.py): pages come in beside them.
MOST_STREAMS = 7_000


class TopicState:
    """One topic while somebody listens: its recent events and its readers."""

    __slots__ = ("head", "heard", "is_refilling", "readers", "ring")

    def __init__(self, head: int) -> None:
        self.head = head
        # The highest number anyone spoke of; above the head while there is a gap.
        self.heard = head
        self.ring: deque[Event] = deque(maxlen=RING)
        self.readers: set[Reader] = set()
        self.is_refilling = False

    def after(self, seq: int) -> list[Event] | None:
        """Return the events after *seq*, or None if the ring does not reach back that far."""
        missing = self.head - seq
        if missing <= 0:
            return []
        if missing > len(self.ring):
            return None
        return [self.ring[i] for i in range(len(self.ring) - missing, len(self.ring))]

    def append(self, event: Event) -> None:
        """Take the next event."""
        self.ring.append(event)
        self.head = event.seq
        for reader in self.readers:
            reader.wake.set()


class Hub:
    """The topics that somebody listens to."""

    def __init__(self, *, tell: Callable[[int], None] = lambda _open: None) -> None:
        # Told how many streams are open, whenever that changes.
        self._tell = tell
        self._topics: dict[str, TopicState] = {}
        self._readers: set[Reader] = set()
        self._joining: set[Reader] = set()
        self._being_admitted: set[Reader] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked_for: set[str] = set()
        self.presence = PresenceCounter()
        self.guard = Guard()
        self.is_closing = False

    @property
    def open_streams(self) -> int:
        """How many read at this moment."""
        return len(self._readers)

    def start(self) -> None:
        """Bind to the running loop."""
        self._loop = asyncio.get_running_loop()
        self.is_closing = False

    def close(self) -> None:
        """End every stream politely."""
        self.is_closing = True
        for reader in self._readers:
            reader.wake.set()

    def close_from_anywhere(self) -> None:
        """End every stream politely, from any thread or signal handler."""
        self._call_soon(self.close)

    def post_from_anywhere(self, event: Event) -> None:
        """Take an event from any thread; without a running loop nobody listens."""
        self._call_soon(self.post, event)

    def look_at_from_anywhere(self, topics: Iterable[str]) -> None:
        """Compare these topics with their sources soon, for whoever knows that they have grown."""
        self._call_soon(self.look_at, tuple(topics))

    def _call_soon(self, call: Callable[..., None], *args: Any) -> None:
        if self._loop is not None:
            # The loop may close at this very moment: then there is nobody to tell.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(call, *args)

    def post(self, event: Event) -> None:
        """Take an event; out of order or repeated ones are put right."""
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
            self._refill_soon(event.topic)

    async def admit(self, reader: Reader) -> bool:
        """Let *reader* in if it may read its topics; say whether it may."""
        # Rights may change between the answer and the first word: whoever waits here is asked about again too.
        self._being_admitted.add(reader)
        try:
            if not await self.guard.admits(reader):
                return False
            await self.join(reader)
        finally:
            self._being_admitted.discard(reader)
        return True

    def ask_again_from_anywhere(self, names: Iterable[str]) -> None:
        """Ask again about the streams of these people, bearers and topics, from any thread."""
        self._call_soon(self.ask_again, tuple(names))

    def ask_again(self, names: Iterable[str]) -> None:
        """Ask again about the streams of these people, bearers and topics."""
        wanted = set(names)
        self.guard.doubt(each for each in self._readers | self._being_admitted if each.is_meant_by(wanted))

    def ask_about_all(self) -> None:
        """Ask again about every stream: what no message told is found here."""
        self.guard.doubt(self._readers | self._being_admitted)

    async def join(self, reader: Reader) -> None:
        """Let *reader* hear its topics from where its cursors stand."""
        found: dict[str, int] = {}
        self._joining.add(reader)
        try:
            while asked := self._to_ask(reader, found):
                found |= await _threads.run(events.heads, asked)
        finally:
            self._joining.discard(reader)
        self._readers.add(reader)
        self._tell(len(self._readers))
        for topic, cursor in reader.cursors.items():
            if topic in found and cursor > found[topic]:
                reader.lost.add(topic)
            if topic not in self._topics:
                self._topics[topic] = TopicState(found[topic])
            state = self._topics[topic]
            state.readers.add(reader)
            self.presence.came(topic)
            # Written after we asked for the head and spoken of before we stood here.
            if reader.heard[topic] > state.head:
                state.heard = max(state.heard, reader.heard[topic])
                self._refill_soon(topic)
        reader.wake.set()

    def _to_ask(self, reader: Reader, found: dict[str, int]) -> list[str]:
        """Return the topics whose head must be read, again where the reader has seen more than we have."""
        return [
            topic
            for topic, cursor in reader.cursors.items()
            if topic not in found and (topic not in self._topics or self._topics[topic].head < cursor)
        ]

    def leave(self, reader: Reader) -> None:
        """Forget *reader*, and the topics that nobody else listens to."""
        self._readers.discard(reader)
        self._tell(len(self._readers))
        for topic in reader.cursors:
            state = self._topics.get(topic)
            if state is not None:
                state.readers.discard(reader)
                if not state.readers:
                    del self._topics[topic]
            # Whom we send home comes back, to us or to another process.
            if not self.is_closing:
                self.presence.left(topic)

    async def take(self, reader: Reader) -> tuple[list[Event], list[str]]:
        """Return what *reader* has not had, and the topics it must start afresh; move its cursors."""
        news: list[Event] = []
        lost: list[str] = []
        for topic, cursor in reader.cursors.items():
            state = self._topics[topic]
            if topic in reader.lost:
                missed = None
            elif (missed := state.after(cursor)) is None:
                missed = await self._from_source(topic, cursor, state.head)
            if missed is None:
                lost.append(topic)
                reader.lost.discard(topic)
                reader.cursors[topic] = state.head
            elif missed:
                news += filter(reader.wants, missed)
                reader.cursors[topic] = missed[-1].seq
        return news, lost

    async def _from_source(self, topic: str, cursor: int, head: int) -> list[Event] | None:
        if head - cursor > MOST_AT_ONCE:
            return None
        kept = await _threads.run(events.source_of(topic).since, topic, cursor, MOST_AT_ONCE)
        return kept if _is_next(kept, cursor) else None

    async def look(self) -> None:
        """Compare every topic with its source: what no message told is found here."""
        await self._compare(list(self._topics))

    def look_at(self, topics: Iterable[str]) -> None:
        """Compare some topics with their sources in a moment; who asks meanwhile shares the question."""
        listened_to = [topic for topic in topics if topic in self._topics]
        if not listened_to:
            return
        if not self._asked_for:
            self._do_soon(self._look_at_asked())
        self._asked_for.update(listened_to)

    async def _look_at_asked(self) -> None:
        await asyncio.sleep(0.02)
        topics, self._asked_for = list(self._asked_for), set()
        await self._compare(topics)

    async def _compare(self, topics: list[str]) -> None:
        if not topics:
            return
        found = await _threads.run(events.heads, topics)
        for topic, head in found.items():
            state = self._topics.get(topic)
            if state is not None and head != state.head:
                self._refill_soon(topic)

    def _refill_soon(self, topic: str) -> None:
        state = self._topics[topic]
        if not state.is_refilling:
            state.is_refilling = True
            self._do_soon(self._refill(topic))

    def _do_soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _refill(self, topic: str) -> None:
        # Two commits that cross are told within milliseconds of each other, in either order.
        await asyncio.sleep(0.01)
        state = self._topics.get(topic)
        if state is None:
            return
        heard = state.heard
        try:
            await self._fill(topic, state)
        finally:
            state.is_refilling = False
        # Spoken of while we asked, and not in the answer.
        if state.heard > max(heard, state.head) and self._topics.get(topic) is state:
            self._refill_soon(topic)

    async def _fill(self, topic: str, state: TopicState) -> None:
        before = state.head
        head = (await _threads.run(events.heads, [topic]))[topic]
        if head < before:  # the database was restored to an earlier state
            self._restart(topic, state, head)
            return
        kept = await _threads.run(events.source_of(topic).since, topic, state.head, MOST_AT_ONCE)
        kept = [event for event in kept if event.seq > state.head]
        if kept and _is_next(kept, state.head):
            for event in kept:
                state.append(event)
        elif head > state.head:
            self._restart(topic, state, head)

    @staticmethod
    def _restart(topic: str, state: TopicState, head: int) -> None:
        state.ring.clear()
        state.head = state.heard = head
        for reader in state.readers:
            reader.lost.add(topic)
            reader.wake.set()


def _is_next(kept: list[Event], seq: int) -> bool:
    return bool(kept) and kept[0].seq == seq + 1


_threads = Threads(2, "hub")
HUB = Hub(tell=COUNTERS.set_streams)
