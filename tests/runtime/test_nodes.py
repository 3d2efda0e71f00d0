"""Heartbeats, and the outages that a silence reveals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from runtime import nodes
from runtime.models import Node, Outage, Pulse
from tests.runtime.support import together

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def test_a_beat_enters_the_node_and_later_beats_keep_it(now: datetime) -> None:
    assert nodes.beat(role="web", now=now, name="a") is None
    assert nodes.beat(role="web", now=now + SECOND, name="a") is None
    node = Node.objects.get()
    assert (node.name, node.role, node.started_at, node.seen_at) == ("a", "web", now, now + SECOND)


def test_a_silence_of_three_seconds_is_none_and_a_longer_one_is_an_outage(now: datetime) -> None:
    nodes.beat(role="web", now=now, name="a")
    assert nodes.beat(role="web", now=now + 3 * SECOND, name="a") is None
    later = now + 3 * SECOND
    outage = nodes.beat(role="web", now=later + timedelta(seconds=3, milliseconds=1), name="a")
    assert outage is not None
    assert (outage.from_at, outage.to_at) == (later, later + timedelta(seconds=3, milliseconds=1))
    assert Outage.objects.count() == 1


def test_the_first_beat_of_all_is_no_outage(now: datetime) -> None:
    assert nodes.beat(role="web", now=now, name="a") is None
    assert not Outage.objects.exists()


def test_while_one_web_process_is_alive_the_silence_of_another_is_none(now: datetime) -> None:
    nodes.beat(role="web", now=now, name="a")
    for second in range(1, 60):
        nodes.beat(role="web", now=now + second * SECOND, name="b")
    assert nodes.beat(role="web", now=now + 60 * SECOND, name="a") is None
    assert not Outage.objects.exists()


def test_a_worker_does_not_stand_in_for_the_pages(now: datetime) -> None:
    nodes.beat(role="web", now=now, name="a")
    for second in range(1, 60):
        nodes.beat(role="worker", now=now + second * SECOND, name="w")
    outage = nodes.beat(role="web", now=now + 60 * SECOND, name="a")
    assert outage is not None
    assert outage.role == "web"


def test_a_beat_that_comes_late_takes_nothing_back(now: datetime) -> None:
    nodes.beat(role="web", now=now + 10 * SECOND, name="a")
    assert nodes.beat(role="web", now=now + 9 * SECOND, name="b") is None
    assert Pulse.objects.get(role="web").seen_at == now + 10 * SECOND


def test_a_clock_that_is_put_back_does_not_hide_outages_until_it_has_caught_up(now: datetime) -> None:
    nodes.beat(role="web", now=now + timedelta(hours=2), name="a")
    assert nodes.beat(role="web", now=now, name="a") is None
    assert nodes.beat(role="web", now=now + 30 * SECOND, name="a") is not None


@pytest.mark.django_db(transaction=True)
def test_four_nodes_that_come_back_at_once_write_one_outage(now: datetime) -> None:
    for round_ in range(8):
        at = now + timedelta(minutes=round_)
        found = together(4, lambda place, at=at: nodes.beat(role="web", now=at, name=f"node {place}"))
        written = [outage for outage in found if outage is not None]
        assert len(written) == (1 if round_ else 0)
    assert Outage.objects.count() == 7


@pytest.mark.django_db(transaction=True)
def test_four_nodes_with_clocks_that_differ_a_little_write_one_outage(now: datetime) -> None:
    nodes.beat(role="web", now=now, name="node 0")
    together(
        4,
        lambda place: nodes.beat(
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


@limits(max_examples=60, deadline=None)
@given(
    gaps=st.lists(st.integers(1, 9), max_size=8),
    lasting=st.lists(st.integers(1, 9), min_size=8, max_size=8),
    start=MOMENTS,
    length=MOMENTS,
)
def test_the_overlap_is_what_counting_seconds_gives(
    gaps: list[int], lasting: list[int], start: int, length: int
) -> None:
    """Outages of one role never overlap one another: each begins where the pulse last was."""
    dark: set[int] = set()
    rows, at = [], 0
    for gap, seconds in zip(gaps, lasting, strict=False):
        at += gap
        rows.append(Outage(role="web", from_at=EPOCH + at * SECOND, to_at=EPOCH + (at + seconds) * SECOND))
        dark |= set(range(at, at + seconds))
        at += seconds
    with transaction.atomic():
        Outage.objects.bulk_create(rows)
        Outage.objects.create(role="worker", from_at=EPOCH, to_at=EPOCH + 200 * SECOND)
        overlap = nodes.outage_overlap(start=EPOCH + start * SECOND, end=EPOCH + (start + length) * SECOND)
        transaction.set_rollback(True)
    assert overlap.total_seconds() == len(dark & set(range(start, start + length)))


def test_a_node_is_alive_while_it_was_heard_lately_and_this_one_always(now: datetime) -> None:
    nodes.beat(role="web", now=now, name="a")
    assert nodes.is_alive("a", now=now + nodes.DEAD_AFTER - SECOND)
    assert not nodes.is_alive("a", now=now + nodes.DEAD_AFTER)
    assert not nodes.is_alive("b", now=now)
    assert nodes.is_alive(nodes.NAME, now=now)


def test_who_signs_off_is_gone_and_leaves_the_pulse(now: datetime) -> None:
    nodes.beat(role="web", now=now)
    nodes.beat(role="web", now=now, name="a")
    nodes.sign_off()
    assert set(Node.objects.values_list("name", flat=True)) == {"a"}
    assert Pulse.objects.get(role="web").seen_at == now
    nodes.sign_off()


def test_nodes_that_are_silent_for_a_day_are_forgotten(now: datetime) -> None:
    day = timedelta(days=1)
    nodes.beat(role="web", now=now - day - SECOND, name="old")
    nodes.beat(role="web", now=now - day + SECOND, name="young")
    assert nodes.prune(now=now) == 1
    assert Node.objects.get().name == "young"
