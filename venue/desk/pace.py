"""Input of the forecast: how long matches take in a room, and an event's tables and breaks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from draw.event import Key
from draw.forecast import room as forecast_room
from tournaments.hooks import EventSpace, MatchPace
from tournaments.models import PairingState, ResultKind, Tournament
from tournaments.pages import timetable
from tournaments.play import timing
from tournaments.status import Status
from venue.models import Assignment, EventRoom, Room, TableState
from venue.rooms import breaks

# The pace is computed from this many latest matches.
LATEST: Final = 200


def compute_room_pace(room: Room) -> MatchPace:
    """Return the pace of a room's running events; the default pace while too few matches were played."""
    used = EventRoom.objects.filter(room=room, event__status=Status.RUNNING).values_list("event", flat=True)
    return compute_pace(used) or MatchPace(timetable.USUAL)


def compute_pace(events: Collection[int]) -> MatchPace | None:
    """Return the pace of these events at tables, None while too few matches were played."""
    rows = Assignment.objects.filter(
        pairing__tournament__in=events,
        pairing__state=PairingState.DECIDED,
        pairing__kind=ResultKind.PLAYED,
        pairing__length__gt=0,
        ended_at__isnull=False,
    )
    timed = rows.order_by("-ended_at", "-pk").values_list(
        "pairing", "pairing__tournament", "pairing__length", "started_at", "called_at", "pairing__decided_at"
    )
    still = timing.load_pauses(events)
    taken: dict[int, float] = {}
    for pairing, event, length, started, called, decided in timed[:LATEST]:
        if decided is not None:
            # A match that changed tables has two rows: the older one has its start.
            began = started or called
            played = decided - began - timing.compute_paused_time(still.get(event, ()), began, decided)
            taken[pairing] = played.total_seconds() / 60 / length
    return timetable.compute_pace(list(taken.values())) if len(taken) >= timetable.ENOUGH else None


def load_space(event: Tournament) -> EventSpace | None:
    """Return the tables, breaks and pauses of an event; None if its room has no table for it."""
    spans = tuple((span.begins_at, span.ends_at) for span in breaks.list_breaks(event))
    stood = tuple(timing.load_pauses([event.pk]).get(event.pk, ()))
    # Only events that wait for calls are played in a room: skip the query for others.
    used = (
        EventRoom.objects.filter(event=event).select_related("room").first() if event.waits_for_call else None
    )
    if used is None:
        return EventSpace(forecast_room.Room(breaks=spans), pauses=stood)
    tables = count_tables(used)
    if not tables:
        return None
    at_tables = Assignment.objects.filter(pairing__tournament=event, ended_at__isnull=True)
    times = at_tables.values_list("pairing__key", "started_at", "called_at")
    starts = {Key(key): started or called for key, started, called in times}
    return EventSpace(
        forecast_room.Room(tables=tables, breaks=spans, started=starts), compute_pace([event.pk]), stood
    )


def count_tables(used: EventRoom) -> int:
    """Count the tables that are available to an event: working ones without a match of another event."""
    taken = Assignment.objects.filter(table__room=used.room, ended_at__isnull=True)
    ours = dict(taken.values_list("table_id", "pairing__tournament_id"))
    rows = used.room.tables.values_list("pk", "state")
    return sum(ours[pk] == used.event_id if pk in ours else state == TableState.FREE for pk, state in rows)
