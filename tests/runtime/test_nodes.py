"""Heartbeats, and the outages that a silence reveals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from runtime import nodes
from runtime.models import Node, Outage, Pulse
from tests.runtime.support import together

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def outage_overlap(*, start: datetime, end: datetime) -> timedelta:
    """The part of the time in which no web process was reachable."""
    return sum((until - since for since, until in nodes.list_outages(start, end)), start=timedelta())


def test_a_beat_enters_the_node_and_later_beats_keep_it(now: datetime) -> None:
    assert nodes.record_heartbeat(role="web", now=now, name="a") is None
    assert nodes.record_heartbeat(role="web", now=now + SECOND, name="a") is None
    node = Node.objects.get()
    assert (node.name, node.role, node.started_at, node.seen_at) == ("a", "web", now, now + SECOND)


def test_a_silence_of_three_seconds_is_none_and_a_longer_one_is_an_outage(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    assert nodes.record_heartbeat(role="web", now=now + 3 * SECOND, name="a") is None
    later = now + 3 * SECOND
    outage = nodes.record_heartbeat(role="web", now=later + timedelta(seconds=3, milliseconds=1), name="a")
    assert (outage.from_at, outage.to_at) == (later, later + timedelta(seconds=3, milliseconds=1))
    assert Outage.objects.count() == 1


def test_the_first_beat_of_all_is_no_outage(now: datetime) -> None:
    assert nodes.record_heartbeat(role="web", now=now, name="a") is None
    assert not Outage.objects.exists()


def test_while_one_web_process_is_alive_the_silence_of_another_is_none(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    for second in range(1, 60):
        nodes.record_heartbeat(role="web", now=now + second * SECOND, name="b")
    assert nodes.record_heartbeat(role="web", now=now + 60 * SECOND, name="a") is None
    assert not Outage.objects.exists()


def test_a_worker_does_not_stand_in_for_the_pages(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    for second in range(1, 60):
        nodes.record_heartbeat(role="worker", now=now + second * SECOND, name="w")
    outage = nodes.record_heartbeat(role="web", now=now + 60 * SECOND, name="a")
    assert outage.role == "web"


def test_a_beat_that_comes_late_takes_nothing_back(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now + 10 * SECOND, name="a")
    assert nodes.record_heartbeat(role="web", now=now + 9 * SECOND, name="b") is None
    assert Pulse.objects.get(role="web").seen_at == now + 10 * SECOND


def test_a_clock_that_is_put_back_does_not_hide_outages_until_it_has_caught_up(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now + timedelta(hours=2), name="a")
    assert nodes.record_heartbeat(role="web", now=now, name="a") is None
    assert nodes.record_heartbeat(role="web", now=now + 30 * SECOND, name="a") is not None


@pytest.mark.django_db(transaction=True)
def test_four_nodes_that_come_back_at_once_write_one_outage(now: datetime) -> None:
    for round_ in range(8):
        at = now + timedelta(minutes=round_)
        found = together(
            4, lambda place, at=at: nodes.record_heartbeat(role="web", now=at, name=f"node {place}")
        )
        written = [outage for outage in found if outage is not None]
        assert len(written) == (1 if round_ else 0)
    assert Outage.objects.count() == 7


@pytest.mark.django_db(transaction=True)
def test_four_nodes_with_clocks_that_differ_a_little_write_one_outage(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="node 0")
    together(
        4,
        lambda place: nodes.record_heartbeat(
            role="web", now=now + timedelta(seconds=60, milliseconds=place), name=f"node {place}"
        ),
    )
    assert Outage.objects.count() == 1


def test_the_same_outage_is_not_written_twice(now: datetime) -> None:
    Outage.objects.create(role="web", from_at=now, to_at=now + SECOND)
    with pytest.raises(IntegrityError), transaction.atomic():
        Outage.objects.create(role="web", from_at=now, to_at=now + 2 * SECOND)
    with pytest.raises(IntegrityError), transaction.atomic():
        Outage.objects.create(role="web", from_at=now + SECOND, to_at=now + SECOND)


EPOCH = datetime(2026, 3, 5, tzinfo=UTC)
MOMENTS = st.integers(0, 60)


def second(number: int) -> datetime:
    return EPOCH + number * SECOND


@pytest.mark.long
@limits(max_examples=80, deadline=None)
@given(
    stretches=st.lists(st.tuples(MOMENTS, st.integers(1, 12)), max_size=8, unique_by=lambda each: each[0]),
    pulse=st.none() | MOMENTS,
    promised=st.sampled_from((3, 12, 32)),
    start=MOMENTS,
    length=MOMENTS,
)
def test_the_overlap_is_what_counting_seconds_gives(
    stretches: list[tuple[int, int]], pulse: int | None, promised: int, start: int, length: int
) -> None:
    """Rows overlap one another where a clock was put back; no second is counted twice."""
    end = start + length
    dark = {at for from_, seconds in stretches for at in range(from_, from_ + seconds)}
    if pulse is not None and end - pulse > promised:
        dark |= set(range(pulse, end))
    with transaction.atomic():
        Outage.objects.bulk_create(
            Outage(role="web", from_at=second(at), to_at=second(at + seconds)) for at, seconds in stretches
        )
        Outage.objects.create(role="worker", from_at=EPOCH, to_at=second(200))
        Pulse.objects.create(role="worker", seen_at=EPOCH, until=EPOCH)
        if pulse is not None:
            Pulse.objects.create(role="web", seen_at=second(pulse), until=second(pulse + promised))
        overlap = outage_overlap(start=second(start), end=second(end))
        shown = nodes.list_outages(second(start), second(end))
        transaction.set_rollback(True)
    assert overlap.total_seconds() == len(dark & set(range(start, end)))
    assert overlap == sum((to_at - from_at for from_at, to_at in shown), start=timedelta())
    bounds = [moment for pair in shown for moment in pair]
    assert bounds == sorted(set(bounds)), "in order, none empty, none touching another"
    assert all(second(start) <= moment <= second(end) for moment in bounds)


def test_a_silence_counts_before_anybody_has_written_it_down(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    assert nodes.list_outages(now, now + 3 * SECOND) == []
    first_request = now + 20 * SECOND
    assert nodes.list_outages(now - 9 * SECOND, first_request) == [(now, first_request)]
    assert outage_overlap(start=now + 5 * SECOND, end=first_request) == 15 * SECOND
    assert not Outage.objects.exists()

    nodes.record_heartbeat(role="web", now=now + 21 * SECOND, name="b")
    assert outage_overlap(start=now + 5 * SECOND, end=first_request) == 15 * SECOND
    assert nodes.list_outages(now, now + 22 * SECOND) == [(now, now + 21 * SECOND)]


def test_a_worker_that_counts_while_no_page_is_served_counts_up_to_the_moment(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    for number in range(1, 30):
        at = now + number * SECOND
        nodes.record_heartbeat(role="worker", now=at, name="w")
        lost = outage_overlap(start=now, end=at)
        assert lost == (number * SECOND if number > 3 else timedelta())


def test_while_one_of_two_nodes_is_heard_nothing_is_lost(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    nodes.record_heartbeat(role="web", now=now, name="b")
    for number in range(1, 30):
        nodes.record_heartbeat(role="web", now=now + number * SECOND, name="b")
    assert outage_overlap(start=now, end=now + 32 * SECOND) == timedelta()
    assert nodes.list_outages(now, now + 40 * SECOND) == [(now + 29 * SECOND, now + 40 * SECOND)]


def test_what_is_asked_about_an_earlier_time_knows_no_silence_that_began_later(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    assert nodes.list_outages(now - 60 * SECOND, now) == []
    assert nodes.list_outages(now + 60 * SECOND, now + 60 * SECOND) == []
    assert nodes.list_outages(now + 60 * SECOND, now) == []


def test_clocks_that_differ_by_less_than_the_limit_invent_no_outage(now: datetime) -> None:
    """One node is two seconds ahead of the other, and either may be the one that counts."""
    for number in range(20):
        nodes.record_heartbeat(role="web", now=now + number * SECOND, name="behind")
        nodes.record_heartbeat(role="web", now=now + (number + 2) * SECOND, name="ahead")
        for skew in (0, 2):
            end = now + (number + skew) * SECOND
            assert outage_overlap(start=now - 60 * SECOND, end=end) == timedelta()
    for number in range(20, 25):
        nodes.record_heartbeat(role="web", now=now + number * SECOND, name="behind")
        assert outage_overlap(start=now, end=now + (number + 2) * SECOND) == timedelta()


def test_a_pulse_from_a_clock_that_was_put_back_is_no_silence(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now + timedelta(hours=2), name="a")
    assert nodes.list_outages(now - 60 * SECOND, now) == []


def test_who_ends_politely_leaves_a_silence_as_who_is_killed_does(now: datetime) -> None:
    """Web processes cannot be reached during an upgrade."""
    nodes.record_heartbeat(role="web", now=now, name="old")
    nodes.deregister(name="old", now=now)
    assert not Node.objects.exists()
    assert outage_overlap(start=now, end=now + 9 * SECOND) == 9 * SECOND
    outage = nodes.record_heartbeat(role="web", now=now + 9 * SECOND, name="new")
    assert (outage.from_at, outage.to_at) == (now, now + 9 * SECOND)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_that_writes_a_silence_down_hides_it_from_nobody(now: datetime) -> None:
    """A reader at that moment finds the outage either running or written, never neither and never both."""
    nodes.record_heartbeat(role="web", now=now, name="a")
    for round_ in range(1, 11):
        begin, end = now + (round_ - 1) * MINUTE, now + round_ * MINUTE

        def act(place: int, begin: datetime = begin, end: datetime = end) -> object:
            if place == 0:
                return nodes.record_heartbeat(role="web", now=end, name="a")
            return [nodes.list_outages(begin, end) for _ in range(12)]

        _, *counted = together(4, act)
        assert counted == [[[(begin, end)]] * 12] * 3
    assert Outage.objects.count() == 10


def test_counting_costs_two_short_questions(
    now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    with django_assert_num_queries(2):
        outage_overlap(start=now, end=now + 9 * SECOND)


def test_a_node_is_alive_while_it_was_heard_lately_and_this_one_always(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    assert nodes.is_alive("a", now=now + nodes.DEAD_AFTER - SECOND)
    assert not nodes.is_alive("a", now=now + nodes.DEAD_AFTER)
    assert not nodes.is_alive("b", now=now)
    assert nodes.is_alive(nodes.NAME, now=now)


def test_who_signs_off_is_gone_and_leaves_the_pulse(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now)
    nodes.record_heartbeat(role="web", now=now, name="a")
    nodes.deregister(now=now)
    assert set(Node.objects.values_list("name", flat=True)) == {"a"}
    assert Pulse.objects.get(role="web").seen_at == now
    nodes.deregister(now=now)


def test_nodes_that_are_silent_for_a_day_are_forgotten(now: datetime) -> None:
    day = timedelta(days=1)
    nodes.record_heartbeat(role="web", now=now - day - SECOND, name="old")
    nodes.record_heartbeat(role="web", now=now - day + SECOND, name="young")
    assert nodes.prune(now=now) == 1
    assert Node.objects.get().name == "young"


# Pulses that promise more


SLOW = timedelta(seconds=30)


def test_a_silence_that_was_promised_is_none_and_a_longer_one_is_an_outage(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a", pace=SLOW)
    assert nodes.list_outages(now, now + SLOW + 2 * SECOND) == []
    assert nodes.is_alive("a", now=now + SLOW)
    assert nodes.record_heartbeat(role="web", now=now + SLOW + 2 * SECOND, name="a", pace=SLOW) is None
    later = now + SLOW + 2 * SECOND
    end = later + SLOW + 3 * SECOND
    assert nodes.list_outages(now, end) == [(later, end)]
    assert not nodes.is_alive("a", now=later + SLOW + nodes.DEAD_AFTER)
    assert nodes.record_heartbeat(role="web", now=end, name="a", pace=SLOW) is not None


def test_who_is_quickened_promises_less(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a", pace=SLOW)
    nodes.record_heartbeat(role="web", now=now + SECOND, name="a")
    assert nodes.list_outages(now, now + 9 * SECOND) == [(now + SECOND, now + 9 * SECOND)]


def test_a_start_after_a_crash_writes_the_outage_though_the_dead_one_promised_to_be_alive(
    now: datetime,
) -> None:
    """With one process in an installation, a process that starts knows that all others are dead."""
    nodes.record_heartbeat(role="web", now=now, name="killed", pace=SLOW)
    nodes.Heartbeat("web", is_alone=True).tick(now + 12 * SECOND, is_hurried=False)
    [outage] = Outage.objects.all()
    assert (outage.from_at, outage.to_at) == (now, now + 12 * SECOND)
    assert not nodes.is_alive("killed", now=now + 12 * SECOND)


def test_a_start_beside_others_that_live_is_none(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="alive", pace=SLOW)
    nodes.record_heartbeat(role="worker", now=now, name="w", pace=SLOW)
    assert nodes.record_heartbeat(role="web", now=now + 12 * SECOND, name="new", pace=SLOW) is None
    assert nodes.is_alive("alive", now=now + 12 * SECOND)


def test_who_signs_off_last_takes_the_promise_back(now: datetime) -> None:
    for name in "ab":
        nodes.record_heartbeat(role="web", now=now, name=name, pace=SLOW)
    nodes.deregister(name="a", now=now + 5 * SECOND)
    assert nodes.list_outages(now, now + SLOW) == []
    left = now + 10 * SECOND
    nodes.deregister(name="b", now=left)
    assert nodes.list_outages(now, now + SLOW) == [(left, now + SLOW)]
    assert nodes.record_heartbeat(role="web", now=left + 7 * SECOND, name="c") is not None


LIFE = st.tuples(st.booleans(), st.integers(1, 90), st.integers(0, 60))


@pytest.mark.long
@limits(max_examples=12, deadline=None)
@given(lives=st.lists(LIFE, min_size=1, max_size=6))
def test_nothing_that_nobody_lived_through_is_missed_and_little_that_somebody_did_is_counted(
    lives: list[tuple[bool, int, int]],
) -> None:
    what_is_lost(lives)


@pytest.mark.long
@limits(max_examples=60, deadline=None)
@given(lives=st.lists(LIFE, min_size=1, max_size=6))
def test_so_it_is_in_many_lives(lives: list[tuple[bool, int, int]]) -> None:
    what_is_lost(lives)


def what_is_lost(lives: list[tuple[bool, int, int]]) -> None:
    """Run installations of one process that live for a time, are killed, and leave a silence."""
    at, dead, shown = 0, 0, timedelta()
    with transaction.atomic():
        for number, (is_hurried, alive, silent) in enumerate(lives):
            heart = nodes.Heartbeat("web", is_alone=True)
            with patch.object(nodes, "NAME", f"life {number}"):
                for tick in range(at, at + alive):
                    heart.tick(second(tick), is_hurried=is_hurried)
            at += alive
            dead += silent if silent > 2 else 0
            shown += timedelta() if is_hurried else nodes.SLOW_BEAT_ON_SQLITE
            at += silent
        nodes.Heartbeat("web", is_alone=True).tick(second(at), is_hurried=True)
        lost = outage_overlap(start=EPOCH, end=second(at))
        transaction.set_rollback(True)
    # A hurried life ends within a second of its last beat, another within a pace of it.
    assert dead * SECOND <= lost <= dead * SECOND + shown + 3 * len(lives) * SECOND


@pytest.mark.parametrize("is_hurried", [False, True])
def test_a_heart_beats_ahead_of_its_promise_and_no_more_than_it_must(now: datetime, is_hurried: bool) -> None:
    heart = nodes.Heartbeat("web")
    for tick in range(60):
        heart.tick(now + tick * SECOND, is_hurried=is_hurried)
        assert Pulse.objects.get().until > now + (tick + 1) * SECOND
    assert nodes.list_outages(now, now + 60 * SECOND) == []
    beats = (Pulse.objects.get().seen_at - now).total_seconds()
    assert beats == 59 if is_hurried else beats in {54, 58}


def test_a_heart_whose_clock_is_put_back_beats_at_once(now: datetime) -> None:
    heart = nodes.Heartbeat("web")
    heart.tick(now + timedelta(hours=2), is_hurried=False)
    heart.tick(now, is_hurried=False)
    assert Pulse.objects.get().seen_at == now


@pytest.mark.django_db
def test_a_heart_touches_the_file_that_others_watch(now: datetime, settings: Any, tmp_path: Path) -> None:
    settings.PULSE_FILE = tmp_path / "pulse"
    heart = nodes.Heartbeat("worker")
    heart.tick(now, is_hurried=False)
    assert settings.PULSE_FILE.exists()
    settings.PULSE_FILE.unlink()
    heart.tick(now + timedelta(seconds=1), is_hurried=False)
    assert not settings.PULSE_FILE.exists(), "no more often than it beats"
    heart.tick(now + timedelta(minutes=1), is_hurried=False)
    assert settings.PULSE_FILE.exists()
