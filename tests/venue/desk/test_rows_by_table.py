"""The open matches of a desk in the order of the tables, each once, with other events in the room."""

from __future__ import annotations

import pytest

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view
from tournaments.desk import desk as desks
from tournaments.desk import typed_scores
from tournaments.desk.typed_scores import UnsentRow
from tournaments.models import Tournament
from tournaments.plan import drawing
from venue.calls import calls, table_filling
from venue.desk import desk_room
from venue.desk.desk_room import RoomRows
from venue.models import CallMode, Room, TableState
from venue.rooms import room_settings, rooms


def open_room(desk: Desk, labels: str) -> Room:
    return rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels=labels, now=desk.now)


def begin(desk: Desk, room: Room, players: int, calls: int) -> Tournament:
    """Start an event in the room, and call this many of its matches."""
    desk.announce(a_plan("single-elimination"), players)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    for _ in range(calls):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
    return desk.fresh()


def shown(desk: Desk, event: Tournament, unsent: dict[str, UnsentRow] | None = None) -> RoomRows:
    view = event_view.load_view(event, with_drafts=True)
    room = desk_room.load_event_room(event, now=desk.now)
    assert room is not None
    rows = typed_scores.list_desk_rows(view, desks.build_desk(view, "ready").rows, unsent or {})
    found = desk_room.build_room_rows(room, rows)
    keys = [row[0].play.key for row in _all(found)]
    assert sorted(keys) == sorted(row[0].play.key for row in rows), "each match once"
    return found


def _all(found: RoomRows) -> list[typed_scores.DeskRow]:
    at_tables = [row for each in found.tables for row in (each.row, *each.late) if row is not None]
    return [*at_tables, *(each.row for each in found.waiting if each.row is not None), *found.elsewhere]


def labels(found: RoomRows) -> str:
    return "".join(each.table.label for each in found.tables)


def test_a_match_that_is_called_while_the_page_is_read_stands_at_its_table_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_room(desk, "1-2")
    event = begin(desk, room, players=8, calls=1)
    read = calls.list_calls

    def call_and_read(used: Room) -> tuple[calls.CallNow, ...]:
        monkeypatch.setattr(calls, "list_calls", read)
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
        return read(used)

    monkeypatch.setattr(calls, "list_calls", call_and_read)
    found = shown(desk, event)
    at_tables = [each.table.call.match for each in found.tables if each.table.call]
    waiting = [each.place.match for each in found.waiting]
    assert (len(at_tables), len(waiting)) == (2, 2)
    assert not {*at_tables} & {*waiting}


def test_tables_in_use_come_first_and_a_free_one_shows_whom_it_gets(desk: Desk) -> None:
    room = open_room(desk, "1-4")
    room.tables.filter(label="1").update(state=TableState.HELD)
    event = begin(desk, room, 8, 2)

    found = shown(desk, event)

    assert labels(found) == "2341"
    assert [each.proposed is not None for each in found.tables] == [False, False, True, False]
    assert [each.row is not None for each in found.tables] == [True, True, True, False]
    assert len(found.waiting) == 1


def test_the_next_score_is_that_of_the_next_table(desk: Desk) -> None:
    event = begin(desk, open_room(desk, "1-3"), 8, 3)
    at = {each.table.label: each.row[0].play for each in shown(desk, event).tables if each.row}
    waiting = shown(desk, event).waiting[0].place.match

    assert shown(desk, event).find_next(at["1"]) == at["2"].key
    assert shown(desk, event).find_next(at["3"]) == at["1"].key
    for label in "123":
        desk.play(at[label].key)
    assert shown(desk, event).find_next(at["3"]) == waiting


def test_a_match_of_another_event_has_no_row_here(desk: Desk) -> None:
    room = open_room(desk, "1-2")
    first = begin(desk, room, 2, 1)
    second = begin(desk, room, 4, 1)

    found = shown(desk, second)

    assert [each.row is None for each in found.tables] == [True, False]
    assert found.tables[0].table.call.event == first.key
    assert [each.row is None for each in shown(desk, first).tables] == [False, True]
    assert [each.row for each in shown(desk, first).waiting] == [None]


def test_what_was_typed_stands_at_the_table_where_it_was_played(desk: Desk) -> None:
    event = begin(desk, open_room(desk, "1-2"), 4, 2)
    at = {each.table.label: each.row[0].play for each in shown(desk, event).tables if each.row}
    desk.play(at["2"].key)

    found = shown(desk, event, {at["2"].key: typed_scores.UnsentRow(at["2"].key, "5 1", "It has ended.")})

    assert [[row[0].play.key for row in each.late] for each in found.tables] == [[], [at["2"].key]]
