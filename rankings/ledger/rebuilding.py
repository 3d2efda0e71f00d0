"""A list is computed again portion by portion, from some place of its ledger to the end.

The row of a rebuild says from where the ledger is still to be computed: all before is right. Each portion is a transaction that
takes the place on, so whoever is stopped anywhere, by a kill or a power cut, has lost one portion, and anybody may go on.
The list shows the ratings it showed before until the last portion is done.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import Q

from players.clubs import webhooks
from rankings.formulas.systems import system
from rankings.ledger import entries, rateable
from rankings.models import RatingList, Rebuild
from runtime import stream, transactions
from runtime.work import failures, sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from rankings.formulas.values import Standing
    from rankings.ledger.rateable import Order, Rated

# Each portion renews it: whoever was killed is waited for no longer.
LEASE: Final = timedelta(seconds=40)
MOMENT: Final = timedelta(microseconds=1)


def begin(rating_list: RatingList, since: Order | None, *, is_whole: bool = False, now: datetime) -> None:
    """Have a list computed again from a place on; whoever calls holds its lock.

    Where a rebuild is under way it goes back to that place, unless it is still before it.
    """
    at, match = since or (None, "")
    there = Rebuild.objects.filter(list=rating_list).first()
    if there is not None and (there.place is None or (since is not None and there.place <= since)):
        return
    fresh: dict[str, Any] = {
        "from_at": at,
        "from_match": match,
        "done": 0,
        "total": rateable.count(rating_list, since),
    }
    if there is not None:
        Rebuild.objects.filter(pk=there.pk).update(**fresh, is_whole=there.is_whole or is_whole)
    else:
        Rebuild.objects.create(list=rating_list, is_whole=is_whole, asked_at=now, **fresh)


def begin_whole(*, list_id: int, now: datetime) -> bool:
    """Have all of a list computed again; say whether a rebuild that was stopped is gone on with instead."""
    with transaction.atomic():
        held = entries.held(RatingList.objects.filter(pk=list_id))[0]
        goes_on = Rebuild.objects.filter(list=held, is_whole=True).exists()
        if not goes_on:
            begin(held, None, is_whole=True, now=now)
    return goes_on


def waiting(at: Any) -> Iterator[QuerySet[Rebuild]]:
    """Ask whether a list has been waiting since then to be computed again by somebody."""
    yield _free(at).filter(asked_at__lte=at)


def sweep(now: datetime) -> int:
    """Go on with what waits, for a while; return how many lists were worked on."""
    return failures.do_each(
        "rankings.rebuild",
        _free(now).order_by("asked_at", "pk"),
        lambda row: _go_on(row, now=now),
        key=lambda row: row.list_id,
        now=now,
        seconds=sweeps.SLICE,
    )


def _go_on(row: Rebuild, *, now: datetime) -> bool:
    # By compare-and-set: of all who read this row as it is now, one.
    lease = uuid4().hex
    free = Rebuild.objects.filter(pk=row.pk, lease=row.lease, leased_until=row.leased_until)
    if not free.update(lease=lease, leased_until=now + LEASE):
        return False
    try:
        _work(Rebuilder(row.list_id, lease), now=now, seconds=sweeps.SLICE)
    finally:
        Rebuild.objects.filter(pk=row.pk, lease=lease).update(leased_until=None)
    return True


def to_the_end(*, list_id: int, now: datetime, told: Callable[[Rebuild], object] | None = None) -> int:
    """Compute what is left of a rebuild, here and now; return how many entries were written or voided.

    Whoever else is at it stops: the lease is ours.
    """
    lease = uuid4().hex
    Rebuild.objects.filter(list=list_id).update(lease=lease, leased_until=now + LEASE)
    return _work(Rebuilder(list_id, lease), now=now, told=told)


def _take_time() -> None:
    """Let this transaction wait while a long month is computed: on a busy machine that takes longer than others may wait."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '30s'")


def _portions(matches: int) -> int:
    return matches // rateable.PORTION


def _count_entries() -> None:
    """Let PostgreSQL see how long the list has become.

    It looks by itself when a tenth of all entries is new. Until then it takes a list beside long ones for empty, and finds the last
    entry of a player by reading all of the list.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE rankings_ledgerentry")


def _free(at: Any) -> QuerySet[Rebuild]:
    return Rebuild.objects.filter(Q(leased_until__isnull=True) | Q(leased_until__lte=at))


def _work(
    rebuilder: Rebuilder,
    *,
    now: datetime,
    seconds: float | None = None,
    told: Callable[[Rebuild], object] | None = None,
) -> int:
    began = time.monotonic()
    changed = 0
    while seconds is None or time.monotonic() - began < seconds:
        gone = timedelta(seconds=int(time.monotonic() - began))
        left = rebuilder.portion(now=now + gone)
        changed += rebuilder.changed
        if left is None:
            break
        if told:
            told(left)
    return changed


def list_changed(rating_list: RatingList, *, now: datetime) -> None:
    """Tell the club's webhooks that ratings of a list have changed, in the transaction that wrote them (ADR 28)."""
    once = f"list:{rating_list.key}:{now.isoformat()}"
    about = {"list": rating_list.key}
    webhooks.tell(club_id=rating_list.club_id, what="list.changed", about=about, once=once, now=now)


@dataclass(slots=True)
class Rebuilder:
    """Who computes: what they know of the players is kept from portion to portion."""

    list_id: int
    lease: str
    place: Order | None = None
    players: dict[str, Standing] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    # By the last portion.
    changed: int = 0

    def portion(self, *, now: datetime) -> Rebuild | None:
        """Compute the next portion; return what is left, or nothing where all is done, or somebody else does it."""
        self.changed = 0
        # A rating period is one result: a busy month of a large list cannot be cut.
        with transactions.unlimited(), transaction.atomic():
            _take_time()
            lists = entries.held(RatingList.objects.filter(pk=self.list_id).select_related("club"))
            row = Rebuild.objects.filter(list=self.list_id, lease=self.lease).first()
            if not lists or row is None:
                return None
            [held] = lists
            # Always later than what the list shows meanwhile (`rateable.shown`).
            now = max(now, row.asked_at + MOMENT)
            if row.place != self.place:
                # What was computed has changed behind us: nothing we know is sure.
                self.players.clear()
                self.known.clear()
            how = system(held.system, held.params)
            found = rateable.portion(held, row.place, by_period=how.by_period, of=row.total)
            self._learn(held, found.matches, row.place)
            between = entries.is_between(row.place, found.until)
            standing = {line: pk for pk, line in entries.lines(held, between)}
            self.changed = entries.replay(held, how, found.matches, self.players, standing, now=now)
            if found.until is None:
                entries.show(held)
                row.delete()
                stream.publish(f"club.{held.club.slug}", "rankings", {}, now=now)
                list_changed(held, now=now)
                return None
            self.place = found.until
            row.from_at, row.from_match = found.until
            before, row.done = row.done, row.done + found.looked_at
            row.leased_until = now + LEASE
            row.save(update_fields=["from_at", "from_match", "done", "leased_until"])
        if _portions(row.done).bit_length() > _portions(before).bit_length():
            _count_entries()
        return row

    def _learn(self, held: RatingList, matches: list[Rated], place: Order | None) -> None:
        new = {player for each in matches for player in (each.a, each.b)} - self.known
        self.players |= entries.standings(held, new, place)
        self.known |= new
