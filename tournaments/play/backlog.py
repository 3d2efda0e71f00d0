"""Deferred processing of events: a result is stored at once, what follows may be left to a worker.

Small events are processed in the request, because a worker takes a moment to pick up a job. Large ones are
left to a worker, so that no lock is held for long. If players are paired in batches every few minutes, the
job is due at the next batch.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from draw import limits
from runtime.models import Queue
from runtime.work import outbox
from tournaments.base import event_rows, formats, waiting_work
from tournaments.models import Pairing, PairingState, Stage, Tournament
from tournaments.play import capacity

# Up to here a result and all that follows take some 20 ms.
MOST_PLAYERS: Final = 64
MOST_MATCHES: Final = 300
# Up to here a draw and its places take some 200 ms.
MOST_DRAWN_PLAYERS: Final = 256
MOST_DRAWN_PLACES: Final = 1_024


def leave_to_worker(event: Tournament, *, now: datetime) -> bool:
    """Leave the processing of a result in a locked event to a worker if it is batched or slow; True if so."""
    at = _find_next_batch(event, now=now)
    is_long = at is None and (
        capacity.count_entered(event) > MOST_PLAYERS
        or Pairing.objects.filter(tournament=event).count() > MOST_MATCHES
    )
    if at is None and not is_long:
        return False
    queue_job(event, at=at or now, now=now)
    return True


def is_long_draw(event: Tournament, stage: Stage, players: int) -> bool:
    """True if a draw of so many players is processed by a worker."""
    if players > MOST_DRAWN_PLAYERS:
        return True
    is_made_at_once = formats.get_format(stage).is_fixed(formats.build_options(stage))
    stated = event_rows.build_stage(event, stage)
    return is_made_at_once and limits.count_places(stated, players) > MOST_DRAWN_PLACES


def queue_job(event: Tournament, *, at: datetime, now: datetime) -> None:
    """Queue the processing of a locked event; a queued event is not queued again."""
    if event.pairing_at is not None:
        return
    event.pairing_at = at
    event.save(update_fields=["pairing_at"])
    request_job(event.pk, at=at, now=now)


def request_job(event_id: int, *, at: datetime, now: datetime) -> None:
    key = waiting_work.build_dedupe_key(event_id)
    outbox.request(KIND, {"event": event_id}, dedupe_key=key, now=now, queue=Queue.SLOW, due_at=at)


def clear_pending(event: Tournament) -> None:
    if event.pairing_at is not None:
        event.pairing_at = None
        event.save(update_fields=["pairing_at"])


def _find_next_batch(event: Tournament, *, now: datetime) -> datetime | None:
    """Return the next time at which free players are paired, if a stage in play pairs in batches (P72)."""
    playing = Pairing.objects.filter(tournament=event, state=PairingState.READY, opened_at__isnull=False)
    stages = Stage.objects.filter(pk__in=playing.values("stage"))
    minutes = [formats.get_format(stage).batch_minutes(formats.build_options(stage)) for stage in stages]
    minutes = [said for said in minutes if said]
    if not minutes or event.started_at is None:
        return None
    every = timedelta(minutes=min(minutes))
    return event.started_at + every * ((now - event.started_at) // every + 1)
