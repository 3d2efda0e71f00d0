"""One forecast: the desk, the public page, the bracket, a player's own page, the API and the screens tell the same times."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from careers import my_matches
from draw.drawing.layout import Column
from draw.event import Key
from players.models import User
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.desk.test_end_forecast import outlook
from tests.venue.screens.test_screens import bound
from tournaments.base import local_times
from tournaments.pages import bracket_display, event_parts, timetable
from tournaments.pages.event_parts import EventParts
from tournaments.plan import drawing
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import entering, event_control, incidents
from venue.calls import table_filling
from venue.desk import end_forecast, room_queue
from venue.models import Assignment, CallMode, Show
from venue.rooms import breaks, room_settings, rooms
from venue.rooms.breaks import PlannedBreak
from venue.screens import wall

pytestmark = pytest.mark.long

FORMATS: list[tuple[str, dict[str, Any]]] = [
    ("single-elimination", {}),
    ("single-elimination", {"redraw": True}),
    ("progressive-consolation", {}),
    ("last-chance", {}),
    ("feed-in", {}),
    ("double-elimination", {}),
    ("swiss", {"rounds": 4}),
    ("lives", {"lives": 2}),
    ("round-robin", {}),
    ("groups", {"groups": 2}),
]
GROUPS_FIRST = (
    StagePlan(format="groups", name="groups", options={"groups": 2}),
    StagePlan(
        format="single-elimination",
        name="final",
        takes=({"stage": "groups", "first": 1, "last": 2, "each_group": True},),
    ),
)


@pytest.fixture
def ada(desk: Desk) -> User:
    """A member who plays, with a page of her own."""
    return desk.member("Ada")


def begin(desk: Desk, ada: User, plan: Plan) -> None:
    """Begin an event of nine at three tables, with a break an hour from now."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now)
    desk.announce(plan, 8)
    entering.enter_own_player(tournament_id=desk.pk, user=ada, now=desk.now)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    lunch = PlannedBreak(desk.now + timedelta(minutes=62), desk.now + timedelta(minutes=97), "Lunch")
    breaks.change_breaks(event=desk.event, change=lambda _before: [lunch], by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()
    table_filling.fill(room_id=room.pk, now=desk.now)


def told_starts(parts: EventParts) -> set[datetime]:
    """Return when anything begins, by the forecast."""
    return {*parts.times.begins.values(), *(each.begins_at for each in parts.times.to_come)}


def first_of(parts: EventParts, column: Column) -> str:
    """Return when the first match of a round begins, as the picture writes it."""
    numbers = {box.key for box in column.boxes}
    return timezone.localtime(min(at for key, at in parts.times.begins.items() if key in numbers)).isoformat()


def require_queue(desk: Desk, parts: EventParts) -> None:
    """The queue simulates a room, not an event.

    Its times agree with the event's, up to one step of the clock.
    """
    evenings = parts.times.basis.play()
    steps = {step.key: number for number, step in enumerate(evenings.rest.steps)}
    for one in room_queue.compute_queue(desk.event.played_in, now=desk.now).queue:
        key = one.match.id.partition("/")[2]
        begins = evenings.begins_at(steps[Key(key)])
        assert begins is not None
        assert abs(one.likely_at - timetable.round_start(begins, evenings.room.breaks)) <= local_times.SLOT
        for to_come, at in parts.times.begins.items():
            play = parts.view.by_key[to_come]
            assert key not in (play.a_key, play.b_key) or one.likely_at < at


def require_one_forecast(desk: Desk, client: Client, ada: User) -> None:
    """Compare the times of all pages and services."""
    event = desk.fresh()
    parts = event_parts.load_parts(event.key, now=desk.now)
    ends = parts.times.ends_at
    assert ends is not None
    zone = event.club.time_zone

    require_queue(desk, parts)

    # The desk.
    told = outlook(desk)
    assert told.times == parts.times
    assert parts.times.late is not None
    assert parts.times.early <= ends <= parts.times.late
    assert told.span.early.endswith(local_times.format_hour(parts.times.early, zone))
    assert told.span.late.endswith(local_times.format_hour(parts.times.late, zone))
    client.force_login(desk.director)
    page = client.get(reverse("venue:what_if", args=[event.key])).content.decode()
    assert f"Ends {told.span.early}–{told.span.late}" in page  # noqa: RUF001
    client.logout()

    # The public page, and a screen.
    page = client.get(event.get_absolute_url()).content.decode()
    assert re.search(
        rf'ends\s+about\s+<time datetime="[^"]+"[^>]*>{local_times.format_hour(ends, zone)}</time>', page
    )
    screen = bound(desk, f"Bar {desk.now:%H%M}", [Show.CLOCK])
    assert wall.build_wall(screen, now=desk.now).ends_at == ends

    # The bracket, and the rounds beside the pips.
    with timezone.override(zone):
        for part in parts.view.parts:
            for block in (
                bracket_display.build_blocks(parts.view, part, "", parts.times) if part.is_sheet else ()
            ):
                for column in block.columns:
                    if column.begins:
                        assert f'data-at="{first_of(parts, column)}"' in column.begins
    for leg in parts.progress.legs:
        assert leg.begins_at is None or leg.begins_at in told_starts(parts)

    # A player's own page, and its answer in the API.
    shown = my_matches.load_my_matches(ada.player, ada, now=desk.now).events[0]
    assert shown.ends_at == ends
    client.force_login(ada)
    answer = client.get("/api/v1/me/matches/").json()
    assert answer["events"][0]["ends_at"][:16] == f"{ends:%Y-%m-%dT%H:%M}"
    starts = [
        datetime.fromisoformat(at) for step in answer["events"][0]["ahead"] if (at := step["begins_at"])
    ]
    assert set(starts) <= told_starts(parts)
    client.logout()

    # Nothing begins in a break, before what leads to it, or when all is over.
    spans = told.evenings.room.breaks
    for at in told_starts(parts):
        assert desk.now < at < ends
        assert not any(since <= at < until for since, until in spans)
    for key, at in parts.times.begins.items():
        play = parts.view.by_key[key]
        for source in (play.a_key, play.b_key):
            assert source not in parts.times.begins or parts.times.begins[source] < at


@pytest.mark.parametrize(
    "plan",
    [*(a_plan(form, **options) for form, options in FORMATS), a_plan(GROUPS_FIRST)],
    ids=[*("-".join((form, *options)) for form, options in FORMATS), "groups-then-knock-out"],
)
def test_everybody_is_told_the_same_end_and_the_same_starts(
    desk: Desk, client: Client, ada: User, plan: Plan
) -> None:
    with time_machine.travel(desk.now, tick=False) as clock:
        begin(desk, ada, plan)
        require_one_forecast(desk, client, ada)
        for minutes in (26, 24, 51):
            desk.now += timedelta(minutes=minutes)
            clock.move_to(desk.now)
            for row in Assignment.objects.filter(ended_at=None).select_related("pairing").order_by("pk")[:2]:
                desk.play(row.pairing.key)
            table_filling.fill(room_id=desk.event.played_in.room_id, now=desk.now)
            require_one_forecast(desk, client, ada)


def test_rounds_by_appointment_tell_no_time(desk: Desk) -> None:
    """The matches of a league have deadlines, and no forecast."""
    desk.start(a_plan([StagePlan(format="round-robin", round_days=7)]), 6)
    parts = event_parts.load_parts(desk.event.key, now=desk.now)
    assert parts.times == timetable.UNKNOWN
    assert end_forecast.forecast_end(desk.fresh(), now=desk.now) is None


def test_the_time_of_a_pause_is_in_no_match_without_a_room_either(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 16)
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)
    desk.now += timedelta(hours=2)
    desk.do(event_control.resume_event)
    desk.now += timedelta(minutes=20)
    for row in desk.open()[:4]:
        desk.play(row.key)
    times = event_parts.load_parts(desk.event.key, now=desk.now).times
    assert times.pace.minutes_a_point == 6
    assert times.ends_at < desk.now + timedelta(minutes=140)


def test_a_match_at_a_table_is_no_further_after_a_pause(desk: Desk, ada: User) -> None:
    begin(desk, ada, a_plan("single-elimination"))
    called = desk.now
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=40)
    desk.do(event_control.resume_event)
    desk.now += timedelta(minutes=10)
    basis = event_parts.load_parts(desk.event.key, now=desk.now).times.basis
    assert set(basis.room.started.values()) == {called + timedelta(minutes=40)}


def test_the_end_of_a_pause_moves_a_call_to_a_table_of_no_room_once(desk: Desk, ada: User) -> None:
    begin(desk, ada, a_plan("single-elimination"))
    row = next(each for each in desk.open() if each.called_at is None)
    desk.do(incidents.call_match, key=row.key, table="Bar")
    called = desk.now
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=40)
    desk.do(event_control.resume_event)
    desk.now += timedelta(minutes=10)
    basis = event_parts.load_parts(desk.event.key, now=desk.now).times.basis
    assert basis.room.started[Key(row.key)] == called + timedelta(minutes=40)
