"""How long matches take: at tables from the call on, elsewhere with what passes between two; desk and public page agree on the end."""

from __future__ import annotations

from datetime import timedelta

import pytest

from draw.forecast.room import Room
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.desk.test_end_forecast import begin, outlook
from tournaments.pages import event_parts, timetable
from tournaments.play import event_control
from venue.calls import calling, table_filling
from venue.desk import pace, room_queue
from venue.models import Assignment, EventRoom, TableState
from venue.rooms import breaks, rooms
from venue.rooms.breaks import PlannedBreak

pytestmark = pytest.mark.long


def play_what_was_called_first(desk: Desk) -> None:
    """End the match that was called first, and begin the next one at its table."""
    row = (
        Assignment.objects.filter(ended_at=None).order_by("called_at", "pk").select_related("pairing").first()
    )
    desk.play(row.pairing.key)
    table_filling.fill(room_id=row.table.room_id, now=desk.now)


def test_what_a_match_waited_for_a_table_is_not_in_its_time(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 16, "1-2")
    assert pace.compute_pace([desk.pk]) is None
    for _ in range(3):
        desk.now += timedelta(minutes=30)
        play_what_was_called_first(desk)
        play_what_was_called_first(desk)

    found = pace.compute_pace([desk.pk])
    assert (found.minutes_a_point, found.matches) == (6, 6)
    parts = event_parts.load_parts(desk.event.key, now=desk.now)
    assert parts.times.pace == found
    assert parts.times.basis.room.turnaround == Room().turnaround
    as_opened = timetable.measure_pace(parts.view)
    assert as_opened.minutes_a_point == 12
    used = EventRoom.objects.get(room=room)
    likely = [each.likely_at for each in room_queue.compute_queue(used, now=desk.now).queue if each.likely_at]
    # A match takes half an hour, and the first of two is over a little earlier.
    assert timedelta(minutes=20) <= likely[0] - desk.now <= timedelta(minutes=30)


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

    found = pace.compute_pace([desk.pk])
    assert found.minutes_a_point == 5


def test_the_time_of_a_pause_is_in_no_match(desk: Desk) -> None:
    begin(desk, "single-elimination", 8, "1-4")
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)
    desk.now += timedelta(hours=2)
    desk.do(event_control.resume_event)
    desk.now += timedelta(minutes=15)
    for _ in range(4):
        play_what_was_called_first(desk)
    found = pace.compute_pace([desk.pk])
    assert found.minutes_a_point == 5


@pytest.mark.parametrize("minutes", [20, 35, 50])
@pytest.mark.parametrize("form", ["single-elimination", "double-elimination", "progressive-consolation"])
def test_the_desk_and_the_public_page_agree_on_the_end(desk: Desk, form: str, minutes: int) -> None:
    desk.start(a_plan(form), 8)
    for _ in range(2):
        desk.now += timedelta(minutes=minutes)
        for row in desk.open():
            desk.play(row.key)
        ends = event_parts.load_parts(desk.event.key, now=desk.now).times.ends_at
        told = outlook(desk).evenings.forecast
        assert ends is not None
        assert ends == timetable.round_to_five_minutes(told.over_at())


def test_the_public_times_count_the_tables_of_the_room(desk: Desk) -> None:
    """Eight at two tables play four turns of 40 minutes: two first rounds, the semi-finals and the final."""
    begin(desk, "single-elimination", 8, "1-2")
    times = event_parts.load_parts(desk.event.key, now=desk.now).times
    view = event_parts.load_parts(desk.event.key, now=desk.now).view
    many = timetable.forecast_event(view, now=desk.now)
    # About a turn more than at many tables, where the slowest of each round is waited for.
    assert timedelta(minutes=25) <= times.ends_at - many.ends_at <= timedelta(minutes=55)
    told = outlook(desk).evenings.forecast
    assert timetable.round_to_five_minutes(told.over_at()) == times.ends_at


def test_the_public_times_count_the_breaks(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    before = event_parts.load_parts(desk.event.key, now=desk.now).times
    dinner = PlannedBreak(desk.now + timedelta(minutes=30), desk.now + timedelta(minutes=90), "Dinner")
    breaks.change_breaks(event=desk.event, change=lambda _before: [dinner], by=desk.director, now=desk.now)
    then = event_parts.load_parts(desk.event.key, now=desk.now).times
    assert before.begins["main/2.1"] < dinner.ends_at
    assert all(at >= dinner.ends_at for at in then.begins.values())
    # Fifty minutes of it come after the first round, in which the slowest match would have been awaited anyway.
    assert timedelta(minutes=30) <= then.ends_at - before.ends_at <= timedelta(minutes=55)


def test_an_event_without_a_free_table_tells_no_times(desk: Desk) -> None:
    room = begin(desk, "swiss", 4, "1-2", rounds=2)
    assert event_parts.load_parts(desk.event.key, now=desk.now).times.to_come
    Assignment.objects.update(ended_at=desk.now)
    room.tables.update(state=TableState.BROKEN)
    desk.now += timedelta(minutes=5)
    assert event_parts.load_parts(desk.event.key, now=desk.now).times == timetable.UNKNOWN
