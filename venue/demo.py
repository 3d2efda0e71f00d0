"""The demonstration's room, with a match that is being played and one that is called."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from players.models import User
from tournaments.models import Pairing, Tournament
from tournaments.play import incidents
from venue.calls import calling
from venue.models import CallMode, Table
from venue.rooms import room_settings, rooms

ROOM: Final = "Lamp Room"
TABLES: Final = "1-6"
# The time between a call and a player's arrival.
WAY: Final = timedelta(minutes=1)
CALLED_AGO: Final = timedelta(minutes=3)


def set_up_demo_room(event: Tournament, waiting: Sequence[Pairing], *, by: User, now: datetime) -> None:
    """Open a room, play the event in it, and call the waiting matches.

    At the first table both players have arrived, at the others one.
    """
    called_at = now - CALLED_AGO
    room = rooms.open_room(club=event.club, by=by, name=ROOM, labels=TABLES, now=event.starts_at)
    room_settings.set_room(event=event, room=room, mode=CallMode.AUTOMATIC, by=by, now=called_at)
    tables = Table.objects.filter(room=room).order_by("position")
    for number, (table, row) in enumerate(zip(tables, waiting, strict=False)):
        calling.call(table=table, event=event, key=row.key, by=by, now=called_at)
        for entry in (row.a, row.b) if number == 0 else (row.a,):
            if entry is not None:
                incidents.record_arrival(
                    tournament_id=event.pk, key=row.key, entry=entry.number, by=by, now=called_at + WAY
                )
