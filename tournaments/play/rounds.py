"""Long pairings, by a worker: worked out without any lock, then written if the event is still the same."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat

from draw import fixpoint
from runtime.work import cpu, sweeps
from tournaments.base import event_rows, waiting_work
from tournaments.models import Tournament
from tournaments.play import backlog, changes, progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from draw import event as pure
    from tournaments.play.progress import Outcome

log = structlog.get_logger(__name__)

# So often somebody may change the event meanwhile; after that it is held while it is worked out.
TRIES: Final = 3
# New places that are written at once; others write in between.
PORTION: Final = 500
# Seconds between two portions: whoever waits for SQLite looks again after a tenth of one at the latest.
PAUSE: Final = 0.12
# A job that has not been run by then was lost on its way.
PATIENCE: Final = timedelta(seconds=2)


def pair(*, tournament_id: int, now: datetime) -> bool:
    """Work out what is waiting in an event and make it; say whether this call did. Repeating it changes nothing."""
    for _ in range(TRIES):
        event = _due(now).select_related("club").filter(pk=tournament_id).first()
        if event is None:
            return False
        outcome = progress.work_out(event_rows.load(event), now=now, settle=_settle)
        while (is_written := _write(event, outcome, now=now)) is False:
            time.sleep(PAUSE)
        if is_written:
            return True
    return progress.advance_event(tournament_id=tournament_id, now=now)


def _settle(event: pure.Event, **about: Any) -> fixpoint.Settled:
    return cpu.run(fixpoint.settle_event, event, **about)


def _write(event: Tournament, outcome: Outcome, *, now: datetime) -> bool | None:
    """Write a portion of what was worked out; say whether it was the last, None where the event has changed since."""
    with transaction.atomic():
        held = changes.lock(event.pk)
        # Every change of an event counts: the same number, the same rows.
        if (held.version, held.stamp) != (event.version, event.stamp):
            return None
        outcome.rows.event = held
        is_all = progress.write(outcome, now=now, most=PORTION)
        if is_all:
            changes.hint(held, now=now)
        else:
            # Pages show what there is; whoever works on the same event begins again.
            changes.hint_pages(held, now=now)
            event.version, event.stamp = held.version, held.stamp
        return is_all


def tell(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Run a job (an outbox handler)."""
    try:
        pair(tournament_id=payload["event"], now=now)
    except Exception:
        # Pages say that it failed.
        with transaction.atomic():
            changes.hint_pages(changes.lock(payload["event"]), now=now)
        raise


def sweep(now: datetime) -> int:
    """Run the jobs that were lost, and those of events that go on after a pause."""
    ends = time.monotonic() + sweeps.SLICE
    [rows] = lost(now)
    found = rows.order_by("pairing_at").values_list("pk", flat=True)
    return sum(_paired(pk, now=now) for pk in found if time.monotonic() < ends)


def lost(at: Any) -> Iterator[QuerySet[Tournament]]:
    """Ask for events whose job was lost; one that failed is tried again by the outbox."""
    key = Concat(Value(waiting_work.dedupe_key("")), Cast("pk", CharField()))
    failed = waiting_work.failed_jobs().filter(dedupe_key=OuterRef("job"))
    yield _due(at - PATIENCE).alias(job=key).exclude(Exists(failed))


def _paired(tournament_id: int, *, now: datetime) -> bool:
    try:
        return pair(tournament_id=tournament_id, now=now)
    except Exception:
        # One event that cannot be paired must not keep all others waiting; the outbox tries it again.
        log.exception("rounds.failed", tournament=tournament_id)
        backlog.request(tournament_id, at=now, now=now)
        return False


def _due(at: Any) -> QuerySet[Tournament]:
    """Return the events in which something is waiting since then; what stands still or was called off is not."""
    return Tournament.objects.filter(pairing_at__lte=at, paused_at__isnull=True, status__in=progress.PLAYED)
