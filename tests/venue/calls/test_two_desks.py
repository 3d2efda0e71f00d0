"""Two directors at one room: who acts from a page that is old by now is notified, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.clubs import clubs
from tests.tournaments.event_desk import Desk
from tests.venue.desk.test_desk_room import begin
from tests.venue.forms import kept
from tournaments.models import Pairing, PairingState
from tournaments.play import arrivals
from venue.calls import calling, tables
from venue.models import Assignment, CallMode, EventRoom, Room, TableState
from venue.rooms import room_settings, rooms

pytestmark = pytest.mark.long

AGAIN = "Nothing has been done yet: please look again."


def ready(desk: Desk) -> list[str]:
    rows = Pairing.objects.filter(tournament=desk.event, state=PairingState.READY)
    return list(rows.order_by("key").values_list("key", flat=True))


def at_desk(desk: Desk) -> str:
    return reverse("tournaments:desk", args=[desk.event.key])


def send(client: Client, address: str, fields: dict[str, str]) -> str:
    return client.post(address, fields, follow=True).content.decode()


@pytest.mark.parametrize("act", ["take-back", "here", "break"])
def test_an_old_desk_does_nothing_to_the_match_that_is_there_now(
    desk: Desk, room: Room, client: Client, act: str
) -> None:
    begin(desk, room)
    one = room.tables.get(label="1")
    address = reverse("venue:change_table", args=[desk.event.key])
    first, second, *_ = ready(desk)
    was = calling.call(table=one, event=desk.event, key=first, by=desk.director, now=desk.now)
    fields = kept(client, at_desk(desk), address, table=one.key)
    desk.now += timedelta(minutes=1)
    calling.withdraw_call(assignment=was, by=desk.director, now=desk.now)
    calling.call(table=one, event=desk.event, key=second, by=desk.director, now=desk.now)

    said = send(client, address, {**fields, "act": act})

    there = Assignment.objects.get(pairing__key=second)
    assert (there.ended_at, there.started_at) == (None, None)
    one.refresh_from_db()
    assert one.state == TableState.FREE
    assert "are at table 1 now." in said
    assert AGAIN in said
    # After a reload the director may do it.
    assert AGAIN not in send(
        client, address, {**kept(client, at_desk(desk), address, table=one.key), "act": act}
    )


@pytest.mark.parametrize(("state", "act"), [("broken", "hold"), ("held", "break"), ("broken", "break")])
def test_a_table_that_was_changed_meanwhile_stays_so(
    desk: Desk, room: Room, client: Client, state: str, act: str
) -> None:
    begin(desk, room)
    one = room.tables.get(label="1")
    address = reverse("venue:change_table", args=[desk.event.key])
    fields = kept(client, at_desk(desk), address, table=one.key)
    rooms.set_state(table=one, by=desk.director, state=TableState(state), now=desk.now)

    said = send(client, address, {**fields, "act": act})

    one.refresh_from_db()
    assert one.state == state
    assert AGAIN in said


def test_a_table_that_was_called_to_meanwhile_is_not_held(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    one = room.tables.get(label="1")
    address = reverse("venue:change_table", args=[desk.event.key])
    fields = kept(client, at_desk(desk), address, table=one.key)
    calling.call(table=one, event=desk.event, key=ready(desk)[0], by=desk.director, now=desk.now)
    assert AGAIN in send(client, address, {**fields, "act": "hold"})
    one.refresh_from_db()
    assert one.state == TableState.FREE


def test_an_old_page_does_not_move_a_match_that_was_called_meanwhile(
    desk: Desk, room: Room, client: Client
) -> None:
    begin(desk, room)
    one, two = room.tables.order_by("position")
    key = ready(desk)[0]
    page = reverse("tournaments:pairing", args=[desk.event.key, key])
    address = reverse("venue:call", args=[desk.club.slug, two.key])
    fields = kept(client, page, address)
    calling.call(table=one, event=desk.event, key=key, by=desk.director, now=desk.now)

    said = send(client, address, fields)

    assert Assignment.objects.get(pairing__key=key, ended_at=None).table_id == one.pk
    assert "This match is at table 1 now." in said
    send(client, address, kept(client, page, address))
    assert Assignment.objects.get(pairing__key=key, ended_at=None).table_id == two.pk


def test_a_match_that_others_play_by_now_is_not_called(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    row = desk.open()[0]
    page = reverse("tournaments:pairing", args=[desk.event.key, row.key])
    address = reverse("venue:call", args=[desk.club.slug, room.tables.get(label="1").key])
    fields = kept(client, page, address)
    guest = clubs.add_guest(club=desk.club, name="Somebody Else", by=desk.director, now=desk.now)
    desk.do(arrivals.substitute_player, entry=row.a.number, player_key=guest.key, reason="has to leave")

    said = send(client, address, fields)

    assert "This match is now" in said
    assert not Assignment.objects.exists()


def test_one_key_pressed_at_two_desks_calls_one_match(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    address = reverse("venue:call_next", args=[desk.event.key])
    fields = kept(client, at_desk(desk), address)
    assert "Called to table 1." in send(client, address, fields)
    said = send(client, address, fields)
    assert "The tables have changed since you looked." in said
    assert Assignment.objects.count() == 1
    assert "Called to table 2." in send(client, address, kept(client, at_desk(desk), address))


def test_a_table_s_page_that_is_old_saves_nothing_and_shows_what_was_typed(
    desk: Desk, room: Room, client: Client
) -> None:
    begin(desk, room)
    one = room.tables.get(label="1")
    page = reverse("venue:table", args=[desk.club.slug, one.key])
    mine = {"saw": tables.compute_settings_key(one), "label": "Window", "state": "free", "tags": ["clock"]}
    who = {"by": desk.director, "now": desk.now}
    rooms.change_table(table=one, label="1", state=TableState.BROKEN, tags=[], **who)

    said = client.post(page, mine)

    one.refresh_from_db()
    assert (said.status_code, one.label, one.state) == (422, "1", TableState.BROKEN)
    shown = said.content.decode()
    assert AGAIN in shown
    assert 'value="Window"' in shown
    assert AGAIN in send(client, page, {"saw": mine["saw"], "remove": "1"})
    assert AGAIN in send(client, page, {"remove": "1"})
    # Anyone who has looked again, and still wants it, has it.
    client.post(page, {**mine, "saw": tables.compute_settings_key(one)})
    one.refresh_from_db()
    assert (one.label, one.state, one.tags) == ("Window", TableState.FREE, ["clock"])


def test_of_two_who_choose_who_calls_the_second_is_told(desk: Desk, room: Room, client: Client) -> None:
    begin(desk, room)
    page = reverse("venue:event_room", args=[desk.event.key])
    old = {
        "saw": room_settings.compute_settings_key(EventRoom.objects.get()),
        "room": room.pk,
        "mode": "automatic",
    }
    room_settings.set_room(event=desk.event, room=room, mode=CallMode.BY_HAND, by=desk.director, now=desk.now)

    said = client.post(page, old)

    used = EventRoom.objects.get()
    assert (said.status_code, used.mode) == (422, CallMode.BY_HAND)
    assert AGAIN in said.content.decode()
    client.post(page, {**old, "saw": room_settings.compute_settings_key(used)})
    assert EventRoom.objects.get().mode == CallMode.AUTOMATIC
