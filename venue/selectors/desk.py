"""The room on a director's desk: its tables, the queue with its reasons, and when each match is likely to begin."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from tournaments import hours
from tournaments.selectors import event_view, timetable
from venue.models import Assignment, CallMode, EventRoom, Room, TableState
from venue.queue import in_order, next_calls, reason
from venue.selectors import calls, waiting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tournaments.models import Pairing, Tournament
    from venue.queue import MatchId, Name, Ready
    from venue.selectors.calls import CallNow
    from venue.selectors.waiting import RoomRead


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A table of the room."""

    key: str
    label: str
    state: str
    is_free: bool
    is_broken: bool
    call: CallNow | None
    # The match that gets it when the key is pressed.
    next: str

    @property
    def look(self) -> str:
        """Return what it looks like: how far its call is, or shut."""
        if self.call is not None:
            return self.call.state
        return "free" if self.is_free else "shut"


@dataclass(frozen=True, slots=True)
class InQueue:
    """A match that waits for a table."""

    event: str
    match: str
    names: str
    event_name: str
    why: str
    # The table it gets next; "" while it waits.
    table: str
    table_key: str
    # Who plays elsewhere, so that it cannot be called.
    busy: str
    likely_at: datetime | None


@dataclass(frozen=True, slots=True)
class RoomDesk:
    """A room as directors work in it."""

    name: str
    club: str
    event: str
    mode: str
    tables: tuple[DeskTable, ...]
    queue: tuple[InQueue, ...]
    # Whether one key calls the first of the queue.
    is_key: bool
    playing: int
    free: int


def of_event(event: Tournament, *, now: datetime) -> RoomDesk | None:
    """Return the room an event is played in, None where it has none."""
    used = EventRoom.objects.filter(event=event).select_related("room__club").first()
    return None if used is None else read(used, now=now)


def read(used: EventRoom, *, now: datetime) -> RoomDesk:
    """Return the room with everything that is called and waits there."""
    room = used.room
    found = waiting.read(room, now=now, modes=tuple(CallMode))
    proposed = {call.match: call.table for call in next_calls(found.room)} if _proposes(used) else {}
    at_tables = {call.table_key: call for call in calls.of_room(room)}
    names = {match: _names(row) for match, row in found.pairings.items()}
    to_table = {table: names[match] for match, table in proposed.items()}
    tables = tuple(
        DeskTable(
            key,
            table.label,
            table.get_state_display(),
            table.state == TableState.FREE,
            table.state == TableState.BROKEN,
            at_tables.get(key),
            to_table.get(key, ""),
        )
        for key, table in found.tables.items()
    )
    likely = _likely(found, at_tables, room, now=now)
    queue = tuple(_queued(found, match, names[match.id], proposed, likely) for match in in_order(found.room))
    return RoomDesk(
        name=room.name,
        club=room.club.slug,
        event=used.event.key,
        mode=str(CallMode(used.mode).label),
        tables=tables,
        queue=queue,
        is_key=bool(proposed),
        playing=len(at_tables),
        free=sum(table.is_free and table.call is None for table in tables),
    )


def _proposes(used: EventRoom) -> bool:
    return used.mode != CallMode.BY_HAND


def _queued(
    found: RoomRead,
    match: Ready,
    names: str,
    proposed: Mapping[MatchId, str],
    likely: Mapping[MatchId, datetime],
) -> InQueue:
    row = found.pairings[match.id]
    why = reason(found.room, match)
    said = {"fixed": False, "longest": why.longest, "minutes": why.minutes, "blocks": why.blocks}
    table = proposed.get(match.id)
    return InQueue(
        event=row.tournament.key,
        match=row.key,
        names=names,
        event_name=row.tournament.name,
        why=calls.words(said, _by_key(row)),
        table="" if table is None else found.tables[table].label,  # type: ignore[index]
        table_key=table or "",
        busy=_busy(found, match, _by_key(row)),
        likely_at=None if table is not None else likely.get(match.id),
    )


def _busy(found: RoomRead, match: Ready, names: Mapping[str, str]) -> str:
    """Return who of a match plays somewhere else."""
    for running in found.room.running:
        for player in match.players:
            if player in running.players:
                return names[player]
    return ""


def _likely(
    found: RoomRead, at_tables: Mapping[str, CallNow], room: Room, *, now: datetime
) -> dict[MatchId, datetime]:
    """Return when each match of the queue is likely to get a table, if every match takes as long as they do tonight."""
    pace = _minutes_a_point(room)
    lengths = _lengths(at_tables)
    ends: dict[Name, datetime] = {}
    tables: list[datetime] = []
    for key, table in found.tables.items():
        call = at_tables.get(key)
        if call is not None:
            takes = timedelta(minutes=pace * lengths.get(call.pk, 5))
            over = max(now, (call.started_at or call.called_at) + takes)
            tables.append(over)
            ends.update({one.key: over for one in call.players})  # type: ignore[misc]
        elif table.state == TableState.FREE:
            tables.append(now)
    heapq.heapify(tables)
    times: dict[MatchId, datetime] = {}
    for match in in_order(found.room):
        if not tables:
            break
        begins = max(heapq.heappop(tables), *(ends.get(player, now) for player in match.players))
        over = begins + timedelta(minutes=pace * found.pairings[match.id].length)
        heapq.heappush(tables, over)
        ends.update(dict.fromkeys(match.players, over))
        times[match.id] = hours.slot_end(begins)
    return times


def _minutes_a_point(room: Room) -> float:
    """Return the pace of the room's running events; as usual where none of them has one yet."""
    used = EventRoom.objects.filter(room=room, event__status="RUNNING").select_related("event__club")
    paces = [timetable.pace_of(event_view.read(each.event)) for each in used]
    known = [pace.minutes_a_point for pace in paces if pace is not None]
    return sum(known) / len(known) if known else timetable.USUAL


def _lengths(at_tables: Mapping[str, CallNow]) -> dict[int, int]:
    rows = Assignment.objects.filter(pk__in=[call.pk for call in at_tables.values()])
    return dict(rows.values_list("pk", "pairing__length"))


def _names(row: Pairing) -> str:
    return " – ".join(_by_key(row).values())  # noqa: RUF001


def _by_key(row: Pairing) -> dict[str, str]:
    return {entry.player.key: entry.player.public_name for entry in (row.a, row.b) if entry is not None}
