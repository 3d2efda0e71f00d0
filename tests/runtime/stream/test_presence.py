"""Presence: counted over all processes, announced once and in order, also after a process was killed."""

from __future__ import annotations

import random
import threading
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, connection, transaction

from runtime import nodes, stream
from runtime.models import Attendance, Node, Presence, TopicEvent
from runtime.stream import presence
from tests.runtime.support import together

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
T = "seat.a"


@pytest.fixture
def heard_presence(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The calls of the listener of the family "seat"."""
    heard: list[tuple[str, bool]] = []

    def listen(topic: str, is_here: bool, now: datetime) -> None:
        assert connection.in_atomic_block
        heard.append((topic, is_here))

    monkeypatch.setattr(presence, "_counted", set())
    monkeypatch.setattr(presence, "_listeners", {})
    presence.register_presence("seat", listen)
    return heard


def alive(*names: str, at: datetime) -> None:
    for name in names:
        nodes.record_heartbeat(role="web", now=at, name=name)


def test_the_first_to_come_and_the_last_to_go_are_told(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    for counts, node in (({T: 1}, "a"), ({T: 3}, "a"), ({T: 1}, "b"), ({T: 0}, "a")):
        presence.write_counts(counts, now=now, node=node)
    assert heard_presence == [(T, True)]
    presence.write_counts({T: 0}, now=now, node="b")
    assert heard_presence == [(T, True), (T, False)]
    presence.write_counts({T: 0}, now=now, node="b")
    presence.write_counts({T: 1}, now=now, node="b")
    assert heard_presence[2:] == [(T, True)]


def test_readers_of_all_processes_are_counted_together(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.write_counts({T: 2, "seat.b": 1}, now=now, node="a")
    presence.write_counts({T: 5}, now=now, node="b")
    assert stream.count_readers(T, now=now) == 7
    assert stream.count_readers("seat.c", now=now) == 0
    assert stream.list_present([T, "seat.b", "seat.c"], now=now) == {T, "seat.b"}
    presence.write_counts({T: 1}, now=now, node="b")
    assert stream.count_readers(T, now=now) == 3
    assert presence.count_totals(now=now) == (2, 4)
    assert presence.count_totals(now=now + nodes.DEAD_AFTER) == (0, 0)


def test_a_family_without_a_listener_is_counted_and_told_nothing(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.register_presence("hall")
    presence.write_counts({"hall.a": 2}, now=now, node="a")
    assert stream.count_readers("hall.a", now=now) == 2
    presence.sweep(now)
    assert not Attendance.objects.exists()
    assert heard_presence == []
    assert presence.is_counted("hall.b")
    assert not presence.is_counted("club.a")


def test_the_rows_of_a_dead_process_do_not_count_and_are_swept_away(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    alive("a", "b", at=now)
    presence.write_counts({T: 2, "seat.b": 1}, now=now, node="a")
    presence.write_counts({"seat.b": 1}, now=now, node="b")
    later = now + nodes.DEAD_AFTER
    alive("b", at=later)
    assert stream.count_readers(T, now=later) == 0
    assert stream.list_present([T, "seat.b"], now=later) == {"seat.b"}
    assert heard_presence == [(T, True), ("seat.b", True)]
    assert presence.sweep(later) == 2
    assert heard_presence[2:] == [(T, False)], "of seat.b the other still has a reader"
    assert presence.sweep(later) == 0
    assert heard_presence[3:] == []


def test_a_process_whose_heart_has_not_begun_to_beat_counts_by_what_it_wrote(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.write_counts({T: 1}, now=now, node="a")
    assert not Node.objects.exists()
    almost = now + nodes.DEAD_AFTER - SECOND
    assert stream.count_readers(T, now=almost) == 1
    assert presence.sweep(almost) == 0
    assert presence.sweep(almost + SECOND) == 1


def test_a_heart_that_beats_keeps_rows_that_were_written_long_ago(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.write_counts({T: 1}, now=now, node="a")
    alive("a", at=now + timedelta(hours=2))
    assert stream.count_readers(T, now=now + timedelta(hours=2)) == 1
    assert presence.sweep(now + timedelta(hours=2)) == 0


def test_this_process_is_never_dead_to_itself(heard_presence: list[tuple[str, bool]], now: datetime) -> None:
    presence.write_counts({T: 1}, now=now)
    assert stream.count_readers(T, now=now + timedelta(hours=2)) == 1


def test_a_stamp_keeps_the_rows_of_one_process_only(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.write_counts({T: 1, "seat.b": 1}, now=now, node="a")
    presence.write_counts({T: 1}, now=now, node="b")
    later = now + 7 * SECOND
    presence.renew_counts({T: 1, "seat.b": 1}, now=later, node="a")
    assert set(Presence.objects.filter(seen_at=later).values_list("topic", "node")) == {
        (T, "a"),
        ("seat.b", "a"),
    }


def test_a_process_that_was_taken_for_dead_and_wakes_writes_its_readers_again(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.write_counts({T: 2, "seat.b": 1}, now=now, node="a")
    later = now + 30 * SECOND
    presence.sweep(later)
    assert heard_presence[2:] == [(T, False), ("seat.b", False)]
    presence.renew_counts({T: 2, "seat.b": 1}, now=later, node="a")
    assert heard_presence[4:] == [(T, True), ("seat.b", True)]
    assert stream.count_readers(T, now=later) == 2


def test_a_stamp_takes_away_what_should_not_be_there(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    presence.write_counts({T: 2, "seat.b": 1}, now=now, node="a")
    presence.renew_counts({T: 2}, now=now, node="a")
    assert stream.list_present([T, "seat.b"], now=now) == {T}
    assert heard_presence[2:] == [("seat.b", False)]


def test_a_stamp_costs_one_statement_however_many_topics(
    heard_presence: list[tuple[str, bool]], now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    counts = {f"seat.{number}": 1 for number in range(50)}
    presence.write_counts(counts, now=now, node="a")
    with django_assert_num_queries(1):
        presence.renew_counts(counts, now=now + SECOND, node="a")
    with django_assert_num_queries(1):
        stream.count_readers("seat.1", now=now)
    with django_assert_num_queries(1):
        stream.list_present(counts, now=now)


def test_numbers_that_change_cost_a_few_statements_however_many_topics(
    heard_presence: list[tuple[str, bool]],
    now: datetime,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    presence.write_counts({f"seat.{number}": 1 for number in range(50)}, now=now, node="a")
    assert len(heard_presence) == 50
    with django_assert_max_num_queries(6):
        presence.write_counts({f"seat.{number}": 2 for number in range(50)}, now=now, node="a")
    assert len(heard_presence) == 50


def test_what_a_listener_writes_happens_with_the_telling_or_not_at_all(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    is_broken = True

    def listen(topic: str, is_here: bool, now: datetime) -> None:
        stream.publish("club.a", "seat", {"topic": topic, "here": is_here}, now=now)
        if is_broken and topic == T:
            raise ConnectionError("not now")

    presence.register_presence("seat", listen)
    presence.write_counts({T: 1, "seat.b": 1}, now=now, node="a")

    def written() -> list[tuple[str, bool]]:
        rows = TopicEvent.objects.order_by("seq").values_list("data", flat=True)
        return [(data["topic"], data["here"]) for data in rows]

    assert written() == [("seat.b", True)], "one that fails stands in nobody's way"
    presence.sweep(now)
    assert written() == [("seat.b", True)]
    is_broken = False
    presence.sweep(now)
    assert written() == [("seat.b", True), (T, True)]
    presence.sweep(now)
    assert len(written()) == 2


def test_what_a_process_wrote_and_did_not_live_to_tell_is_told_by_the_sweep(
    heard_presence: list[tuple[str, bool]], now: datetime
) -> None:
    Presence.objects.create(topic=T, node="a", readers=1, seen_at=now)
    presence.sweep(now)
    assert heard_presence == [(T, True)]
    Presence.objects.all().delete()
    presence.sweep(now)
    assert heard_presence == [(T, True), (T, False)]
    assert not Attendance.objects.exists()


def test_a_row_has_readers_and_is_alone(now: datetime) -> None:
    Presence.objects.create(topic=T, node="a", readers=1, seen_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Presence.objects.create(topic=T, node="a", readers=1, seen_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Presence.objects.create(topic=T, node="b", readers=0, seen_at=now)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_here", [True, False])
def test_what_changes_while_a_listener_is_being_told_is_told_after_it(
    heard_presence: list[tuple[str, bool]], now: datetime, is_here: bool
) -> None:
    """The other process finishes first or has to wait; in both cases the last state is announced last."""
    if not is_here:
        presence.write_counts({T: 1}, now=now, node="a")
    being_told, other_is_done = threading.Event(), threading.Event()

    def listen(topic: str, says: bool, now: datetime) -> None:
        if says == is_here:
            being_told.set()
            other_is_done.wait(0.5)
        heard_presence.append((topic, says))

    presence.register_presence("seat", listen)

    def act(place: int) -> None:
        if place == 0:
            presence.write_counts({T: int(is_here)}, now=now, node="a")
        else:
            assert being_told.wait(5)
            presence.write_counts({T: int(not is_here)}, now=now, node="a" if is_here else "b")
            other_is_done.set()

    together(2, act)
    assert heard_presence[-2:] == [(T, is_here), (T, not is_here)]
    assert Attendance.objects.exists() != is_here
    presence.sweep(now)
    assert len(heard_presence) == (2 if is_here else 3), "and no sweep was needed"


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(4))
def test_four_processes_and_a_sweep_tell_in_turn_and_end_with_what_is_true(
    heard_presence: list[tuple[str, bool]], now: datetime, seed: int
) -> None:
    """Arrivals and departures alternate, and the last one is right without a sweep after it."""
    topics = [f"seat.{number}" for number in range(3)]

    def listen(topic: str, is_here: bool, now: datetime) -> None:
        heard_presence.append((topic, is_here))
        # Long enough for a thread that does not wait for the lock to overtake.
        time.sleep(0.001)

    presence.register_presence("seat", listen)

    def live(place: int) -> dict[str, int]:
        rng = random.Random(seed * 10 + place)
        last: dict[str, int] = {}
        if place == 4:
            for _ in range(10):
                presence.sweep(now)
            return last
        for _ in range(25):
            change = {topic: rng.choice((0, 0, 1)) for topic in rng.sample(topics, rng.choice((1, 2)))}
            presence.write_counts(change, now=now, node=f"node {place}")
            last |= change
        return last

    ends = together(5, live)
    for topic in topics:
        words = [is_here for each, is_here in heard_presence if each == topic]
        assert words == [number % 2 == 0 for number in range(len(words))], "there, gone, there, gone"
        is_there = any(last.get(topic) for last in ends)
        assert bool(words and words[-1]) == is_there
        assert Attendance.objects.filter(topic=topic).exists() == is_there
