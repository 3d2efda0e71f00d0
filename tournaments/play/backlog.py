"""Deferred processing of events: a result is stored at once, what follows may be left to a worker.

Small events are processed in the request, because a worker takes a moment to pick up a job. Large ones are
left to a worker, so that no lock is held for long. If players are paired in batches every few minutes, the
job is due at the next batch.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.db.models import QuerySet

from draw import limits
from runtime.models import Outbox, Queue
from runtime.work import outbox
from tournaments.base import event_rows, formats
from tournaments.models import Draw, Pairing, PairingState, Stage, Tournament
from tournaments.play import capacity
from tournaments.status import Status

# The kind of the jobs in the outbox.
KIND: Final = "tournaments.pairing"


class Work(StrEnum):
    NONE = ""
    DRAW = "draw"  # the matches of a draw that is published
    RESULTS = "results"  # what follows from results
    FAILED = "failed"  # either, and the last attempt did not succeed


def build_dedupe_key(event_id: int | str) -> str:
    return f"{KIND}:{event_id}"


def query_failed_jobs() -> QuerySet[Outbox]:
    """Return the jobs whose last attempt failed; the outbox tries them again."""
    return Outbox.objects.filter(kind=KIND, done_at__isnull=True).exclude(last_error="")


def find_next_pairing(event: Tournament) -> datetime | None:
    """Return when a worker pairs the event next; it never does while the event is paused or cancelled."""
    goes_on = event.paused_at is None and event.status != Status.CANCELLED
    return event.pairing_at if goes_on else None


def find_waiting_work(event: Tournament) -> Work:
    """Return the pending work in an event; none while it is paused or cancelled."""
    if find_next_pairing(event) is None:
        return Work.NONE
    if query_failed_jobs().filter(dedupe_key=build_dedupe_key(event.pk)).exists():
        return Work.FAILED
    # For a long draw, publishing sets `pairing_at` to `published_at`, and a worker makes the matches.
    is_draw = Draw.objects.filter(stage__tournament=event, published_at=event.pairing_at).exists()
    return Work.DRAW if is_draw else Work.RESULTS


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
    key = build_dedupe_key(event_id)
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
    minutes = [each for each in minutes if each]
    if not minutes or event.started_at is None:
        return None
    every = timedelta(minutes=min(minutes))
    return event.started_at + every * ((now - event.started_at) // every + 1)
