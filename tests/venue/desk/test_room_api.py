"""Rooms for programs: tables, the queue, calls and their log."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from rest_framework.test import APIClient

from players.accounts import accounts
from players.models import User
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan import drawing
from venue.models import CallMode, Room
from venue.queue import find_next_calls
from venue.queue_files import read_room, serialize_answer
from venue.rooms import room_settings, rooms


class Program:
    """A program that acts in a person's name."""

    def __init__(self, user: User) -> None:
        self.client, self.numbers = APIClient(), count(1)
        self.client.force_authenticate(user)

    def get(self, page: str) -> Any:
        answer = self.client.get(f"/api/v1/{page}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def call(self, room: Room, status: int = 201, key: str = "", **said: str) -> Any:
        named = {"Idempotency-Key": key or f"a request, number {next(self.numbers)}"}
        answer = self.client.post(f"/api/v1/rooms/{room.key}/calls/", said, format="json", headers=named)
        assert answer.status_code == status, answer.content
        return answer.json()

    def set(self, table: str, state: str, status: int = 200, **saw: str) -> Any:
        answer = self.client.patch(f"/api/v1/tables/{table}/", {"state": state, **saw}, format="json")
        assert answer.status_code == status, answer.content
        return answer.json()


@pytest.fixture
def room(desk: Desk) -> Room:
    """A room of two tables and an event of eight in it."""
    found = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)
    desk.announce(a_plan("single-elimination"), 8)
    room_settings.set_room(
        event=desk.event, room=found, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    desk.fresh()
    return found


@pytest.mark.long
def test_a_night_over_the_api(desk: Desk, room: Room) -> None:
    program = Program(desk.director)
    (told,) = program.get(f"clubs/{desk.club.slug}/rooms/")["results"]
    assert told == program.get(f"rooms/{room.key}/")
    assert [table["label"] for table in told["tables"]] == ["1", "2"]
    queue = program.get(f"rooms/{room.key}/queue/")["results"]
    assert [each["table"] for each in queue] == ["1", "2", "", ""]
    first = program.call(room)
    assert (first["event"], first["match"], first["state"]) == (desk.event.key, queue[0]["match"], "called")
    other = queue[3]["match"]
    second = program.call(room, event=desk.event.key, match=other, table=told["tables"][1]["key"])
    assert second["match"] == other
    assert program.call(room, status=409)["code"] == "nothing_to_call"
    assert [call["match"] for call in program.get(f"rooms/{room.key}/")["calls"]] == [
        queue[0]["match"],
        other,
    ]
    (run,) = program.get(f"rooms/{room.key}/calls/")["results"]
    asked = read_room(run["asked"])
    assert serialize_answer(asked, find_next_calls(asked.room))["calls"][:1] == run["calls"]


@pytest.mark.parametrize("is_over", [False, True])
def test_the_queue_proposes_tables_though_an_earlier_event_was_called_by_hand(
    desk: Desk, room: Room, is_over: bool
) -> None:
    used = {"room": room, "by": desk.director, "now": desk.now}
    room_settings.set_room(event=desk.event, mode=CallMode.BY_HAND, **used)
    if is_over:
        desk.play_out()
    desk.announce(a_plan("single-elimination"), 4)
    room_settings.set_room(event=desk.event, mode=CallMode.CONFIRMED, **used)
    desk.do(drawing.publish)

    program = Program(desk.director)
    queue = program.get(f"rooms/{room.key}/queue/")["results"]
    proposed = [(each["event"], each["match"]) for each in queue if each["table"]]
    assert [event for event, _match in proposed] == [desk.event.key] * 2
    called = program.call(room)
    assert (called["event"], called["match"]) == proposed[0]


def test_the_same_request_calls_once(desk: Desk, room: Room) -> None:
    program = Program(desk.director)
    assert program.call(room, key="the same key twice") == program.call(room, key="the same key twice")
    assert len(program.get(f"rooms/{room.key}/")["calls"]) == 1


def test_a_table_is_held_and_broken(desk: Desk, room: Room) -> None:
    program = Program(desk.director)
    table = program.call(room)["table"]
    assert program.set(table, "broken")["state"] == "broken"
    assert program.get(f"rooms/{room.key}/")["calls"] == []
    assert program.set(table, "held")["state"] == "held"
    program.set(table, "gone", status=400)


def test_what_is_half_said_is_refused_and_only_directors_act(desk: Desk, room: Room) -> None:
    program = Program(desk.director)
    program.call(room, status=400, event=desk.event.key)
    program.call(room, status=400, event=desk.event.key, match="main/1.1", table="nowhere")
    somebody = Program(accounts.register(email="g@example.org", password=None, name="Gus", now=desk.now))
    somebody.call(room, status=403)
    somebody.set(room.tables.first().key, "held", status=403)


def test_who_says_what_they_saw_does_nothing_to_what_has_changed(desk: Desk, room: Room) -> None:
    program = Program(desk.director)
    told = program.get(f"rooms/{room.key}/")
    one, two = told["tables"]
    assert (one["seen"], two["seen"], told["latest"]) == ("free", "free", "")
    matches = [each["match"] for each in program.get(f"rooms/{room.key}/queue/")["results"]]
    first = {"event": desk.event.key, "match": matches[0]}
    called = program.call(room, **first, table=one["key"], at="", saw=one["seen"])
    # From the same look: another match to the table, the same match elsewhere, the next, and the table itself.
    for said in (
        {"event": desk.event.key, "match": matches[1], "table": one["key"], "at": "", "saw": one["seen"]},
        {**first, "table": two["key"], "at": "", "saw": two["seen"]},
        {"latest": told["latest"]},
    ):
        assert program.call(room, status=409, **said)["code"] == "changed_meanwhile"
    refused = program.set(one["key"], "broken", status=409, saw=one["seen"])
    assert refused["code"] == "changed_meanwhile"
    assert "table 1 now" in str(refused)
    now = program.get(f"rooms/{room.key}/")
    assert [call["match"] for call in now["calls"]] == [matches[0]]
    assert now["latest"] == now["tables"][0]["seen"] == called["id"]
    # Who looks again may.
    moved = program.call(room, **first, table=two["key"], at=one["key"], saw=two["seen"])
    assert moved["table"] == two["key"]
    assert program.set(one["key"], "held", saw="free")["seen"] == "held"
    assert program.set(two["key"], "broken", saw=moved["id"])["seen"] == "broken"


def test_what_was_seen_goes_with_what_is_done(desk: Desk, room: Room) -> None:
    program = Program(desk.director)
    table, match = room.tables.first().key, desk.open()[0].key
    assert "`at` and `saw` go with a match" in str(program.call(room, status=400, at=""))
    named = {"event": desk.event.key, "match": match, "table": table}
    assert "`latest` with none" in str(program.call(room, status=400, **named, latest=""))
    assert "no such table" in str(program.call(room, status=400, **named, at="nowhere"))
