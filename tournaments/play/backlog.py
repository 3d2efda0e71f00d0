"""Which events are worked on later: a result is stored at once, what follows from it is a worker's job.

A job takes a worker a moment to pick up. Where everything that follows is worked out faster than that, it is
done before the answer is there; where it is not, nobody waits for it and no lock is held meanwhile. Where the free
are paired every so many minutes, it waits for the next of these.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from draw import limits
from runtime.models import Queue
from runtime.work import outbox
from tournaments.base import event_rows, formats, waiting_work
from tournaments.models import Entry, Pairing, Stage, Stand, Tournament

if TYPE_CHECKING:
    from datetime import datetime

KIND: Final = waiting_work.KIND
# Up to here a result and all that follows take some 20 ms.
MOST_PLAYERS: Final = 64
MOST_MATCHES: Final = 300
# Up to here a draw and its places take some 200 ms.
MOST_DRAWN_PLAYERS: Final = 256
MOST_DRAWN_PLACES: Final = 1_024


def leave_to_worker(event: Tournament, *, now: datetime) -> bool:
    """Leave what follows from a result in a locked event to a worker, if it waits or takes long; True if so."""
    at = _next_batch(event, now=now) or (now if _is_long(event) else None)
    if at is None:
        return False
    leave(event, at=at, now=now)
    return True


def is_long_draw(event: Tournament, stage: Stage, players: int) -> bool:
    """Say whether a worker makes what a draw of so many players leads to."""
    if players > MOST_DRAWN_PLAYERS:
        return True
    is_made_at_once = formats.of(stage).is_fixed(formats.options(stage))
    return (
        is_made_at_once
        and limits.count_places(event_rows.stage_of(event, stage), players) > MOST_DRAWN_PLACES
    )


def leave(event: Tournament, *, at: datetime, now: datetime) -> None:
    """Leave what follows in a locked event to a worker; it is one job until it is done."""
    if event.pairing_at is not None:
        return
    event.pairing_at = at
    event.save(update_fields=["pairing_at"])
    request(event.pk, at=at, now=now)


def request(event_id: int, *, at: datetime, now: datetime) -> None:
    """Have a worker work out what follows in an event."""
    outbox.request(
        KIND,
        {"event": event_id},
        dedupe_key=waiting_work.dedupe_key(event_id),
        now=now,
        queue=Queue.SLOW,
        due_at=at,
    )


def clear(event: Tournament) -> None:
    """Note that everything has been worked out that was waiting."""
    if event.pairing_at is not None:
        event.pairing_at = None
        event.save(update_fields=["pairing_at"])


def _next_batch(event: Tournament, *, now: datetime) -> datetime | None:
    """Return when the free are paired next, where that is every so many minutes (P72)."""
    stages = Stage.objects.filter(tournament=event)
    minutes = [formats.of(stage).batch_minutes(formats.options(stage)) for stage in stages]
    minutes = [said for said in minutes if said]
    if not minutes or event.started_at is None or not _are_playing(event):
        return None
    every = timedelta(minutes=min(minutes))
    return event.started_at + every * ((now - event.started_at) // every + 1)


def _are_playing(event: Tournament) -> bool:
    return Pairing.objects.filter(tournament=event, state=Stand.READY, opened_at__isnull=False).exists()


def _is_long(event: Tournament) -> bool:
    playing = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False).count()
    return playing > MOST_PLAYERS or Pairing.objects.filter(tournament=event).count() > MOST_MATCHES
