"""Rooms and tables, as directors set them up and everybody sees them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from players.models import NameStyle, Player
from runtime.models import TopicEvent
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.errors import ChangedMeanwhile, NotDirector
from tournaments.plan import drawing
from venue.calls import calling, seats, tables
from venue.errors import BadTables, RoomNameTaken, TableLabelTaken, TooManyTables
from venue.models import Assignment, CallMode, Room, Table, TableState, TableTag
from venue.rooms import room_settings, rooms


def opened(desk: Desk, labels: str = "1-3", name: str = "Lamp Room") -> Room:
    return rooms.open_room(club=desk.club, by=desk.director, name=name, labels=labels, now=desk.now)


def labels_of(room: Room) -> list[str]:
    return list(room.tables.values_list("label", flat=True))


def test_tables_are_written_as_a_span_and_names_and_stand_in_that_order(desk: Desk) -> None:
    room = opened(desk, " 9 - 11, bar,\n2;Window  left,")
    assert labels_of(room) == ["9", "10", "11", "bar", "2", "Window left"]
    rooms.add_tables(room=room, by=desk.director, labels="1", now=desk.now)
    assert labels_of(room)[-1] == "1"


@pytest.mark.parametrize(
    ("labels", "refusal"),
    [
        ("1-3, 2", TableLabelTaken),
        ("bar, bar", TableLabelTaken),
        ("8-1", BadTables),
        ("the long table by the window", BadTables),
        ("1-201", TooManyTables),
        ("1-150, 151-300", TooManyTables),
    ],
)
def test_tables_that_cannot_be_told_apart_or_are_too_many_are_refused_and_leave_no_room(
    desk: Desk, labels: str, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        opened(desk, labels)
    assert not Room.objects.exists()


def test_a_name_is_given_once_a_club(desk: Desk) -> None:
    opened(desk)
    with pytest.raises(RoomNameTaken):
        opened(desk, name=" Lamp  Room ")


def test_a_table_is_held_tagged_renamed_and_removed(desk: Desk) -> None:
    table = opened(desk).tables.get(label="2")
    tags = [TableTag.CLOCK, TableTag.STREAM, TableTag.CLOCK]
    rooms.change_table(
        table=table, by=desk.director, label="TV", state=TableState.HELD, tags=tags, now=desk.now
    )
    table.refresh_from_db()
    assert (table.label, table.state, table.tags) == ("TV", "held", ["stream", "clock"])
    with pytest.raises(TableLabelTaken):
        rooms.change_table(
            table=table, by=desk.director, label="3", state=TableState.FREE, tags=(), now=desk.now
        )
    rooms.remove_table(table=table, by=desk.director, now=desk.now)
    assert labels_of(Room.objects.get()) == ["1", "3"]


def test_open_desks_are_told_of_each_change(desk: Desk) -> None:
    room = opened(desk)
    desk.announce(a_plan("single-elimination"), 4)
    who = {"by": desk.director, "now": desk.now}
    room_settings.set_room(event=desk.event, room=room, mode=CallMode.BY_HAND, **who)
    desk.do(drawing.publish)
    told = TopicEvent.objects.filter(topic=f"event.{desk.event.key}", name=seats.ROOM)
    table = room.tables.get(label="2")
    for act in (
        lambda: rooms.add_tables(room=room, labels="4", **who),
        lambda: rooms.change_table(table=table, label="TV", state=TableState.FREE, tags=(), **who),
        lambda: rooms.remove_table(table=table, **who),
    ):
        before = told.count()
        act()
        assert told.count() == before + 1


def test_a_match_at_a_table_that_is_set_to_broken_waits_again(desk: Desk) -> None:
    table = opened(desk).tables.get(label="1")
    desk.start(a_plan("single-elimination"), 4)
    who = {"by": desk.director, "now": desk.now}
    calling.call(table=table, event=desk.event, key="main/1.1", **who)
    with pytest.raises(ChangedMeanwhile):
        rooms.change_table(table=table, label="1", state=TableState.BROKEN, tags=(), saw="old", **who)
    assert Assignment.objects.filter(ended_at=None).exists()

    rooms.change_table(table=table, label="1", state=TableState.BROKEN, tags=(), **who)
    assert not Assignment.objects.filter(ended_at=None).exists()
    assert desk.row("main/1.1").table == ""


def test_a_match_at_a_table_that_is_renamed_is_at_the_new_name_everywhere(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    room = opened(desk)
    room_settings.set_room(event=desk.event, room=room, mode=CallMode.BY_HAND, by=desk.director, now=desk.now)
    table, (key, _) = room.tables.get(label="1"), sorted(desk.pairs())
    who = {"by": desk.director, "now": desk.now}
    calling.call(table=table, event=desk.event, key=key, **who)
    version = desk.fresh().version

    rooms.change_table(table=table, label=" Stream", state=TableState.FREE, tags=(), **who)
    assert desk.row(key).table == "Stream"
    assert desk.fresh().version > version
    made = Assignment.objects.get(ended_at__isnull=True)
    assert (made.table, made.pairing.key) == (table, key)
    with pytest.raises(TableLabelTaken):
        rooms.change_table(table=table, label="2", state=TableState.FREE, tags=(), **who)
    assert desk.row(key).table == "Stream"


def test_the_database_holds_labels_and_states_whoever_writes(desk: Desk) -> None:
    room = opened(desk)
    for wrong in ({"label": "1"}, {"label": "x", "state": "gone"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Table.objects.create(room=room, **wrong)


def test_only_directors_set_a_room_up(desk: Desk) -> None:
    guest = accounts.register(email="g@example.org", password=None, name="Gus", now=desk.now)
    room = opened(desk)
    table = room.tables.get(label="1")
    for act in (
        lambda: rooms.open_room(club=desk.club, by=guest, name="Mine", labels="1", now=desk.now),
        lambda: rooms.add_tables(room=room, by=guest, labels="7", now=desk.now),
        lambda: rooms.change_table(
            table=table, by=guest, label="7", state=TableState.FREE, tags=(), now=desk.now
        ),
        lambda: rooms.remove_table(table=table, by=guest, now=desk.now),
    ):
        with pytest.raises(NotDirector):
            act()
    assert labels_of(room) == ["1", "2", "3"]


def test_a_room_shows_names_as_the_club_writes_them(
    desk: Desk, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    desk.start(a_plan("single-elimination"), 2)
    Player.objects.filter(entries__number=1).update(name="Jan van Dijk")
    Player.objects.filter(entries__number=2).update(name="Bob")
    room = opened(desk)
    calling.call(
        table=room.tables.get(label="1"), event=desk.event, key="main/1.1", by=desk.director, now=desk.now
    )
    with django_assert_num_queries(3):
        tables.load_rooms(desk.club)
    desk.club.name_style = NameStyle.LAST_INITIAL
    desk.club.save()

    [(_room, found)] = tables.load_rooms(desk.club)
    [seated] = [match.players for _table, match in found if match]
    assert set(seated.split(" \N{EN DASH} ")) == {"Jan van D.", "Bob"}


def test_pages_set_a_room_up_and_show_it_to_everybody(desk: Desk, client: Client) -> None:
    client.force_login(desk.director)
    page = reverse("venue:rooms", args=[desk.club.slug])
    assert "No room yet" in client.get(page).content.decode()
    made = client.post(
        reverse("venue:open_room", args=[desk.club.slug]), {"name": "Lamp Room", "tables": "1-2"}
    )
    assert made.url == page
    room = Room.objects.get()
    again = client.post(reverse("venue:add_tables", args=[desk.club.slug, room.key]), {"tables": "2"})
    assert again.status_code == 422
    assert "The room has a table 2 already." in again.content.decode()
    client.post(reverse("venue:add_tables", args=[desk.club.slug, room.key]), {"tables": "bar"})
    at = reverse("venue:table", args=[desk.club.slug, room.tables.get(label="2").key])
    seen = tables.compute_settings_key(room.tables.get(label="2"))
    client.post(at, {"saw": seen, "label": "2", "state": "broken", "tags": ["step-free"]})
    gone = reverse("venue:table", args=[desk.club.slug, room.tables.get(label="1").key])
    client.post(gone, {"remove": "1", "saw": tables.compute_settings_key(room.tables.get(label="1"))})

    client.logout()
    shown = client.get(page).content.decode()
    for word in ("Lamp Room", "Table 2", "Broken", "Step-free", "<strong>bar</strong>"):
        assert word in shown
    assert "Table 1" not in shown
    assert "Add tables" not in shown
    assert at not in shown
