"""The queue of a room for display: each match with its position, and its next table or a likely time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from draw.forecast.queue import QueueMatch, QueueTable, estimate_starts
from draw.random_stream import RandomStream
from tournaments.base import local_times
from tournaments.pages import timetable
from venue.calls import calls, queue_input, table_filling
from venue.calls.calls import CallNow
from venue.calls.queue_input import QueueInput
from venue.desk import pace
from venue.models import CallMode, EventRoom, TableState
from venue.queue import (
    STREAM,
    MatchId,
    Name,
    ReadyMatch,
    ReservedTable,
    TableId,
    compute_result,
    list_busy_players,
    needs_stream_table,
    sort_matches,
)
from venue.rooms import breaks
from venue.rooms.breaks import PlannedBreak

MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class QueueEntry:
    match: ReadyMatch
    # Number of matches before it.
    before: int
    # The table that is proposed for it; None while it waits.
    table: TableId | None
    likely_at: datetime | None
    # Its players who are still playing another match.
    busy: tuple[Name, ...] = ()
    # The break of its event that it would run into.
    into_break: PlannedBreak | None = None


@dataclass(frozen=True, slots=True)
class RoomQueue:
    found: QueueInput
    at_tables: Mapping[TableId, CallNow]
    queue: tuple[QueueEntry, ...]
    # Free tables that are reserved for the stream.
    kept: Mapping[TableId, ReservedTable]


def compute_queue(used: EventRoom, *, now: datetime) -> RoomQueue:
    """Compute the queue of the room an event is played in; with calls by hand, no table is proposed."""
    found = queue_input.load_queue_input(used.room, now=now, modes=tuple(CallMode))
    by_hand = used.mode == CallMode.BY_HAND
    room = found.room
    if CallMode.BY_HAND in found.modes and not by_hand:
        # "Call next" leaves the matches of events that are called by hand to their directors.
        room = queue_input.load_queue_input(used.room, now=now, modes=table_filling.PROPOSED).room
    result = compute_result(room)
    proposed = {} if by_hand else {call.match: call.table for call in result.calls}
    reserved = {} if by_hand else {each.table: each for each in result.kept}
    at_tables = {TableId(call.table_key): call for call in calls.list_calls(used.room)}
    minutes = pace.compute_room_pace(used.room).minutes_a_point if found.waiting else 0
    planned = breaks.load_breaks_by_event({row.event for row in found.waiting.values()})
    likely = _estimate_start_times(used, found, at_tables, minutes, planned, now=now)
    # Matches for the stream and other matches are counted separately.
    before = {True: 0, False: 0}
    # Matches that were called between the two reads.
    called = {f"{call.event}/{call.match}" for call in at_tables.values()}
    queue = []
    for match in sort_matches(found.room):
        if match.id in called:
            continue
        waits_for_stream = needs_stream_table(found.room, match)
        begins, into_break = now if match.id in proposed else likely.get(match.id), None
        if begins is not None:
            row = found.waiting[match.id]
            ends = begins + timedelta(minutes=minutes * row.length)
            into_break = breaks.find_conflict(planned.get(row.event, ()), begins, ends)
        queue.append(
            QueueEntry(
                match,
                before[waits_for_stream],
                proposed.get(match.id),
                None if match.id in proposed else begins,
                list_busy_players(found.room, match),
                into_break,
            )
        )
        before[waits_for_stream] += 1
    return RoomQueue(found, at_tables, tuple(queue), reserved)


def _estimate_start_times(
    used: EventRoom,
    found: QueueInput,
    at_tables: Mapping[TableId, CallNow],
    minutes: float,
    planned: Mapping[int, Sequence[PlannedBreak]],
    *,
    now: datetime,
) -> dict[MatchId, datetime]:
    """Estimate when each match of the queue gets a table, by a forecast of all events in the room."""
    now = local_times.compute_slot_end(now)
    tables = []
    for key, table in found.tables.items():
        is_on_stream = bool(found.room.stream) and STREAM in table.tags
        call = at_tables.get(key)
        if call is not None:
            began = ((call.started_at or call.called_at) - now) / MINUTE
            names = [one.key for one in call.players]
            tables.append(QueueTable(is_on_stream, names, began, minutes * call.length))
        elif table.state == TableState.FREE:
            tables.append(QueueTable(is_on_stream))
    order = sort_matches(found.room)
    spans = {event: [(begins, ends) for begins, ends, _name in those] for event, those in planned.items()}
    breaks_of = {match.id: spans.get(found.waiting[match.id].event, ()) for match in order}
    starts = estimate_starts(
        tables,
        [
            QueueMatch(
                match.players,
                minutes * found.waiting[match.id].length,
                needs_stream_table(found.room, match),
                [((begins - now) / MINUTE, (ends - now) / MINUTE) for begins, ends in breaks_of[match.id]],
            )
            for match in order
        ],
        RandomStream(used.room.key).child("queue"),
    )
    return {
        match.id: timetable.round_start(now + start * MINUTE, breaks_of[match.id])
        for match, start in zip(order, starts, strict=True)
        if start is not None
    }
