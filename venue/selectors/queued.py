"""The queue of a room as people read it: each match with its place, the table it gets next, or the time when one is likely."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from tournaments.base import hours
from venue.models import CallMode, TableState
from venue.queue import STREAM, answer, in_order, on_stream
from venue.selectors import breaks, calls, pace, waiting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from venue.models import EventRoom
    from venue.queue import Kept, MatchId, Name, Ready, TableId
    from venue.selectors.breaks import PlannedBreak
    from venue.selectors.calls import CallNow
    from venue.selectors.waiting import Open, RoomRead


@dataclass(frozen=True, slots=True)
class Queued:
    """A match that waits for a table."""

    match: Ready
    # How many come before it.
    before: int
    # The table it gets as soon as it is called; None while it waits.
    table: TableId | None
    likely_at: datetime | None
    # The break of its event that it would run into.
    into_break: PlannedBreak | None = None


@dataclass(frozen=True, slots=True)
class RoomQueue:
    """A room with its queue, all of one moment."""

    found: RoomRead
    at_tables: Mapping[TableId, CallNow]
    queue: tuple[Queued, ...]
    # Which free tables are kept for the stream.
    kept: Mapping[TableId, Kept]


def of(used: EventRoom, *, now: datetime) -> RoomQueue:
    """Return the queue of the room an event is played in; where directors call by hand, no match has its table yet."""
    found = waiting.read(used.room, now=now, modes=tuple(CallMode))
    by_hand = used.mode == CallMode.BY_HAND
    said = answer(found.room)
    proposed = {} if by_hand else {call.match: call.table for call in said.calls}
    kept = {} if by_hand else {each.table: each for each in said.kept}
    at_tables = {_table(call): call for call in calls.of_room(used.room)}
    minutes = pace.of_room(used.room).minutes_a_point if found.waiting else 0
    planned = breaks.of_events({row.event for row in found.waiting.values()})
    likely = _likely(found, at_tables, minutes, planned, now=now)
    # Those who wait for the stream and those who wait for any table do not wait for each other.
    before = {True: 0, False: 0}
    # Called between the two reads.
    called = {f"{call.event}/{call.match}" for call in at_tables.values()}
    queue = []
    for match in in_order(found.room):
        if match.id in called:
            continue
        waits_for_stream = on_stream(found.room, match)
        begins = now if match.id in proposed else likely.get(match.id)
        queue.append(
            Queued(
                match,
                before[waits_for_stream],
                proposed.get(match.id),
                None if match.id in proposed else begins,
                None if begins is None else _into_break(found.waiting[match.id], begins, minutes, planned),
            )
        )
        before[waits_for_stream] += 1
    return RoomQueue(found, at_tables, tuple(queue), kept)


def _table(call: CallNow) -> TableId:
    return call.table_key  # type: ignore[return-value]


def _into_break(
    match: Open, begins: datetime, minutes: float, planned: Mapping[int, Sequence[PlannedBreak]]
) -> PlannedBreak | None:
    ends = begins + timedelta(minutes=minutes * match.length)
    return breaks.ran_into(planned.get(match.event, ()), begins, ends)


def _likely(
    found: RoomRead,
    at_tables: Mapping[TableId, CallNow],
    minutes: float,
    planned: Mapping[int, Sequence[PlannedBreak]],
    *,
    now: datetime,
) -> dict[MatchId, datetime]:
    """Return when each match of the queue is likely to get a table, if every match takes as long as they do tonight."""
    if not found.waiting:
        return {}
    ends: dict[Name, datetime] = {}
    tables: dict[bool, list[datetime]] = {True: [], False: []}
    for key, table in found.tables.items():
        is_on_stream = bool(found.room.stream) and STREAM in table.tags
        call = at_tables.get(key)
        if call is not None:
            takes = timedelta(minutes=minutes * call.length)
            over = max(now, (call.started_at or call.called_at) + takes)
            heapq.heappush(tables[is_on_stream], over)
            ends.update({one.key: over for one in call.players})  # type: ignore[misc]
        elif table.state == TableState.FREE:
            heapq.heappush(tables[is_on_stream], now)
    times: dict[MatchId, datetime] = {}
    for match in in_order(found.room):
        free = _first(tables, is_on_stream=on_stream(found.room, match))
        if not free:
            continue
        begins = max(heapq.heappop(free), *(ends.get(player, now) for player in match.players))
        begins = breaks.after(planned.get(found.waiting[match.id].event, ()), begins)
        over = begins + timedelta(minutes=minutes * found.waiting[match.id].length)
        heapq.heappush(free, over)
        ends.update(dict.fromkeys(match.players, over))
        times[match.id] = hours.slot_end(begins)
    return times


def _first(tables: Mapping[bool, list[datetime]], *, is_on_stream: bool) -> list[datetime]:
    """Return those of the tables, of the stream or not, among which is the one that a match gets first."""
    if is_on_stream or not tables[False]:
        return tables[True]
    return min((tables[False], tables[True]), key=lambda each: each[0]) if tables[True] else tables[False]
