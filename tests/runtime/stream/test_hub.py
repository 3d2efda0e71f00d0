"""The hub without a server: readers get each event once and in order, after any loss or delay."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from runtime.stream import events, hub, relay
from runtime.stream.events import MOST_AT_ONCE, Event
from runtime.stream.guard import Reader
from runtime.stream.hub import RING, Hub

# The threads that ask the sources tidy up their database connections as well.
pytestmark = pytest.mark.django_db

T = "fake.a"


class FakeSource:
    """A journal in memory that can be held up, cut and lose its end."""

    def __init__(self) -> None:
        self.kept: dict[str, list[Event]] = {}
        self.head: dict[str, int] = {}
        self.asked = 0
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.is_being_asked = threading.Event()
        self.holds = {"heads", "since"}

    def write(self, topic: str = T, *, count: int = 1) -> list[Event]:
        """Store the next events and return them; telling the hub is the test's own affair."""
        written = []
        for _ in range(count):
            seq = self.head.get(topic, 0) + 1
            self.head[topic] = seq
            event = Event(topic, seq, "n", {"n": seq})
            self.kept.setdefault(topic, []).append(event)
            written.append(event)
        return written

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        self.asked += 1
        found = {topic: self.head[topic] for topic in topics if topic in self.head}
        self._wait("heads")
        return found

    def since(self, topic: str, seq: int, limit: int) -> list[Event]:
        self.asked += 1
        found = [event for event in self.kept.get(topic, []) if event.seq > seq][:limit]
        self._wait("since")
        return found

    def _wait(self, question: str) -> None:
        """Answer late what was read early: as a database does whose thread waits for the interpreter."""
        if question not in self.holds:
            return
        self.is_being_asked.set()
        assert self.may_answer.wait(10)


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> FakeSource:
    fake = FakeSource()
    monkeypatch.setattr(events, "_sources", {"fake": fake})
    return fake


async def reading(the_hub: Hub, cursors: dict[str, int] | None = None) -> Reader:
    reader = Reader(cursors if cursors is not None else {T: 0})
    await the_hub.join(reader)
    return reader


async def taken(the_hub: Hub, reader: Reader) -> list[int]:
    news, lost = await the_hub.take(reader)
    assert not lost
    return [event.seq for event in news]


async def soon(condition: Callable[[], Awaitable[bool]], *, within: float = 2.0) -> None:
    async def wait() -> None:
        while not await condition():
            await asyncio.sleep(0.005)

    await asyncio.wait_for(wait(), within)


def in_loop(work: Callable[[Hub], Awaitable[None]]) -> None:
    async def run() -> None:
        the_hub = Hub()
        the_hub.start()
        await work(the_hub)

    asyncio.run(run())


def test_events_are_read_in_order_and_once(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        for event in source.write(count=3):
            the_hub.post(event)
        assert await taken(the_hub, reader) == [1, 2, 3]
        assert await taken(the_hub, reader) == []

    in_loop(work)


def test_a_repeated_event_is_read_once(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        first, second = source.write(count=2)
        asked = source.asked
        for event in (first, first, second, first, second):
            the_hub.post(event)
        assert await taken(the_hub, reader) == [1, 2]
        assert not the_hub._tasks
        assert source.asked == asked, "what is known needs no question"

    in_loop(work)


def test_crossed_events_are_put_in_order(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        first, second, third = source.write(count=3)
        for event in (third, first, second):
            the_hub.post(event)
        got: list[int] = []

        async def has_all() -> bool:
            got.extend(await taken(the_hub, reader))
            return got == [1, 2, 3]

        await soon(has_all)

    in_loop(work)


def test_a_gap_is_filled_from_the_source(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        *_, last = source.write(count=5)
        reader.wake.clear()
        the_hub.post(last)
        await asyncio.wait_for(reader.wake.wait(), 20)
        assert await taken(the_hub, reader) == [1, 2, 3, 4, 5]

    in_loop(work)


def test_an_event_that_comes_while_its_topic_is_being_joined_is_not_missed(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        source.write(count=2)
        source.may_answer.clear()
        joining = asyncio.ensure_future(reading(the_hub, {T: 2}))
        await asyncio.to_thread(source.is_being_asked.wait, 5)
        # Committed and announced after the head was read, before the hub has registered the reader.
        (third,) = source.write()
        the_hub.post(third)
        source.may_answer.set()
        reader = await joining

        async def has_it() -> bool:
            return await taken(the_hub, reader) == [3]

        await soon(has_it)

    in_loop(work)


def test_a_second_gap_while_the_first_is_being_filled_is_filled_too(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        _, second = source.write(count=2)
        source.holds = {"since"}
        source.may_answer.clear()
        source.is_being_asked.clear()
        the_hub.post(second)
        await asyncio.to_thread(source.is_being_asked.wait, 5)
        *_, fifth = source.write(count=3)
        the_hub.post(fifth)
        source.may_answer.set()
        got: list[int] = []

        async def has_all() -> bool:
            got.extend(await taken(the_hub, reader))
            return got == [1, 2, 3, 4, 5]

        await soon(has_all)

    in_loop(work)


def test_events_that_come_while_a_gap_is_being_filled_are_no_restored_database(source: FakeSource) -> None:
    """The head was read before the events were written: that is no error, and readers need no restart."""

    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        source.holds = {"heads"}
        source.may_answer.clear()
        source.is_being_asked.clear()
        the_hub._schedule_refill(T)
        await asyncio.to_thread(source.is_being_asked.wait, 5)
        for event in source.write(count=2):
            the_hub.post(event)
        source.may_answer.set()
        await asyncio.gather(*the_hub._tasks)
        assert await taken(the_hub, reader) == [1, 2]

    in_loop(work)


def test_an_event_of_a_number_that_nobody_wrote_is_asked_for_once(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        source.write(count=1)
        the_hub.post(Event(T, 1000, "n", {}))
        while the_hub._tasks:
            await asyncio.sleep(0.01)
        assert source.asked < 6
        assert await taken(the_hub, reader) == [1]

    in_loop(work)


def test_a_reader_behind_the_ring_reads_the_source(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        quick = await reading(the_hub)
        for event in source.write(count=RING + 10):
            the_hub.post(event)
        assert len(the_hub._topics[T].ring) == RING
        slow = await reading(the_hub, {T: RING + 10 - MOST_AT_ONCE})
        the_hub._topics[T].ring.clear()
        assert len(await taken(the_hub, slow)) == MOST_AT_ONCE
        the_hub.leave(quick)

    in_loop(work)


def test_a_reader_behind_everything_that_is_kept_starts_afresh_and_goes_on(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        for event in source.write(count=RING + 10):
            the_hub.post(event)
        reader = await reading(the_hub, {T: 0})
        assert await the_hub.take(reader) == ([], [T])
        assert reader.cursors == {T: RING + 10}
        (event,) = source.write()
        the_hub.post(event)
        assert await taken(the_hub, reader) == [RING + 11]

    in_loop(work)


def test_a_reader_whose_events_were_forgotten_starts_afresh(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        source.write(count=5)
        del source.kept[T][:3]
        lagging = await reading(the_hub, {T: 1})
        assert (await the_hub.take(lagging))[1] == [T]
        in_time = await reading(the_hub, {T: 3})
        assert await taken(the_hub, in_time) == [4, 5]

    in_loop(work)


def test_a_reader_ahead_of_the_head_starts_afresh(source: FakeSource) -> None:
    """As after a restore: the page has seen what the database has not."""

    async def work(the_hub: Hub) -> None:
        source.write(count=3)
        reader = await reading(the_hub, {T: 9})
        assert await the_hub.take(reader) == ([], [T])
        assert reader.cursors == {T: 3}
        (event,) = source.write()
        the_hub.post(event)
        assert await taken(the_hub, reader) == [4]

    in_loop(work)


def test_a_reader_that_is_ahead_of_a_late_hub_is_not_told_twice(source: FakeSource) -> None:
    """Its page was made by another process, whose message has not reached us yet."""

    async def work(the_hub: Hub) -> None:
        first = await reading(the_hub, {T: 0})
        written = source.write(count=3)
        ahead = await reading(the_hub, {T: 2})
        assert await taken(the_hub, ahead) == []
        for event in written:
            the_hub.post(event)
        assert await taken(the_hub, ahead) == [3]
        assert await taken(the_hub, first) == [1, 2, 3]

    in_loop(work)


def test_a_restored_database_makes_every_reader_start_afresh(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        for event in source.write(count=5):
            the_hub.post(event)
        await taken(the_hub, reader)
        source.head[T] = 2
        del source.kept[T][2:]
        reader.wake.clear()
        await the_hub.look()
        await asyncio.wait_for(reader.wake.wait(), 20)
        assert await the_hub.take(reader) == ([], [T])
        (third,) = source.write()
        the_hub.post(third)
        assert await taken(the_hub, reader) == [3]

    in_loop(work)


def test_what_no_message_told_is_found_by_looking(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        await taken(the_hub, reader)
        source.write(count=2)
        reader.wake.clear()
        await the_hub.look()
        await asyncio.wait_for(reader.wake.wait(), 20)
        assert await taken(the_hub, reader) == [1, 2]
        asked = source.asked
        await the_hub.look()
        assert source.asked == asked + 1, "where nothing is new one question is enough"

    in_loop(work)


def test_a_source_that_grows_with_time_is_found_by_looking_though_nobody_announces(
    source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Delayed events of an audience are already written; only the head of their topic moves."""
    monkeypatch.setattr(relay, "HUB", the_hub := Hub())
    monkeypatch.setattr(relay, "LOOK_SECONDS", 0.05)
    source.write(count=5)
    real: Any = source.heads
    visible = 2
    source.heads = lambda topics: {topic: min(visible, head) for topic, head in real(topics).items()}  # type: ignore[method-assign]
    source.since = lambda topic, seq, limit: source.kept[topic][seq:visible]  # type: ignore[method-assign]

    async def run() -> None:
        nonlocal visible
        feed = relay.Relay()
        feed.start()
        reader = await reading(the_hub, {T: 1})
        assert await taken(the_hub, reader) == [2]
        for grown in (3, 5):
            visible = grown
            reader.wake.clear()
            await asyncio.wait_for(reader.wake.wait(), 20)
        assert await taken(the_hub, reader) == [3, 4, 5]
        await feed.stop()

    asyncio.run(run())


def test_looking_over_a_thousand_topics_is_one_question_a_source(
    source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = FakeSource()
    monkeypatch.setattr(events, "_sources", {"fake": source, "other": other})

    async def work(the_hub: Hub) -> None:
        for number in range(0, 500, 10):
            await reading(
                the_hub,
                {f"{family}.{n}": 0 for family in ("fake", "other") for n in range(number, number + 10)},
            )
        asked = source.asked, other.asked
        await the_hub.look()
        assert (source.asked, other.asked) == (asked[0] + 1, asked[1] + 1)

    in_loop(work)


def test_nobody_looks_where_nobody_listens(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        await the_hub.look()
        reader = await reading(the_hub)
        the_hub.leave(reader)
        asked = source.asked
        await the_hub.look()
        assert source.asked == asked
        assert the_hub._topics == {}
        assert the_hub.open_streams == 0
        for event in source.write(count=2):
            the_hub.post(event)
        assert the_hub._topics == {}

    in_loop(work)


def test_a_slow_reader_costs_no_memory(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        slow = await reading(the_hub)
        for event in source.write(count=5000):
            the_hub.post(event)
        assert len(the_hub._topics[T].ring) == RING
        held = [getattr(slow, name) for name in Reader.__slots__]
        assert not any(isinstance(each, list | tuple) for each in held)
        assert (await the_hub.take(slow))[1] == [T]

    in_loop(work)


def test_each_reader_has_its_own_pace_and_topics(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        one = await reading(the_hub, {"fake.a": 0, "fake.b": 0})
        other = await reading(the_hub, {"fake.b": 0})
        for event in (*source.write("fake.a"), *source.write("fake.b", count=2)):
            the_hub.post(event)
        assert await taken(the_hub, other) == [1, 2]
        assert sorted(await taken(the_hub, one)) == [1, 1, 2]
        the_hub.leave(other)
        assert set(the_hub._topics) == {"fake.a", "fake.b"}
        the_hub.leave(one)
        assert the_hub._topics == {}

    in_loop(work)


def test_closing_wakes_every_reader(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        readers = [await reading(the_hub) for _ in range(3)]
        for reader in readers:
            reader.wake.clear()
        await asyncio.to_thread(the_hub.call_soon, the_hub.close)
        for reader in readers:
            await asyncio.wait_for(reader.wake.wait(), 20)
        assert the_hub.is_closing

    in_loop(work)


def test_an_event_may_come_from_any_thread_even_after_the_end(source: FakeSource) -> None:
    hubs = []

    async def work(the_hub: Hub) -> None:
        hubs.append(the_hub)
        reader = await reading(the_hub)
        reader.wake.clear()
        await asyncio.to_thread(the_hub.call_soon, the_hub.post, source.write()[0])
        await asyncio.wait_for(reader.wake.wait(), 20)
        assert await taken(the_hub, reader) == [1]

    in_loop(work)
    hubs[0].call_soon(hubs[0].post, source.write()[0])
    hubs[0].call_soon(hubs[0].close)
    (without_loop := Hub()).call_soon(without_loop.post, source.write()[0])


class Weather:
    """Drops, doubles, delays and crossings at random, readers that come and go with their last number."""

    def __init__(self, the_hub: Hub, source: FakeSource, rng: random.Random) -> None:
        self.hub = the_hub
        self.source = source
        self.rng = rng
        self.readers: list[tuple[Reader, list[int]]] = []
        self.on_the_way: list[Event] = []

    async def write(self) -> None:
        for event in self.source.write(count=self.rng.choice((1, 1, 3))):
            self.on_the_way += [event] * self.rng.choice((0, 1, 1, 1, 2))

    async def arrive(self) -> None:
        if self.on_the_way:
            self.hub.post(self.on_the_way.pop(self.rng.randrange(min(4, len(self.on_the_way)))))

    async def take(self) -> None:
        reader, got = self.rng.choice(self.readers)
        news, lost = await self.hub.take(reader)
        assert not lost
        got.extend(event.seq for event in news)

    async def rejoin(self) -> None:
        place = self.rng.randrange(len(self.readers))
        reader, got = self.readers[place]
        self.hub.leave(reader)
        self.readers[place] = (await reading(self.hub, dict(reader.cursors)), got)

    async def rest(self) -> None:
        await asyncio.sleep(0)

    async def blow(self, acts: int) -> None:
        self.readers = [(await reading(self.hub), []) for _ in range(3)]
        choices = [self.write] * 6 + [self.arrive] * 8 + [self.take] * 4 + [self.rejoin, self.rest]
        for _ in range(acts):
            await self.rng.choice(choices)()

    async def clear_up(self) -> None:
        for _ in range(3):
            await self.hub.look()
            while self.hub._tasks:
                await asyncio.gather(*self.hub._tasks)
        for reader, got in self.readers:
            got.extend(event.seq for event in (await self.hub.take(reader))[0])


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_way_does_to_messages_every_reader_gets_each_event_once_in_order(
    source: FakeSource, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_sleep = asyncio.sleep
    monkeypatch.setattr(hub.asyncio, "sleep", lambda seconds: real_sleep(0))

    async def work(the_hub: Hub) -> None:
        weather = Weather(the_hub, source, random.Random(seed))
        await weather.blow(300)
        await weather.clear_up()
        for _, got in weather.readers:
            assert got == list(range(1, source.head[T] + 1))

    in_loop(work)


def test_a_database_that_fails_during_a_refill_does_not_end_refilling(source: FakeSource) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        _, second = source.write(count=2)
        real: Any = source.since
        source.since = _fail  # type: ignore[method-assign]
        the_hub.post(second)
        with contextlib.suppress(Exception):
            await asyncio.gather(*the_hub._tasks)
        source.since = real  # type: ignore[method-assign]
        (third,) = source.write()
        reader.wake.clear()
        the_hub.post(third)
        await asyncio.wait_for(reader.wake.wait(), 20)
        assert await taken(the_hub, reader) == [1, 2, 3]

    in_loop(work)


def _fail(*_: object) -> list[Event]:
    raise ConnectionError("the database is away")
