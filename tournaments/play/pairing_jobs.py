"""Long pairings, run by a worker: computed without a lock, then written if the event has not changed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from draw import fixpoint
from runtime.work import cpu, sweeps
from tournaments.base import event_rows
from tournaments.models import Tournament
from tournaments.play import backlog, changes, progress
from tournaments.play.reconciliation import Reconciler

log = structlog.get_logger(__name__)

# Attempts if the event changes during the computation; after that it is computed under the lock.
TRIES: Final = 3
# New places per transaction; other writers get in between.
PORTION: Final = 500
# Seconds between two portions; writers waiting for SQLite retry after at most a tenth of a second.
PAUSE: Final = 0.12
# A job that has not run by then is considered lost.
PATIENCE: Final = timedelta(seconds=2)


def pair_event(*, tournament_id: int, now: datetime) -> bool:
    """Compute and write what is pending in an event; True if this call did. Idempotent."""
    for _ in range(TRIES):
        event = _query_pending(now).select_related("club").filter(pk=tournament_id).first()
        if event is None:
            return False
        outcome = progress.compute_outcome(
            event_rows.load_rows(event),
            now=now,
            settle=lambda values, **about: cpu.run(fixpoint.settle_event, values, **about),
        )
        while (is_written := _write_portion(event, outcome, now=now)) is False:
            time.sleep(PAUSE)
        if is_written:
            return True
    return progress.advance_event(tournament_id=tournament_id, now=now)


def _write_portion(event: Tournament, outcome: Reconciler, *, now: datetime) -> bool | None:
    """Write a portion of an outcome; True if it was the last, None if the event has changed since."""
    with transaction.atomic():
        held = changes.lock_event(event.pk)
        # Every change of an event bumps its version: the same version means the same rows.
        if (held.version, held.stamp) != (event.version, event.stamp):
            return None
        outcome.rows.event = held
        is_all = progress.write_outcome(outcome, now=now, most=PORTION)
        if is_all:
            changes.announce_change(held, now=now)
        else:
            # Pages show the progress; other workers on the same event start again.
            changes.announce_to_pages(held, now=now)
            event.version, event.stamp = held.version, held.stamp
        return is_all


def run_job(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Run a job (outbox handler)."""
    try:
        pair_event(tournament_id=payload["event"], now=now)
    except Exception:
        # Pages show the failure.
        with transaction.atomic():
            changes.announce_to_pages(changes.lock_event(payload["event"]), now=now)
        raise


def sweep(now: datetime) -> int:
    """Run lost jobs, and those of events resumed after a pause."""
    ends = time.monotonic() + sweeps.SLICE
    [rows] = query_due(now)
    found = rows.order_by("pairing_at").values_list("pk", flat=True)
    return sum(_pair_or_requeue(pk, now=now) for pk in found if time.monotonic() < ends)


def query_due(at: Any) -> Iterator[QuerySet[Tournament]]:
    """Yield a query for events whose job was lost; failed jobs are retried by the outbox."""
    key = Concat(Value(backlog.build_dedupe_key("")), Cast("pk", CharField()))
    failed = backlog.query_failed_jobs().filter(dedupe_key=OuterRef("job"))
    yield _query_pending(at - PATIENCE).alias(job=key).exclude(Exists(failed))


def _pair_or_requeue(tournament_id: int, *, now: datetime) -> bool:
    try:
        return pair_event(tournament_id=tournament_id, now=now)
    except Exception:
        # An event that cannot be paired must not block the others; the outbox retries it.
        log.exception("rounds.failed", tournament=tournament_id)
        backlog.request_job(tournament_id, at=now, now=now)
        return False


def _query_pending(at: Any) -> QuerySet[Tournament]:
    """Return the events with something pending at *at*, except paused and cancelled ones."""
    return Tournament.objects.filter(pairing_at__lte=at, paused_at__isnull=True, status__in=progress.PLAYED)
