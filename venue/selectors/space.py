"""The tables and breaks of an event, for its forecast and for the times on its public pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.event import Key
from draw.forecast.room import Room
from tournaments.base import pauses
from tournaments.hooks import EventSpace
from venue.models import Assignment, EventRoom, TableState
from venue.selectors import breaks, pace

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


def of(event: Tournament) -> EventSpace | None:
    """Return the tables, breaks and pauses of an event, or None if its room has no table for it."""
    spans = spans_of(event)
    stood = tuple(pauses.of_events([event.pk]).get(event.pk, ()))
    # An event in a room waits for calls: of others the rooms are not asked.
    used = room_of(event) if event.waits_for_call else None
    if used is None:
        return EventSpace(Room(breaks=spans), pauses=stood)
    tables = count_tables(used)
    if not tables:
        return None
    return EventSpace(
        Room(tables=tables, breaks=spans, started=_started(event)), pace.at_tables([event.pk]), stood
    )


def _started(event: Tournament) -> dict[Key, datetime]:
    """Return when the matches at tables began, or were called."""
    rows = Assignment.objects.filter(pairing__tournament=event, ended_at__isnull=True)
    found = rows.values_list("pairing__key", "started_at", "called_at")
    return {Key(key): started or called for key, started, called in found}


def room_of(event: Tournament) -> EventRoom | None:
    """Return the room of an event, or None."""
    return EventRoom.objects.filter(event=event).select_related("room").first()


def spans_of(event: Tournament) -> tuple[tuple[datetime, datetime], ...]:
    """Return the breaks of an event as the forecast counts them."""
    return tuple((span.begins_at, span.ends_at) for span in breaks.of(event))


def count_tables(used: EventRoom) -> int:
    """Count the tables that an event can use: working ones without a match of another event."""
    taken = Assignment.objects.filter(table__room=used.room, ended_at__isnull=True)
    ours = dict(taken.values_list("table_id", "pairing__tournament_id"))
    rows = used.room.tables.values_list("pk", "state")
    return sum(ours[pk] == used.event_id if pk in ours else state == TableState.FREE for pk, state in rows)
