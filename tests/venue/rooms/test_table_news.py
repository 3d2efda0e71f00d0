"""A club's own programs are notified that a table has changed, once a change, and only where a person
listens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from players.clubs import webhooks
from runtime.models import Outbox
from tests.tournaments.event_desk import Desk, a_plan
from venue.calls import calling
from venue.models import Assignment, Room, Table, TableState
from venue.rooms import rooms


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.start(a_plan("single-elimination"), 4)
    return desk


@pytest.fixture
def room(desk: Desk) -> Room:
    return rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)


def listen(desk: Desk) -> None:
    webhooks.add(club=desk.club, url="https://hooks.example.org/x", by=desk.director, now=desk.now)


def list_table_calls() -> list[dict[str, Any]]:
    rows = Outbox.objects.filter(kind=webhooks.KIND).order_by("pk").values_list("payload", flat=True)
    return [row["body"] for row in rows if row["body"]["type"] == "table.changed"]


def later(desk: Desk) -> None:
    desk.now += timedelta(minutes=1)


def call(desk: Desk, table: Table) -> None:
    later(desk)
    calling.call(table=table, event=desk.event, key=desk.open()[0].key, by=desk.director, now=desk.now)


def test_a_match_that_comes_and_one_that_leaves_are_told(desk: Desk, room: Room) -> None:
    listen(desk)
    one, two = room.tables.order_by("position")
    call(desk, one)
    assert [(each["room"], each["table"]) for each in list_table_calls()] == [(room.key, one.key)]

    # To another table: both have changed.
    later(desk)
    pairing = Assignment.objects.get(ended_at__isnull=True).pairing
    calling.call(table=two, event=desk.event, key=pairing.key, by=desk.director, now=desk.now)
    assert sorted(each["table"] for each in list_table_calls()[1:]) == sorted([one.key, two.key])

    later(desk)
    desk.play(pairing.key)
    assert [each["table"] for each in list_table_calls()[3:]] == [two.key]


def test_a_table_that_is_held_or_called_otherwise_is_told(desk: Desk, room: Room) -> None:
    listen(desk)
    table = room.tables.order_by("position").first()
    later(desk)
    rooms.set_state(table=table, by=desk.director, state=TableState.HELD, now=desk.now)
    later(desk)
    rooms.change_table(table=table, by=desk.director, label="9", state=TableState.FREE, tags=[], now=desk.now)
    assert [each["table"] for each in list_table_calls()] == [table.key, table.key]


def test_a_table_that_breaks_is_told_once(desk: Desk, room: Room) -> None:
    listen(desk)
    one, two = room.tables.order_by("position")
    later(desk)
    calling.break_table(table=two, by=desk.director, now=desk.now)
    assert [each["table"] for each in list_table_calls()] == [two.key]

    call(desk, one)
    later(desk)
    calling.break_table(table=one, by=desk.director, now=desk.now)
    assert [each["table"] for each in list_table_calls()[2:]] == [one.key]


def test_nobody_is_told_where_nobody_listens(desk: Desk, room: Room) -> None:
    table = room.tables.first()
    assert table is not None
    call(desk, table)
    assert not Outbox.objects.filter(kind=webhooks.KIND).exists()
