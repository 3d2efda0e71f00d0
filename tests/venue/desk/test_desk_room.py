"""The room on a director's desk: tables, the queue with reasons, and one key."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from runtime.models import Outbox, TopicEvent
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.forms import kept
from tournaments.models import Pairing
from tournaments.plan import drawing
from tournaments.play import event_control, table_play
from venue.calls import seats, table_filling
from venue.desk import desk_room as desks
from venue.models import Assignment, CallMode, EventRoom, Room
from venue.rooms import room_settings


def begin(desk: Desk, room: Room, mode: CallMode = CallMode.CONFIRMED) -> None:
    room_settings.set_room(event=desk.event, room=room, mode=mode, by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()


def post(client: Client, desk: Desk, name: str, act: str = "", **like: str) -> str:
    """Press a button of the desk, with the fields of its current page."""
    address = reverse(f"venue:{name}", args=[desk.event.key])
    fields = kept(client, reverse("tournaments:desk", args=[desk.event.key]), address, **like)
    return client.post(address, {**fields, "act": act}, follow=True).content.decode()


def test_a_director_chooses_the_room_and_who_calls(desk: Desk, room: Room, client: Client) -> None:
    page = reverse("venue:event_room", args=[desk.event.key])
    assert "Lamp Room" in client.get(page).content.decode()
    client.post(page, {"room": room.pk, "mode": "confirmed"})
    used = EventRoom.objects.get()
    assert (used.event_id, used.room_id, used.mode) == (desk.event.pk, room.pk, CallMode.CONFIRMED)
    client.post(page, {"saw": room_settings.compute_settings_key(used), "room": "", "mode": "confirmed"})
    assert not EventRoom.objects.exists()


@pytest.mark.long
def test_the_desk_proposes_and_one_tap_calls(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    assert 'data-key="c"' in page
    assert "Lamp Room" in page
    assert "later matches wait for this one" in page
    called = post(client, desk, "call_next")
    assert "Called to table 1." in called
    assert Assignment.objects.get().table.label == "1"
    post(client, desk, "call_next")
    last = Assignment.objects.order_by("-pk")[0].uid
    said = client.post(reverse("venue:call_next", args=[desk.event.key]), {"latest": last}, follow=True)
    assert "There is nothing to call" in said.content.decode()


@pytest.mark.long
def test_while_an_event_is_paused_the_desk_says_that_nothing_is_called(
    desk: Desk, room: Room, client: Client
) -> None:
    begin(desk, room)
    desk.do(event_control.pause_event)
    page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    assert "While the event is paused, no match is called." in page
    assert "No one is waiting for a table." not in page


def test_the_desk_proposes_what_call_next_calls_beside_an_event_by_hand(desk: Desk, room: Room) -> None:
    begin(desk, room, CallMode.BY_HAND)
    desk.announce(a_plan("single-elimination"), 4)
    begin(desk, room)

    shown = desks.load_event_room(desk.event, now=desk.now)
    assert len(shown.queue) == 6
    proposed = [(each.event, each.match) for each in shown.queue if each.table]
    assert [event for event, _match in proposed] == [desk.event.key] * 2
    made = table_filling.call_next(room=room, by=desk.director, now=desk.now)
    assert (made.pairing.tournament.key, made.pairing.key) == proposed[0]


@pytest.mark.long
def test_tables_are_freed_held_and_broken_from_the_desk(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    post(client, desk, "call_next")
    one = room.tables.get(label="1")
    for act, state, called in (
        ("take-back", "free", 0),
        ("hold", "held", 0),
        ("free", "free", 0),
        ("break", "broken", 0),
    ):
        post(client, desk, "change_table", table=one.key, act=act)
        one.refresh_from_db()
        assert (one.state, Assignment.objects.filter(ended_at=None).count()) == (state, called)
    assert (
        client.post(
            reverse("venue:change_table", args=[desk.event.key]), {"table": one.key, "act": "burn"}
        ).status_code
        == 404
    )


@pytest.mark.long
def test_both_here_is_playing(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    post(client, desk, "call_next")
    post(client, desk, "change_table", table=room.tables.get(label="1").key, act="here")
    assert Assignment.objects.get().started_at is not None
    assert desks.load_event_room(desk.event, now=desk.now).tables[0].call.state == "playing"


def test_the_queue_says_when_a_table_is_likely(desk: Desk, room: Room) -> None:
    begin(desk, room, CallMode.AUTOMATIC)
    table_filling.fill(room_id=room.pk, now=desk.now)
    queue = desks.load_event_room(desk.event, now=desk.now).queue
    # Two play, two wait: to 5 points as long as usual, and both tables are free at once.
    assert len(queue) == 2
    assert all(timedelta(minutes=10) < each.likely_at - desk.now < timedelta(hours=2) for each in queue)


@pytest.mark.long
def test_a_table_shows_how_its_match_stands_by_the_sheet(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room, CallMode.AUTOMATIC)
    table_filling.fill(room_id=room.pk, now=desk.now)
    call = Assignment.objects.filter(ended_at__isnull=True).order_by("pk")[0]
    used = EventRoom.objects.get()

    def shown() -> list[list[int | None]]:
        tables = desks.load_room(used, now=desk.now).tables
        return [[one.points for one in table.call.players] for table in tables if table.call]

    assert shown() == [[None, None], [None, None]]
    table_play.set_score(desk.event, call.pairing, (3, 1), now=desk.now)
    assert shown() == [[3, 1], [None, None]]
    # Anyone who sits there by another draw begins again.
    Pairing.objects.filter(pk=call.pairing_id).update(a=call.pairing.b, b=call.pairing.a)
    assert shown() == [[None, None], [None, None]]


def test_the_desk_reads_nothing_for_each_of_its_parts(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room, CallMode.AUTOMATIC)
    table_filling.fill(room_id=room.pk, now=desk.now)
    page = reverse("tournaments:desk", args=[desk.event.key])
    client.get(page)
    with CaptureQueriesContext(connection) as asked:
        client.get(page)
    again = Counter(one["sql"] for one in asked)
    assert {sql: times for sql, times in again.items() if times > 3} == {}


def test_a_score_only_notifies_pages_until_it_frees_a_table_or_player(
    desk: Desk, room: Room, client: Client
) -> None:
    begin(desk, room, CallMode.AUTOMATIC)
    table_filling.fill(room_id=room.pk, now=desk.now)
    row = Assignment.objects.filter(ended_at__isnull=True).order_by("pk")[0].pairing
    desk.announce(a_plan("single-elimination"), 4)
    other = desk.event
    room_settings.set_room(event=other, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    Outbox.objects.all().delete()
    TopicEvent.objects.all().delete()
    event, version = row.tournament, row.tournament.version

    table_play.set_score(event, row, (1, 0), now=desk.now)
    table_play.set_score(event, row, (1, 2), now=desk.now, flag="a")
    assert not Outbox.objects.exists()
    told = [(event.key, "changed"), (other.key, seats.ROOM)] * 2
    assert sorted(TopicEvent.objects.values_list("topic", "name")) == sorted(
        (f"event.{key}", name) for key, name in told
    )
    event.refresh_from_db()
    assert event.version == version + 2

    for state in ({"is_adjourned": True}, {}):
        table_play.set_score(event, row, (1, 2), now=desk.now, **state)
        assert Outbox.objects.filter(kind=table_filling.NEXT).exists()
        Outbox.objects.all().delete()
    table_play.set_score(event, row, None, now=desk.now)
    assert Outbox.objects.filter(kind=table_filling.NEXT).exists()


def test_a_row_shows_the_live_score_once(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room, CallMode.AUTOMATIC)
    table_filling.fill(room_id=room.pk, now=desk.now)
    call = Assignment.objects.filter(ended_at__isnull=True).order_by("pk")[0]
    table_play.set_score(desk.event, call.pairing, (3, 1), now=desk.now)
    page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    row = page.partition('class="room__table room__table--')[2].partition("</li>")[0]
    assert '<span class="match__sa num">3</span>' in row
    assert '<span class="match__sb num">1</span>' in row
    assert "3 – 1" not in row  # noqa: RUF001


@pytest.mark.parametrize("has_room", [True, False], ids=["room", "list"])
def test_a_match_that_needs_the_director_is_shown_once(
    desk: Desk, room: Room, client: Client, *, has_room: bool
) -> None:
    if has_room:
        begin(desk, room, CallMode.AUTOMATIC)
        table_filling.fill(room_id=room.pk, now=desk.now)
    else:
        desk.do(drawing.publish)
    row = desk.open()[0]
    Pairing.objects.filter(pk=row.pk).update(needs_director="dispute")
    page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    needs = page.partition('class="card needs"')[2].partition("</section>")[0]
    field = f'id="score-{row.stage_id}-{row.position}"'
    assert field in needs
    assert page.count(field) == 1
    assert page.count(f'id="m-{row.stage_id}-{row.position}"') == 1
    assert page.count('href="#desk-needs"') == has_room


@pytest.mark.parametrize("state", ["ready", "done"])
def test_the_skip_link_has_its_target_with_and_without_matches(
    desk: Desk, room: Room, client: Client, state: str
) -> None:
    begin(desk, room)
    page = client.get(reverse("tournaments:desk", args=[desk.event.key]), {"state": state}).content.decode()
    assert page.count('href="#desk-rows"') == 1
    assert page.count('id="desk-rows"') == 1
