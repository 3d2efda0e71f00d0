"""How long matches take at the tables of a room, from the call to the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tournaments.base import pauses
from tournaments.hooks import MatchPace
from tournaments.models import Ended, Stand
from tournaments.pages import timetable
from tournaments.status import Status
from venue.models import Assignment, EventRoom

if TYPE_CHECKING:
    from collections.abc import Collection

    from venue.models import Room

# The latest so many say how long they take now.
LATEST: Final = 200


def of_room(room: Room) -> MatchPace:
    """Return the pace at the tables of a room's running events; as usual while too few were played there to say."""
    used = EventRoom.objects.filter(room=room, event__status=Status.RUNNING).values_list("event", flat=True)
    return at_tables(used) or MatchPace(timetable.USUAL)


def at_tables(events: Collection[int]) -> MatchPace | None:
    """Return how long matches of these events take at tables, None while too few were played there to say."""
    rows = Assignment.objects.filter(
        pairing__tournament__in=events,
        pairing__state=Stand.DECIDED,
        pairing__kind=Ended.PLAYED,
        pairing__length__gt=0,
        ended_at__isnull=False,
    )
    told = rows.order_by("-ended_at", "-pk").values_list(
        "pairing", "pairing__tournament", "pairing__length", "started_at", "called_at", "pairing__decided_at"
    )
    still = pauses.of_events(events)
    taken: dict[int, float] = {}
    for pairing, event, length, started, called, decided in told[:LATEST]:
        if decided is not None:
            # A match that was moved to another table has two of these: the older one says when it began.
            began = started or called
            played = decided - began - pauses.stood(still.get(event, ()), began, decided)
            taken[pairing] = played.total_seconds() / 60 / length
    return timetable.pace_from(list(taken.values())) if len(taken) >= timetable.ENOUGH else None
