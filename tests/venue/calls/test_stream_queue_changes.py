"""What a director wants on stream: the room's tables respect it, and two directors do not undo each other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from players.accounts import accounts
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.calls.test_table_filling import at_tables, work
from tests.venue.forms import kept
from tournaments.base.errors import ChangedMeanwhile, NotDirector
from tournaments.models import Pairing, PairingState
from tournaments.plan import drawing
from venue.calls import calling, stream_queue, stream_queue_changes, table_filling
from venue.desk import desk_room as desks
from venue.errors import NotForStream, StreamFull
from venue.models import Assignment, CallMode, QueueRun, Room, StreamedMatch, TableState, TableTag
from venue.queue import MatchId, compute_result
from venue.queue_files import read_room
from venue.rooms import room_settings, rooms
from venue.screens import overlays

pytestmark = pytest.mark.long


@pytest.fixture
def room(desk: Desk) -> Room:
    """A room of two tables, the first for the stream, and an event of eight in it that is drawn."""
    found = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)
    rooms.change_table(
        table=found.tables.get(label="1"),
        by=desk.director,
        label="1",
        state=TableState.FREE,
        tags=[TableTag.STREAM],
        now=desk.now,
    )
    desk.announce(a_plan("single-elimination"), 8)
    room_settings.set_room(
        event=desk.event, room=found, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    desk.fresh()
    return found


def ready(desk: Desk) -> list[str]:
    rows = Pairing.objects.filter(tournament=desk.event, state=PairingState.READY)
    return list(rows.order_by("position").values_list("key", flat=True))


def waiting_keys(desk: Desk) -> list[str]:
    rows = Pairing.objects.filter(tournament=desk.event, state=PairingState.WAITING)
    return list(rows.order_by("position").values_list("key", flat=True))


def want(desk: Desk, room: Room, *keys: str) -> None:
    """Have these on stream, in this order."""
    stream_queue_changes.change_queue(
        room=room,
        change=lambda _before: [MatchId(f"{desk.event.key}/{key}") for key in keys],
        saw=stream_queue.compute_version_key(stream_queue.list_streamed(room)),
        by=desk.director,
        now=desk.now,
    )


def queue(room: Room) -> list[str]:
    return [row.pairing.key for row in stream_queue.list_streamed(room)]


def test_what_is_next_on_stream_goes_to_the_streams_table(desk: Desk, room: Room) -> None:
    *_others, third, last = ready(desk)
    want(desk, room, last, third)
    work(desk)
    assert at_tables()["1"] == last
    assert at_tables()["2"] not in {last, third}
    assert queue(room) == [third]
    why = desks.load_event_room(desk.event, now=desk.now).tables[0].call.why
    assert why["stream"] is True
    run = QueueRun.objects.order_by("pk").last()
    asked = read_room(run.asked).room
    assert [call.why.split(";")[0] for call in compute_result(asked).calls][:1] == ["next on stream"]
    # The one that waits for the stream is passed over on the other table, and says why.
    desk.play(at_tables()["2"])
    work(desk)
    assert at_tables()["2"] != third
    (waits,) = [each for each in desks.load_event_room(desk.event, now=desk.now).queue if each.match == third]
    assert waits.why.startswith("waits for a table of the stream")
    desk.play(last)
    work(desk)
    assert at_tables()["1"] == third


def test_a_table_is_kept_for_what_is_about_to_be_ready_and_let_go_after_ten_minutes(
    desk: Desk, room: Room
) -> None:
    first, second, third, fourth = ready(desk)
    semi = Pairing.objects.get(tournament=desk.event, a_key=first, b_key=second).key
    calling.call(
        table=room.tables.get(label="1"), event=desk.event, key=first, by=desk.director, now=desk.now
    )
    calling.call(
        table=room.tables.get(label="2"), event=desk.event, key=second, by=desk.director, now=desk.now
    )
    want(desk, room, semi)
    desk.play(first)
    work(desk)
    # Table 1 waits for the semi-final, of which one match is still played.
    assert at_tables() == {"2": second}
    told = desks.load_event_room(desk.event, now=desk.now)
    assert told.tables[0].kept_for
    room.refresh_from_db()
    opened = Pairing.objects.get(tournament=desk.event, key=third).opened_at
    assert room.kept_until == told.tables[0].kept_until == opened + timedelta(minutes=10)
    assert not any(rows.exists() for rows in table_filling.query_due(desk.now))

    desk.now = room.kept_until
    assert any(rows.exists() for rows in table_filling.query_due(desk.now))
    assert table_filling.release_reserved(desk.now) == 1
    assert at_tables()["1"] in {third, fourth}
    room.refresh_from_db()
    assert room.kept_until is None
    assert table_filling.release_reserved(desk.now) == 0


def test_a_semi_final_on_stream_gets_the_table_that_was_kept_for_it(desk: Desk, room: Room) -> None:
    first, second, *_rest = ready(desk)
    semi = Pairing.objects.get(tournament=desk.event, a_key=first, b_key=second).key
    for label, key in (("1", first), ("2", second)):
        calling.call(
            table=room.tables.get(label=label), event=desk.event, key=key, by=desk.director, now=desk.now
        )
    want(desk, room, semi)
    desk.play(first)
    work(desk)
    desk.play(second)
    work(desk)
    assert at_tables()["1"] == semi
    assert Assignment.objects.get(ended_at=None, table__label="1").why["stream"] is True
    assert queue(room) == []


def test_a_call_that_is_taken_back_has_its_place_in_the_streams_queue_again(desk: Desk, room: Room) -> None:
    first, second, *_rest = ready(desk)
    want(desk, room, first, second)
    work(desk)
    assert queue(room) == [second]
    room.tables.update(state=TableState.HELD)
    calling.withdraw_call(assignment=Assignment.objects.get(table__label="1"), by=desk.director, now=desk.now)
    assert queue(room) == [first, second]


def test_who_saw_another_queue_changes_nothing(desk: Desk, room: Room) -> None:
    first, second, *_rest = ready(desk)
    want(desk, room, first)
    # No row has the number 0.
    for saw in ("", "0"):
        with pytest.raises(ChangedMeanwhile):
            stream_queue_changes.change_queue(
                room=room, change=lambda _before: [], saw=saw, by=desk.director, now=desk.now
            )
    assert queue(room) == [first]
    stranger = accounts.register(email="zoe@club.example", password=None, name="Zoe", now=desk.now)
    with pytest.raises(NotDirector):
        stream_queue_changes.change_queue(
            room=room, change=lambda _before: [], saw="", by=stranger, now=desk.now
        )
    want(desk, room, second, first)
    assert queue(room) == [second, first]


def test_only_what_is_still_to_be_called_here_can_be_wanted(desk: Desk, room: Room) -> None:
    first, second, *_rest = ready(desk)
    desk.play(first)
    calling.call(
        table=room.tables.get(label="1"), event=desk.event, key=second, by=desk.director, now=desk.now
    )
    for key in (first, second, "main/9.9"):
        with pytest.raises(NotForStream):
            want(desk, room, key)
    with pytest.raises(StreamFull):
        want(desk, room, *(f"main/{number}.1" for number in range(21)))
    assert not StreamedMatch.objects.exists()


def test_the_desk_adds_moves_and_removes(desk: Desk, room: Room, client: Client) -> None:
    room_settings.set_room(event=desk.event, room=room, mode=CallMode.BY_HAND, by=desk.director, now=desk.now)
    client.force_login(desk.director)
    page = reverse("tournaments:desk", args=[desk.event.key])
    address = reverse("venue:change_stream", args=[desk.event.key])
    first, second, *_rest = ready(desk)
    final = waiting_keys(desk)[-1]

    def press(act: str, key: str) -> str:
        fields = kept(client, page, address, match=f"{desk.event.key}/{key}")
        return client.post(address, {**fields, "act": act}, follow=True).content.decode()

    assert "The queue of the stream is changed." in press("add", first)
    press("add", second)
    # What is not ready yet is chosen on its own page.
    own = reverse("tournaments:pairing", args=[desk.event.key, final])
    shown = client.post(address, {**kept(client, own, address), "act": "add"}, follow=True).content.decode()
    assert "number 3 in the queue of the stream" in shown
    assert queue(room) == [first, second, final]
    old = kept(client, page, address, match=f"{desk.event.key}/{final}")
    press("up", final)
    assert queue(room) == [first, final, second]
    press("down", first)
    assert queue(room) == [final, first, second]
    press("remove", first)
    assert queue(room) == [final, second]
    said = client.post(address, {**old, "act": "remove"}, follow=True).content.decode()
    assert "The queue of the stream has changed since you looked." in said
    assert queue(room) == [final, second]
    assert client.post(address, {**old, "act": "burn"}).status_code == 404


def test_programs_read_and_order_the_queue(desk: Desk, room: Room) -> None:
    first, second, *_rest = ready(desk)
    address = f"/api/v1/rooms/{room.key}/stream/"
    client = APIClient()
    assert client.get(address).json() == {"seen": "", "matches": []}
    wanted = [{"event": desk.event.key, "match": key} for key in (second, first)]
    said = {"saw": "", "matches": wanted}
    assert client.put(address, said, format="json").status_code in {401, 403}
    client.force_authenticate(desk.director)
    told = client.put(address, said, format="json").json()
    assert [one["match"] for one in told["matches"]] == [second, first]
    assert all(one["ready"] and one["names"] for one in told["matches"])
    refused = client.put(address, {"saw": "", "matches": []}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "changed_meanwhile")
    assert client.put(address, {"saw": told["seen"], "matches": []}, format="json").json()["matches"] == []


def test_the_overlay_of_an_empty_table_says_what_is_next(desk: Desk, room: Room) -> None:
    first, *_rest = ready(desk)
    overlay = overlays.load_overlay(table=room.tables.get(label="1"), by=desk.director)
    other = overlays.load_overlay(table=room.tables.get(label="2"), by=desk.director)
    assert overlays.build_view(overlay, now=desk.now).next == ""
    want(desk, room, first)
    row = Pairing.objects.get(tournament=desk.event, key=first)
    said = overlays.build_view(overlay, now=desk.now).next
    assert row.a.player.public_name in said
    assert overlays.build_view(other, now=desk.now).next == ""
    work(desk)
    assert overlays.build_view(overlay, now=desk.now).next == ""
