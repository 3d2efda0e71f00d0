"""How long matches take: at tables from the call on, elsewhere with what passes between two; desk and public page agree on the end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.tournaments.desk import a_plan
from tests.venue.test_ending import begin, outlook
from tournaments.selectors import event_parts, timetable
from venue.models import Assignment, EventRoom
from venue.selectors import pace, queued
from venue.services import calling, filling, rooms

if TYPE_CHECKING:
    from tests.tournaments.desk import Desk

pytestmark = pytest.mark.long


def play_what_was_called_first(desk: Desk) -> None:
    """Let the match end that is the longest at its table, and the next one begin there."""
    row = (
        Assignment.objects.filter(ended_at=None).order_by("called_at", "pk").select_related("pairing").first()
    )
    assert row is not None
    desk.play(row.pairing.key)
    assert row.table is not None
    filling.fill(room_id=row.table.room_id, now=desk.now)


def test_what_a_match_waited_for_a_table_is_not_in_its_time(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 16, "1-2")
    assert pace.at_tables([desk.pk]) is None
    for _ in range(3):
        desk.now += timedelta(minutes=30)
        play_what_was_called_first(desk)
        play_what_was_called_first(desk)

    found = pace.at_tables([desk.pk])
    assert found is not None
    assert (found.minutes_a_point, found.matches) == (6, 6)
    assert pace.of(desk.event, has_room=True, now=desk.now) == (found, pace.TURNAROUND)
    as_opened = timetable.pace_of(event_parts.of(desk.event.key, now=desk.now).view)
    assert as_opened is not None
    assert as_opened.minutes_a_point == 12
    used = EventRoom.objects.get(room=room)
    likely = [each.likely_at for each in queued.of(used, now=desk.now).queue if each.likely_at]
    assert timedelta(minutes=30) <= likely[0] - desk.now <= timedelta(minutes=35)


def test_a_match_that_was_moved_began_at_its_first_table(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 8, "1-4")
    desk.now += timedelta(minutes=10)
    rooms.add_tables(room=room, by=desk.director, labels="5-8", now=desk.now)
    for number, row in enumerate(Assignment.objects.select_related("pairing").order_by("pk"), 5):
        table = room.tables.get(label=str(number))
        calling.move(table=table, event=desk.event, key=row.pairing.key, by=desk.director, now=desk.now)
    desk.now += timedelta(minutes=15)
    for _ in range(4):
        play_what_was_called_first(desk)

    found = pace.at_tables([desk.pk])
    assert found is not None
    assert found.minutes_a_point == 5


@pytest.mark.parametrize("minutes", [20, 35, 50])
@pytest.mark.parametrize("form", ["single-elimination", "double-elimination", "progressive-consolation"])
def test_the_desk_and_the_public_page_agree_on_the_end(desk: Desk, form: str, minutes: int) -> None:
    desk.start(a_plan(form), 8)
    for _ in range(2):
        desk.now += timedelta(minutes=minutes)
        for row in desk.open():
            desk.play(row.key)
        ends = event_parts.of(desk.event.key, now=desk.now).times.ends_at
        told = outlook(desk).evenings.forecast
        assert ends is not None
        # They count the matches alike; between them is that one page plays the rest by chance, and the other takes each as usual.
        assert told.over_at(0.0) - timedelta(minutes=10) <= ends <= told.over_at(1.0)
        assert abs(told.over_at() - ends) < timedelta(minutes=minutes)
