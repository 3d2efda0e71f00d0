"""The outbox: consequences of a change, written in the change's transaction.

`put` records a consequence, `request` one that may be required again for the same subject; `deliver` carries
it out. A crash between the two loses nothing, a second delivery changes nothing: the row is claimed by
compare-and-set, and an effect in this database commits together with the row's `done_at`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import structlog
from django.db import Error, connection, transaction
from django.db.models import Case, DateTimeField, F, PositiveSmallIntegerField, Q, QuerySet, Value, When

from runtime import nodes, transactions
from runtime.install import held_copies
from runtime.models import Outbox, Queue
from runtime.rows import delete_rows
from runtime.work import failures, jobs

log = structlog.get_logger(__name__)

# Longer than the hard time limit of a task, so that no lease expires while its worker runs.
LEASE = timedelta(seconds=60)
# With the pauses some two days, long enough to repair a mail server.
MOST_ATTEMPTS = 60
LONGEST_PAUSE = timedelta(hours=1)
# After this time a drain stops starting rows, to free its worker.
LONGEST_DRAIN = timedelta(seconds=3)
# Django can ignore a conflict or return the key of the new row, but not both.
PUT: Final = """INSERT INTO runtime_outbox
    (kind, payload, dedupe_key, queue, created_at, due_at, lease, attempts, last_error)
    VALUES (%s, %s, %s, %s, %s, %s, '', 0, '') ON CONFLICT (dedupe_key) DO NOTHING RETURNING id"""


@dataclass(frozen=True, slots=True)
class RegisteredHandler:
    """A handler and its options (see `register`)."""

    # Carries out the consequence described by a payload; also given *now*.
    handler: Callable[..., None]
    external: bool
    goes_out: bool
    is_background: bool


_handlers: dict[str, RegisteredHandler] = {}
# Leases of this process's failed rows, kept because the failure could not be written either.
_stuck_leases: Final[set[str]] = set()


def register(
    kind: str,
    handler: Callable[..., None],
    *,
    external: bool = False,
    goes_out: bool = False,
    is_background: bool = False,
) -> None:
    """Register *handler* for the rows of *kind*.

    An *external* handler runs outside a transaction and may run again after a crash; any other commits
    together with the row, so its effect happens once. One that *goes_out* is external and reaches other
    people (mail, webhooks): a held copy does not run it. One that *is_background* takes long and is not
    urgent (see runtime.work.jobs).
    """
    _handlers[kind] = RegisteredHandler(handler, external or goes_out, goes_out, is_background)


def list_outgoing() -> list[str]:
    """Return the kinds that reach other people, sorted."""
    return sorted(kind for kind, registered in _handlers.items() if registered.goes_out)


def put(
    kind: str,
    payload: Mapping[str, Any],
    *,
    dedupe_key: str,
    now: datetime,
    queue: str = Queue.DEFAULT,
    due_at: datetime | None = None,
) -> bool:
    """Insert a row; False if one with this *dedupe_key* exists."""
    if kind not in _handlers:
        raise LookupError(f"nothing carries out {kind!r}")
    due = due_at or now
    created, at = (connection.ops.adapt_datetimefield_value(moment) for moment in (now, due))
    with connection.cursor() as cursor:
        cursor.execute(PUT, [kind, json.dumps(dict(payload)), dedupe_key, queue, created, at])
        found = cursor.fetchone()
    if found is None:
        return False
    if due <= now:
        transaction.on_commit(lambda: queue_delivery(found[0], queue=queue))
    return True


def request(
    kind: str,
    payload: Mapping[str, Any],
    *,
    dedupe_key: str,
    every: timedelta = timedelta(),
    now: datetime,
    queue: str = Queue.DEFAULT,
    due_at: datetime | None = None,
) -> None:
    """Require *kind* once more for a subject that has a single row, however many requests there are.

    A run covers all requests until it starts; it starts when the previous run has ended, and at least *every*
    after the start of that run. A request during a run leads to one more run. After a failure a request does
    not shorten the pause; what was given up is tried once more after the longest pause.
    """
    rows = Outbox.objects.filter(dedupe_key=dedupe_key, failed_at__isnull=True)
    due = due_at or now
    while not rows.update(
        requests=F("requests") + 1,
        attempts=Case(
            When(done_at__isnull=False, then=0), default="attempts", output_field=PositiveSmallIntegerField()
        ),
        due_at=Case(
            When(done_at__gt=due - every, done_at__lt=due + every, then=F("done_at") + every),
            When(done_at__isnull=False, then=Value(due)),
            When(leased_until__gt=now, then=Value(due + every)),
            default="due_at",
            output_field=DateTimeField(),
        ),
        done_at=None,
    ):
        if put(kind, payload, dedupe_key=dedupe_key, now=now, queue=queue, due_at=due):
            return
        given_up = Outbox.objects.filter(dedupe_key=dedupe_key, failed_at__isnull=False)
        given_up.update(failed_at=None, attempts=MOST_ATTEMPTS - 1, due_at=F("failed_at") + LONGEST_PAUSE)
    waits = rows.filter(due_at__lte=now, leased_until__isnull=True, done_at__isnull=True)
    if (found := waits.values_list("pk", flat=True).first()) is not None:
        transaction.on_commit(lambda: queue_delivery(found, queue=queue))


def query_due(at: Any, *, queue: str) -> Iterator[QuerySet[Outbox]]:
    """Select the rows of *queue* due since *at*, including leased ones, whose process may be dead."""
    yield _query_deliverable(at).filter(queue=queue)


def list_due(*, now: datetime, queue: str | None = None) -> QuerySet[Outbox]:
    """Select the due rows without a valid lease, oldest first."""
    rows = _query_deliverable(now).filter(Q(leased_until__isnull=True) | Q(leased_until__lte=now))
    return (rows.filter(queue=queue) if queue else rows).order_by("due_at", "pk")


def _query_deliverable(at: Any) -> QuerySet[Outbox]:
    may_leave = held_copies.filter_deliverable(list_outgoing())
    return Outbox.objects.filter(may_leave, due_at__lte=at, done_at__isnull=True, failed_at__isnull=True)


def list_failing() -> QuerySet[Outbox]:
    return Outbox.objects.filter(done_at__isnull=True, failed_at__isnull=True).exclude(last_error="")


def queue_delivery(outbox_id: int, *, queue: str) -> None:
    jobs.queue_task("runtime.deliver", deliver, queue=queue, outbox_id=outbox_id)


def deliver(*, outbox_id: int, now: datetime) -> bool:
    """Claim a row and carry it out; True if this call did."""
    row = list_due(now=now).filter(pk=outbox_id).first()
    if row is None:
        return False
    registered = _handlers.get(row.kind)
    if registered is None or not registered.is_background:
        return _deliver(row, now=now)
    with jobs.BACKGROUND.take(row.kind) as is_free:
        return is_free and _deliver(row, now=now)


def _deliver(row: Outbox, *, now: datetime) -> bool:
    if not _claim(row, now=now):
        return False
    try:
        with transactions.limit_transactions(
            row.kind,
            attempt=row.attempts,
            patience=0.0 if row.queue == Queue.CLOCKS else transactions.BACKGROUND_PATIENCE,
        ):
            _run_handler(row, now=now)
    except LeaseLost:
        log.info("outbox.lease_lost", kind=row.kind, outbox_id=row.pk)
        return False
    except Exception as error:  # noqa: BLE001 - after any error the row is retried
        try:
            _postpone(row, error, now=now)
        except Error:
            _stuck_leases.add(row.lease)
            raise
        return False
    return True


def _claim(row: Outbox, *, now: datetime) -> bool:
    # Compare-and-set: only one worker can win this update. It fails after a further request, which queues a
    # delivery as well.
    as_read = list_due(now=now).filter(pk=row.pk, attempts=row.attempts, requests=row.requests).order_by()
    if row.attempts >= MOST_ATTEMPTS:
        # No attempt has recorded an error: each ended its process.
        log.warning("outbox.gave_up", kind=row.kind, outbox_id=row.pk, attempts=row.attempts)
        as_read.update(failed_at=now, last_error=row.last_error or "the process ended at every attempt")
        return False
    claimed = {
        "lease": f"{nodes.NAME}/{uuid4().hex[:8]}"[-32:],
        "leased_until": now + LEASE,
        "attempts": row.attempts + 1,
    }
    if not as_read.update(**claimed):
        return False
    for name, value in claimed.items():
        setattr(row, name, value)
    return True


class LeaseLost(Exception):
    """Another worker took over the row after the lease expired; this one's effects are rolled back."""


def _run_handler(row: Outbox, *, now: datetime) -> None:
    registered = _handlers.get(row.kind)
    if registered is None:
        raise LookupError(f"nothing carries out {row.kind!r}")
    with nullcontext() if registered.external else transaction.atomic():
        registered.handler(row.payload, now=now)
        # Last, since it locks the row, and `request` would wait for the handler.
        _mark_done(row, now=now)


def _mark_done(row: Outbox, *, now: datetime) -> None:
    mine = Outbox.objects.filter(pk=row.pk, lease=row.lease, done_at__isnull=True)
    if mine.filter(requests=row.requests).update(done_at=now, leased_until=None, last_error=""):
        return
    # Requested again since it was claimed.
    if not mine.update(leased_until=None, attempts=0, last_error=""):
        raise LeaseLost


def _postpone(row: Outbox, error: Exception, *, now: datetime) -> None:
    # Respects a server's Retry-After.
    seconds = max(2 ** min(row.attempts, 12), getattr(error, "retry_after", 0))
    pause = min(timedelta(seconds=seconds), LONGEST_PAUSE)
    is_last = row.attempts >= MOST_ATTEMPTS
    log.warning(
        "outbox.gave_up" if is_last else "outbox.failed",
        kind=row.kind,
        outbox_id=row.pk,
        attempts=row.attempts,
        error=f"{type(error).__name__}: {error}",
        exc_info=not isinstance(error, (OSError, LookupError)),
    )
    Outbox.objects.filter(pk=row.pk, lease=row.lease, done_at__isnull=True).update(
        leased_until=None,
        due_at=now + pause,
        failed_at=now if is_last else None,
        last_error=failures.format_error(error),
    )


def drain(now: datetime, *, queue: str, limit: int = 100) -> int:
    """Deliver due rows of *queue*, oldest first, for up to `LONGEST_DRAIN`; return the number done."""
    _free_abandoned_leases(now=now)
    ids = list(list_due(now=now, queue=queue).values_list("pk", flat=True)[:limit])
    began = time.monotonic()
    done = 0
    for outbox_id in ids:
        # Leases start at their own claim, which may be long after *now* if earlier rows were slow.
        gone = timedelta(seconds=int(time.monotonic() - began))
        if gone > LONGEST_DRAIN:
            break
        done += deliver(outbox_id=outbox_id, now=now + gone)
    return done


def _free_abandoned_leases(*, now: datetime) -> None:
    """Release the leases of dead processes, and those that this one is stuck with, before they expire."""
    holders = (
        Outbox.objects.filter(leased_until__gt=now, done_at__isnull=True, failed_at__isnull=True)
        .values_list("lease", flat=True)
        .distinct()
    )
    stuck = frozenset(_stuck_leases)
    abandoned = [
        lease for lease in holders if lease in stuck or not nodes.is_alive(lease.rpartition("/")[0], now=now)
    ]
    if abandoned:
        Outbox.objects.filter(lease__in=abandoned, done_at__isnull=True).update(leased_until=None)
    _stuck_leases.difference_update(stuck)


def retry(rows: QuerySet[Outbox], *, now: datetime) -> int:
    """Make rows that were given up or wait after a failure due now; return their number."""
    waits = Q(done_at__isnull=True, due_at__gt=now) & ~Q(last_error="")
    return rows.filter(waits | Q(failed_at__isnull=False)).update(
        failed_at=None, attempts=0, due_at=now, leased_until=None
    )


def prune(*, now: datetime) -> int:
    return delete_rows(Outbox.objects.filter(done_at__lt=now - timedelta(days=7)))


def queue_mail(
    *,
    to: str,
    subject: str,
    body: str,
    html: str = "",
    headers: Mapping[str, str] | None = None,
    dedupe_key: str,
    now: datetime,
) -> bool:
    """Queue an e-mail; False if one with this *dedupe_key* exists."""
    payload = {"to": to, "subject": subject, "body": body, "html": html, "headers": dict(headers or {})}
    # If it is sent twice after a crash, both have the same Message-ID.
    return put("runtime.mail", {**payload, "id": uuid4().hex}, dedupe_key=dedupe_key, now=now)
