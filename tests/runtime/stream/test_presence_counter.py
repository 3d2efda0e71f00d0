"""The presence counter: arrivals at once, departures after a grace, numbers seldom, and never many writes."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from runtime import nodes, stream
from runtime.models import Presence
from runtime.stream import presence, presence_counter, rights
from runtime.stream.guard import Reader
from runtime.stream.hub import HUB, Hub
from runtime.stream.presence_counter import GRACE_SECONDS, ReaderCounts
from runtime.stream.threads import Threads
from tests.runtime.support import Listener, until

pytestmark = pytest.mark.django_db(transaction=True)

T = "seat.a"
# Where the tests look at rows: their own threads would leave connections behind.
aside = Threads(1, "aside")


class Told(list[tuple[str, bool]]):
    """The calls of the listener of the family "seat", and the threads in which it was called."""

    def __init__(self) -> None:
        self.threads: set[str] = set()

    def __call__(self, topic: str, is_here: bool, now: datetime) -> None:
        self.threads.add(threading.current_thread().name)
        self.append((topic, is_here))


@pytest.fixture
def heard_presence(monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    heard = Told()
    monkeypatch.setattr(presence, "_counted", set())
    monkeypatch.setattr(presence, "_listeners", {})
    presence.register_presence("seat", heard)
    monkeypatch.setitem(rights._rules, "seat", lambda wishes: wishes)
    monkeypatch.setattr(presence_counter, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(presence_counter, "COUNT_SECONDS", 0.1)
    monkeypatch.setattr(presence_counter, "GRACE_SECONDS", 0.5)
    return heard


@pytest.fixture
def notes(heard_presence: Told, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, int]]:
    """The written counts, batch by batch."""
    written: list[dict[str, int]] = []
    real = presence.write_counts

    def note(counts: Mapping[str, int], *, now: datetime) -> None:
        written.append(dict(counts))
        real(counts, now=now)

    monkeypatch.setattr(presence, "write_counts", note)
    return written


def in_loop(work: Callable[[Hub], Awaitable[None]]) -> None:
    async def run() -> None:
        the_hub = Hub()
        the_hub.start()
        try:
            await asyncio.wait_for(work(the_hub), 30)
        finally:
            await the_hub.presence.close()

    asyncio.run(run())


async def reading(the_hub: Hub, *topics: str) -> Reader:
    reader = Reader(dict.fromkeys(topics or (T,), 0))
    await the_hub.join(reader)
    return reader


async def soon(condition: Callable[[], bool], *, within: float = 5.0) -> None:
    async def wait() -> None:
        while not condition():
            await asyncio.sleep(0.005)

    await asyncio.wait_for(wait(), within)


async def counted(topic: str, readers: int) -> None:
    def ask() -> int:
        return stream.count_readers(topic, now=timezone.now())

    async def wait() -> None:
        while await aside.run(ask) != readers:
            await asyncio.sleep(0.01)

    await asyncio.wait_for(wait(), 5)


@pytest.mark.long
def test_who_comes_is_told_at_once_and_who_goes_after_the_grace(heard_presence: Told) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        await soon(lambda: heard_presence == [(T, True)])
        went = time.monotonic()
        the_hub.leave(reader)
        await soon(lambda: heard_presence == [(T, True), (T, False)])
        assert time.monotonic() - went >= presence_counter.GRACE_SECONDS

    in_loop(work)
    assert not Presence.objects.exists()
    (name,) = heard_presence.threads
    assert name.startswith("presence")


@pytest.mark.long
def test_a_page_that_is_loaded_again_was_never_gone(
    heard_presence: Told, notes: list[dict[str, int]]
) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        await soon(lambda: heard_presence == [(T, True)])
        for _ in range(4):
            the_hub.leave(reader)
            await asyncio.sleep(0.25)
            reader = await reading(the_hub)
        await asyncio.sleep(0.8)
        assert heard_presence == [(T, True)]
        assert notes == [{T: 1}]

    in_loop(work)


@pytest.mark.long
def test_several_readers_are_one_arrival_and_one_departure(heard_presence: Told) -> None:
    async def work(the_hub: Hub) -> None:
        readers = [await reading(the_hub) for _ in range(5)]
        await counted(T, 5)
        for reader in readers[:3]:
            the_hub.leave(reader)
        await counted(T, 2)
        assert heard_presence == [(T, True)]
        for reader in readers[3:]:
            the_hub.leave(reader)
        await counted(T, 0)
        await soon(lambda: heard_presence == [(T, True), (T, False)])

    in_loop(work)


@pytest.mark.long
def test_who_comes_while_the_departure_is_being_written_is_told_again(
    heard_presence: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_being_written, may_go_on = threading.Event(), threading.Event()
    real = presence.write_counts

    def note(counts: Mapping[str, int], *, now: datetime) -> None:
        real(counts, now=now)
        if not counts.get(T, 1):
            is_being_written.set()
            assert may_go_on.wait(10)

    monkeypatch.setattr(presence, "write_counts", note)

    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        await counted(T, 1)
        the_hub.leave(reader)
        await asyncio.to_thread(is_being_written.wait, 10)
        await reading(the_hub)
        may_go_on.set()
        await soon(lambda: heard_presence == [(T, True), (T, False), (T, True)])
        await counted(T, 1)

    in_loop(work)


def test_topics_of_other_families_cost_nothing(heard_presence: Told, notes: list[dict[str, int]]) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub, "club.a", "club.b")
        await asyncio.sleep(0.2)
        the_hub.leave(reader)
        assert the_hub.presence._task is None

    in_loop(work)
    assert notes == []


@pytest.mark.long
def test_a_thousand_readers_of_two_hundred_topics_are_written_in_a_few_transactions(
    heard_presence: Told, notes: list[dict[str, int]]
) -> None:
    async def work(the_hub: Hub) -> None:
        began = time.monotonic()
        readers = [await reading(the_hub, f"seat.{number % 200}") for number in range(1000)]
        await soon(lambda: len(heard_presence) == 200, within=20)
        await counted("seat.199", 5)
        took = time.monotonic() - began
        assert len(notes) <= 2 + took / presence_counter.TICK_SECONDS
        assert sum(len(batch) for batch in notes) <= 200 * (2 + took / presence_counter.COUNT_SECONDS)
        before = len(notes)
        for reader in readers:
            the_hub.leave(reader)
        await soon(lambda: len(heard_presence) == 400, within=20)
        assert len(notes) - before <= 4, "who goes together is written together"

    in_loop(work)
    assert not Presence.objects.exists()


@pytest.mark.long
def test_what_could_not_be_written_is_written_later(
    heard_presence: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tries = presence.write_counts, []

    def note(counts: Mapping[str, int], *, now: datetime) -> None:
        tries.append(counts)
        if len(tries) < 4:
            raise ConnectionError("the database is away")
        real(counts, now=now)

    monkeypatch.setattr(presence, "write_counts", note)

    async def work(the_hub: Hub) -> None:
        await reading(the_hub)
        await soon(lambda: heard_presence == [(T, True)])

    in_loop(work)


@pytest.mark.long
def test_readers_who_stay_are_stamped(heard_presence: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence_counter, "STAMP_SECONDS", 0.2)

    async def work(the_hub: Hub) -> None:
        await reading(the_hub)
        await counted(T, 1)
        first = await aside.run(Presence.objects.values_list("seen_at", flat=True).get)
        await asyncio.sleep(0.6)
        assert await aside.run(Presence.objects.filter(seen_at__gt=first).count) == 1
        # As a sweep does that took us for dead.
        await aside.run(Presence.objects.all().delete)
        await counted(T, 1)

    in_loop(work)


@pytest.mark.long
def test_who_stood_still_says_at_once_that_it_lives(
    heard_presence: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence_counter, "LONGEST_PAUSE", 0.5)

    async def work(the_hub: Hub) -> None:
        await reading(the_hub)
        await counted(T, 1)
        await aside.run(Presence.objects.all().delete)
        await asyncio.sleep(0.3)
        assert await aside.run(Presence.objects.count) == 0, "nothing is due yet"
        time.sleep(0.7)
        await counted(T, 1)

    in_loop(work)


@pytest.mark.long
def test_a_process_that_ends_lets_its_readers_count_until_they_are_back(heard_presence: Told) -> None:
    async def work(the_hub: Hub) -> None:
        reader = await reading(the_hub)
        await counted(T, 1)
        await aside.run(Presence.objects.update, seen_at=timezone.now() - nodes.DEAD_AFTER)
        the_hub.close()
        the_hub.leave(reader)
        await asyncio.sleep(0.8)

    in_loop(work)
    assert heard_presence == [(T, True)]
    assert Presence.objects.get().seen_at > timezone.now() - nodes.DEAD_AFTER / 2


@pytest.mark.long
def test_a_stream_over_http_is_counted_and_forgotten(front: int, heard_presence: Told) -> None:
    with Listener(front, stream.create_token([T])) as listener:
        assert listener.event()["name"] == "hello"
        until(lambda: heard_presence == [(T, True)])
        assert stream.count_readers(T, now=timezone.now()) == 1
    until(lambda: heard_presence == [(T, True), (T, False)])
    until(lambda: HUB.presence._tally.is_empty)


ACTS = st.lists(
    st.tuples(st.sampled_from(("came", "left", "wait", "write", "write all")), st.sampled_from("ab")),
    max_size=60,
)


@pytest.mark.long
@given(acts=ACTS)
def test_the_tally_agrees_with_counting(acts: list[tuple[str, str]]) -> None:
    """After random acts every reader is counted, and departures within the grace period are not reported."""
    tally, at = ReaderCounts(), 0.0
    here: dict[str, int] = {"a": 0, "b": 0}
    rows: dict[str, int] = {}
    empty_since: dict[str, float] = {}

    def write(*, with_numbers: bool) -> None:
        due = tally.due(at=at, with_numbers=with_numbers)
        for topic, readers in due.items():
            assert readers == here[topic] != rows.get(topic, 0)
            assert readers or at - empty_since[topic] >= GRACE_SECONDS
            assert with_numbers or not readers or topic not in rows, "numbers wait"
            rows[topic] = readers
        tally.note(due)
        for topic in [topic for topic, readers in rows.items() if not readers]:
            del rows[topic]
        assert all(topic in rows for topic, readers in here.items() if readers), "arrivals do not wait"

    for act, topic in acts:
        if act == "left" and not here[topic]:
            tally.left(topic, at=at)
        elif act == "came":
            here[topic] += 1
            assert tally.came(topic) == (here[topic] == 1)
        elif act == "left":
            here[topic] -= 1
            empty_since[topic] = at
            tally.left(topic, at=at)
        elif act == "wait":
            at += 0.8
        else:
            write(with_numbers=act == "write all")
    at += GRACE_SECONDS + 1
    write(with_numbers=True)
    assert rows == tally.written == {topic: readers for topic, readers in here.items() if readers}
    assert tally.is_empty == (not rows)
    assert tally.due(at=at, with_numbers=True) == {}


def test_a_listener_that_takes_long_holds_up_no_reader(heard_presence: Told) -> None:
    go_on = threading.Event()

    def slow(topic: str, is_here: bool, now: datetime) -> None:
        heard_presence.append((topic, is_here))
        go_on.wait(60)
        heard_presence.append(("done", is_here))

    presence.register_presence("seat", slow)

    async def work(the_hub: Hub) -> None:
        await reading(the_hub)
        await soon(lambda: bool(heard_presence))
        for number in range(20):
            await reading(the_hub, f"club.{number}")
        assert ("done", True) not in heard_presence
        go_on.set()

    in_loop(work)
