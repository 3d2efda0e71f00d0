"""Recomputation of a list, portion by portion, from a position in its ledger to the end.

The row of a rebuild has the position up to which the ledger is correct. Each portion is a transaction that
advances it, so a worker that is killed loses one portion, and any other worker can continue. The list shows
the previous ratings until the last portion is done. A rebuild whose ratings leave the range of numbers is
dropped: the list goes on with what is in its ledger.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import structlog
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from players.clubs import webhooks
from rankings.formulas.systems import system
from rankings.formulas.values import Standing
from rankings.ledger import entries, rated_matches
from rankings.ledger.rated_matches import Order
from rankings.models import RatingList, Rebuild
from runtime import stream, transactions
from runtime.work import failures, outbox, sweeps

log = structlog.get_logger(__name__)

# Each portion renews the lease; after this time another worker may take over from one that was killed.
LEASE: Final = timedelta(seconds=40)
MOMENT: Final = timedelta(microseconds=1)
REBUILT: Final = "rankings.rebuilt"


def request_rebuild(
    rating_list: RatingList, since: Order | None, *, is_whole: bool = False, now: datetime
) -> None:
    """Request a rebuild from a position on. The caller holds the list's lock.

    If a rebuild is under way it goes back to that position, unless it has not reached it yet.
    """
    at, match = since or (None, "")
    there = Rebuild.objects.filter(list=rating_list).first()
    if there is not None and (there.place is None or (since is not None and there.place <= since)):
        return
    fresh: dict[str, Any] = {
        "from_at": at,
        "from_match": match,
        "done": 0,
        "total": rated_matches.count_matches(rating_list, since),
    }
    if there is not None:
        Rebuild.objects.filter(pk=there.pk).update(**fresh, is_whole=there.is_whole or is_whole)
    else:
        Rebuild.objects.create(list=rating_list, is_whole=is_whole, asked_at=now, **fresh)


def request_full_rebuild(*, list_id: int, now: datetime) -> bool:
    """Request a rebuild of the whole list; True if an interrupted one continues instead."""
    with transaction.atomic():
        held = entries.lock_lists(RatingList.objects.filter(pk=list_id))[0]
        goes_on = Rebuild.objects.filter(list=held, is_whole=True).exists()
        if not goes_on:
            request_rebuild(held, None, is_whole=True, now=now)
    return goes_on


def query_due(at: Any) -> Iterator[QuerySet[Rebuild]]:
    """Select the rebuilds without a valid lease that were requested by *at*."""
    yield _list_unleased(at).filter(asked_at__lte=at)


def sweep(now: datetime) -> int:
    """Continue pending rebuilds for one time slice; return how many lists were worked on."""
    return failures.process_each(
        "rankings.rebuild",
        _list_unleased(now).order_by("asked_at", "pk"),
        lambda row: _continue_rebuild(row, now=now),
        key=lambda row: row.list_id,
        now=now,
        seconds=sweeps.SLICE,
    )


def _continue_rebuild(row: Rebuild, *, now: datetime) -> bool:
    # Compare-and-set: only one worker can win this update.
    lease = uuid4().hex
    free = Rebuild.objects.filter(pk=row.pk, lease=row.lease, leased_until=row.leased_until)
    if not free.update(lease=lease, leased_until=now + LEASE):
        return False
    try:
        _run_portions(Rebuilder(row.list_id, lease), now=now, seconds=sweeps.SLICE)
    finally:
        Rebuild.objects.filter(pk=row.pk, lease=lease).update(leased_until=None)
    return True


def finish_rebuild(
    *, list_id: int, now: datetime, on_progress: Callable[[Rebuild], object] | None = None
) -> int:
    """Finish a rebuild synchronously; return how many entries were written or voided.

    It takes over the lease, so that any other worker stops.

    :raises ArithmeticError: the ratings leave the range of numbers; the rebuild is dropped.
    """
    lease = uuid4().hex
    Rebuild.objects.filter(list=list_id).update(lease=lease, leased_until=now + LEASE)
    rebuilder = Rebuilder(list_id, lease)
    changed = _run_portions(rebuilder, now=now, on_progress=on_progress)
    if rebuilder.problem is not None:
        raise rebuilder.problem
    return changed


def _run_on_postgresql(statement: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement)


def _list_unleased(at: Any) -> QuerySet[Rebuild]:
    return Rebuild.objects.filter(Q(leased_until__isnull=True) | Q(leased_until__lte=at))


def _run_portions(
    rebuilder: Rebuilder,
    *,
    now: datetime,
    seconds: float | None = None,
    on_progress: Callable[[Rebuild], object] | None = None,
) -> int:
    began = time.monotonic()
    changed = 0
    while seconds is None or time.monotonic() - began < seconds:
        gone = timedelta(seconds=int(time.monotonic() - began))
        left = rebuilder.portion(now=now + gone)
        changed += rebuilder.changed
        if left is None:
            break
        if on_progress:
            on_progress(left)
    return changed


def queue_consequences(rating_list: RatingList, *, now: datetime) -> None:
    """Queue what follows from other ratings in a list, or from other opening ratings."""
    outbox.request(REBUILT, {"list": rating_list.pk}, dedupe_key=f"{REBUILT}:{rating_list.pk}", now=now)


def notify_list_changed(rating_list: RatingList, *, now: datetime) -> None:
    """Notify the club's webhooks of changed ratings in a list, in the transaction of the change (ADR 28)."""
    once = f"list:{rating_list.key}:{now.isoformat()}"
    about = {"list": rating_list.key}
    webhooks.queue_calls(club_id=rating_list.club_id, what="list.changed", about=about, once=once, now=now)


@dataclass(slots=True)
class Rebuilder:
    """One worker's rebuild of a list; standings are kept in memory between portions."""

    list_id: int
    lease: str
    place: Order | None = None
    players: dict[str, Standing] = field(default_factory=dict)
    # The number of entries that the last portion wrote or voided.
    changed: int = 0
    # Why the rebuild was dropped.
    problem: ArithmeticError | None = None

    def portion(self, *, now: datetime) -> Rebuild | None:
        """Compute the next portion; return the rebuild, or None if it is over or the lease is lost."""
        self.changed = 0
        # A rating period is one result: a busy month of a large list cannot be split.
        with transactions.lift_limit(), transaction.atomic():
            # A long month can take longer than the default allows.
            _run_on_postgresql("SET LOCAL idle_in_transaction_session_timeout = '30s'")
            lists = entries.lock_lists(RatingList.objects.filter(pk=self.list_id).select_related("club"))
            row = Rebuild.objects.filter(list=self.list_id, lease=self.lease).first()
            if not lists or row is None:
                return None
            [held] = lists
            # Always later than the entries shown during the rebuild (`rated_matches.list_shown_entries`).
            now = max(now, row.asked_at + MOMENT)
            if row.place != self.place:
                # The position was reset by a change, so the standings in memory are no longer valid.
                self.players.clear()
            how = system(held.system, held.params)
            found = rated_matches.load_portion(held, row.place, by_period=how.by_period, of=row.total)
            # The matches of a portion leave a standing for each of their players.
            met = {player for each in found.matches for player in (each.a, each.b)}
            new = {player for player in met if str(player) not in self.players}
            self.players |= entries.load_standings(held, new, row.place)
            between = rated_matches.filter_from(row.place) & rated_matches.filter_before(found.until)
            standing = {line: pk for pk, line in entries.list_lines(held, between)}
            try:
                with transaction.atomic():
                    self.changed = entries.replay(held, how, found.matches, self.players, standing, now=now)
            except ArithmeticError as problem:
                log.exception("ratings.rebuild_dropped", list_id=held.pk)
                self.problem = problem
            if self.problem is not None or found.until is None:
                entries.update_ratings(held)
                row.delete()
                stream.publish(f"club.{held.club.slug}", "rankings", {}, now=now)
                notify_list_changed(held, now=now)
                queue_consequences(held, now=now)
                return None
            self.place = found.until
            row.from_at, row.from_match = found.until
            before, row.done = row.done, row.done + found.looked_at
            row.leased_until = now + LEASE
            row.save(update_fields=["from_at", "from_match", "done", "leased_until"])
        portions, portions_before = (count // rated_matches.PORTION for count in (row.done, before))
        if portions.bit_length() > portions_before.bit_length():
            # Autovacuum analyses only after a tenth of all entries is new. Until then the planner takes a new list
            # beside long ones to be empty, and finds a player's last entry by reading the whole list.
            _run_on_postgresql("ANALYZE rankings_ledgerentry")
        return row
