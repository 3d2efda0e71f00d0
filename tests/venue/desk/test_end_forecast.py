"""When an event ends, and what if: on the desk, asked by its directors, and nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from draw.forecast.what_if import Question
from tests.calls import calls_of
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Tournament
from tournaments.plan import drawing
from tournaments.play import event_control
from venue.calls import table_filling
from venue.desk import end_forecast
from venue.models import Assignment, CallMode, Room, TableState
from venue.rooms import room_settings, rooms


@pytest.fixture
def clock(desk: Desk) -> Iterator[None]:
    """The evening of the event."""
    with time_machine.travel(desk.now, tick=False):
        yield


def begin(desk: Desk, form: str = "swiss", players: int = 12, tables: str = "1-4", **options: Any) -> Room:
    """Begin an event in a room of four tables."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels=tables, now=desk.now)
    desk.announce(a_plan(form, **options), players)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    desk.fresh()
    table_filling.fill(room_id=room.pk, now=desk.now)
    return room


def outlook(desk: Desk) -> end_forecast.Outlook:
    found = end_forecast.forecast_end(
        Tournament.objects.select_related("club").get(pk=desk.event.pk), now=desk.now
    )
    assert found is not None
    return found


def load_forecast(client: Client, desk: Desk, status: int = 200, **asked: str) -> str:
    client.force_login(desk.director)
    answer = client.get(
        reverse("venue:what_if", args=[desk.event.key]), asked, headers={"HX-Request": "true"}
    )
    assert answer.status_code == status
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.long
def test_the_desk_has_it_and_the_unchanged_question_says_the_same(
    desk: Desk, client: Client, clock: None
) -> None:
    begin(desk, rounds=4)
    told = outlook(desk)
    assert (told.tables, told.minutes_a_point) == (4, 8)
    assert len(told.evenings.room.started) == 4
    client.force_login(desk.director)
    page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    address = reverse("venue:what_if", args=[desk.event.key])
    assert f'hx-get="{address}"' in page

    span = f"{told.span.early}–{told.span.late}"  # noqa: RUF001
    assert f"Ends {span}" in load_forecast(client, desk)
    same = load_forecast(client, desk, tables="4", points="0", last_round="4", leaving="0")
    assert "About the same time." in same
    assert same.count(span) == 3
    whole = client.get(address, {"tables": "4"}).content.decode()
    assert "<html" in whole
    assert "About the same time." in whole


@pytest.mark.long
def test_tables_lengths_rounds_and_players_move_it(desk: Desk, client: Client, clock: None) -> None:
    begin(desk, rounds=4)
    rows = Assignment.objects.count()
    for asked, way in (
        ({"tables": "2"}, "later"),
        ({"tables": "6"}, "earlier"),
        ({"points": "2"}, "later"),
        ({"points": "-2"}, "earlier"),
        ({"last_round": "3"}, "earlier"),
        ({"leaving": "6"}, "earlier"),
    ):
        page = load_forecast(client, desk, **asked)
        assert re.search(rf"About \d:\d\d h {way}\.", page), asked
        assert "<details" in page
    assert Assignment.objects.count() == rows
    assert outlook(desk).what_if(Question(points=-4)).minutes < 0


@pytest.mark.long
def test_what_cannot_be_asked_is_said_at_its_field(desk: Desk, client: Client, clock: None) -> None:
    begin(desk, rounds=4)
    for asked, said in (
        ({"tables": "0"}, "greater than or equal to 1"),
        ({"tables": "100"}, "less than or equal to 99"),
        ({"tables": "many"}, "Enter a whole number."),
        ({"tables": ""}, "This field is required."),
        ({"points": "5"}, "Select a valid choice."),
        ({"last_round": "9"}, "Select a valid choice."),
        ({"last_round": "0"}, "Select a valid choice."),
        ({"leaving": "-1"}, "greater than or equal to 0"),
        ({"leaving": "11"}, "less than or equal to 10"),
    ):
        page = load_forecast(client, desk, status=422, **asked)
        assert said in page, asked
        assert "correct the marked fields" in page
        assert "Ends " in page
    assert "correct the marked fields" not in load_forecast(client, desk, of="something else")


@pytest.mark.long
def test_it_counts_the_tables_that_are_in_order_and_not_those_of_others(desk: Desk, clock: None) -> None:
    room = begin(desk, rounds=3)
    assert outlook(desk).tables == 4
    rooms.add_tables(room=room, by=desk.director, labels="5-6", now=desk.now)
    table_filling.fill(room_id=room.pk, now=desk.now)
    assert outlook(desk).tables == 6
    rooms.add_tables(room=room, by=desk.director, labels="7", now=desk.now)
    seven = room.tables.get(label="7")
    rooms.set_state(table=seven, by=desk.director, state=TableState.HELD, now=desk.now)
    assert outlook(desk).tables == 6


@pytest.mark.long
def test_two_events_in_a_room_count_no_table_twice(desk: Desk, clock: None) -> None:
    room = begin(desk, players=4, rounds=3)
    assert outlook(desk).tables == 4
    first = desk.event
    # Four of them play in the other event: those wait.
    desk.announce(a_plan("swiss", rounds=3), 16)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    desk.fresh()
    table_filling.fill(room_id=room.pk, now=desk.now)
    assert outlook(desk).tables == 2
    desk.event = first
    assert outlook(desk).tables == 2


@pytest.mark.long
def test_without_a_room_there_are_as_many_as_are_wanted(desk: Desk, client: Client, clock: None) -> None:
    desk.announce(a_plan("double-elimination"), 8)
    desk.do(drawing.publish)
    desk.fresh()
    assert outlook(desk).tables == 0
    page = load_forecast(client, desk, tables="", points="0")
    assert "About the same time." in page
    assert "there are always enough tables" in page
    assert "last_round" not in page
    assert re.search(r"About \d:\d\d h later\.", load_forecast(client, desk, tables="1"))


@pytest.mark.long
def test_where_nobody_can_know_it_says_so(desk: Desk, client: Client, clock: None) -> None:
    room = begin(desk, rounds=3)
    for table in room.tables.all():
        Assignment.objects.filter(table=table).update(ended_at=desk.now)
        rooms.set_state(table=table, by=desk.director, state=TableState.BROKEN, now=desk.now)
    assert "No forecast of the end" in load_forecast(client, desk, tables="2")
    desk.do(event_control.pause_event, reason="The lights went out.")
    assert "No forecast of the end" in load_forecast(client, desk)
    page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    assert "what-if" not in page


@pytest.mark.long
def test_an_end_that_is_far_away_names_the_day(desk: Desk, clock: None) -> None:
    begin(desk, players=32, tables="1-2", rounds=5)
    assert re.fullmatch(r"\w{3} \d+ \w{3} \d\d:\d\d", outlook(desk).span.late)


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "players", "options"),
    [
        ("single-elimination", 9, {"redraw": True}),
        ("progressive-consolation", 9, {}),
        ("last-chance", 8, {}),
        ("feed-in", 7, {}),
        ("double-elimination", 7, {}),
        ("swiss", 7, {"rounds": 3}),
        ("lives", 7, {"lives": 2, "until": 2}),
        ("groups", 8, {"groups": 2}),
    ],
)
def test_it_can_be_asked_after_every_result(
    desk: Desk, clock: None, form: str, players: int, options: dict[str, Any]
) -> None:
    desk.announce(a_plan(form, **options), players)
    desk.do(drawing.publish)
    desk.fresh()
    while ready := desk.open():
        told = outlook(desk)
        assert told.what_if(Question()).span == told.span
        stop = told.rest.stops[0] if told.rest.stops else None
        for leaving in {0, 1, told.rest.most_leaving}:
            told.what_if(Question(tables=1, points=-4, last_round=stop, leaving=leaving))
        desk.play(ready[0].key)
    assert desk.fresh().status == "FINISHED"


# A tenth of a second of an ordinary processor is about a million.
MOST_CALLS = 700_000


@pytest.mark.long
def test_sixty_four_players_are_little_work(desk: Desk, clock: None) -> None:
    begin(desk, "double-elimination", 64, "1-16")
    event = Tournament.objects.select_related("club").get(pk=desk.event.pk)

    def ask() -> None:
        found = end_forecast.forecast_end(event, now=desk.now + timedelta(minutes=10))
        found.what_if(Question(tables=14, leaving=2))

    ask()
    assert calls_of(ask) < MOST_CALLS


def test_one_time_is_not_an_interval(desk: Desk, client: Client, clock: None) -> None:
    """The last match is long overdue, so that all simulations agree."""
    begin(desk, "single-elimination", players=2)
    desk.now += timedelta(hours=4)
    with time_machine.travel(desk.now, tick=False):
        told = outlook(desk)
        assert told.span.early == told.span.late

        page = load_forecast(client, desk)
        assert f"Ends about {told.span.early} <" in page
        assert "it ends within a few minutes of this time." in page
        assert "between these times" not in page
        assert f"<strong>{told.span.early}</strong>" in load_forecast(client, desk, tables="4")
