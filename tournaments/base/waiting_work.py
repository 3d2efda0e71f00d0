"""Pending work of a worker in an event, and whether its last attempt failed."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db.models import QuerySet

from runtime.models import Outbox
from tournaments.models import Draw, Tournament
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
