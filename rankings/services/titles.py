"""The title chances of running events: computed by a worker, kept in a row (ADR 89).

They are asked for by what follows each change of an event (`ledger`), when ratings have followed it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import transaction

from rankings.models import TitleChances
from rankings.selectors import titles
from tournaments.models import Tournament
from tournaments.services import changes
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import Club

log = structlog.get_logger(__name__)

# A worker's task ends after 30 seconds.
SLICE: Final = 10.0
SHORTEST: Final = 0.00005


def ask(*, event_id: int, now: datetime) -> None:
    """Have the chances of an event computed; of one that is not being played there are none."""
    if Tournament.objects.filter(pk=event_id, is_friendly=False, status=Status.RUNNING).exists():
        TitleChances.objects.update_or_create(event_id=event_id, defaults={"asked_at": now})
    else:
        TitleChances.objects.filter(event=event_id).delete()


def ask_of_club(*, club: Club, now: datetime) -> None:
    """Have the chances of all that a club is playing computed again: other lists rate it now."""
    running = Tournament.objects.filter(club=club, status=Status.RUNNING)
    for event_id in running.order_by("pk").values_list("pk", flat=True):
        ask(event_id=event_id, now=now)


def waiting(at: Any) -> Iterator[QuerySet[TitleChances]]:
    """Ask whether an event has been waiting for its chances since then."""
    yield TitleChances.objects.filter(asked_at__lte=at)


def sweep(now: datetime) -> int:
    """Compute what was asked for, who has waited longest first, for a while; return how many were looked at."""
    began = time.monotonic()
    done = 0
    for row in (
        TitleChances.objects.filter(asked_at__lte=now).select_related("event").order_by("asked_at", "pk")
    ):
        if time.monotonic() - began > SLICE:
            break
        try:
            _compute(row, now=now)
        except Exception:
            # One event that cannot be computed holds up no other.
            log.exception("rankings.titles_failed", number=row.event_id)
            _withdraw(row, now=now)
        done += 1
    return done


def _compute(row: TitleChances, *, now: datetime) -> None:
    """Compute outside of a transaction, then write, unless the event has changed again: then it is asked for once more."""
    basis = titles.basis(row.event, now=now)
    mark = "" if basis is None else basis.mark
    mine = TitleChances.objects.filter(pk=row.pk, asked_at=row.asked_at)
    if mark == row.made_of:
        mine.update(asked_at=None)
        return
    found = None if basis is None else titles.compute(basis)
    shares = (
        []
        if found is None
        else sorted(
            ([int(one), round(share, 4)] for one, share in found.shares.items() if share >= SHORTEST),
            key=lambda each: (-each[1], each[0]),
        )
    )
    with transaction.atomic():
        kept = mine.update(
            list=None if basis is None else basis.list,
            made_of=mark,
            shares=shares,
            runs=0 if found is None else found.runs,
            computed_at=now,
            asked_at=None,
        )
        # Pages that are kept for all visitors show them, too.
        if kept and shares != row.shares:
            changes.touch(Tournament.objects.filter(pk=row.event_id), now=now)


def _withdraw(row: TitleChances, *, now: datetime) -> None:
    """Show none: the old ones are wrong by now. The next change of the event asks again."""
    mine = TitleChances.objects.filter(pk=row.pk, asked_at=row.asked_at)
    with transaction.atomic():
        if mine.update(asked_at=None, made_of="", shares=[]) and row.shares:
            changes.touch(Tournament.objects.filter(pk=row.event_id), now=now)
