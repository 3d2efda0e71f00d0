"""The title chances of running events: computed by a worker and cached in a row.

Each change of an event requests them after the ratings have been updated (`ledger`). The outbox runs one
computation of an event at a time and backs off after a failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from draw.forecast.titles import TitleForecast
from players.models import Club
from rankings.chances import titles
from rankings.ledger import reach
from rankings.models import RatingList, TitleChances
from runtime.models import Queue
from runtime.work import outbox
from tournaments.models import Tournament
from tournaments.status import Status

KIND: Final = "rankings.titles"
# The shortest time between the starts of two computations of an event.
EVERY: Final = timedelta(seconds=20)
SHORTEST: Final = 0.00005


def request(*, event_id: int, now: datetime) -> None:
    """Request the chances of an event; delete them if it is not running, or holds friendlies."""
    if not Tournament.objects.filter(pk=event_id, is_friendly=False, status=Status.RUNNING).exists():
        TitleChances.objects.filter(event=event_id).delete()
        return
    TitleChances.objects.get_or_create(event_id=event_id)
    outbox.request(
        KIND,
        {"event": event_id},
        dedupe_key=f"{KIND}:{event_id}",
        every=EVERY,
        now=now,
        queue=Queue.SLOW,
    )


def request_for_club(*, club: Club, now: datetime) -> None:
    """Request the chances of all running events of a club, after a change of the lists that rate it."""
    _request_running(Q(club=club), now=now)


def request_for_list(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Request the chances of the running events that a list rates (an outbox handler)."""
    rating_list = RatingList.objects.filter(pk=payload["list"]).first()
    if rating_list is not None:
        _request_running(reach.filter_played(rating_list, "club"), now=now)


def _request_running(which: Q, *, now: datetime) -> None:
    running = Tournament.objects.filter(which, status=Status.RUNNING)
    for event_id in running.order_by("pk").values_list("pk", flat=True):
        request(event_id=event_id, now=now)


def compute(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Compute the chances of an event outside of a transaction, then write them (an outbox handler)."""
    row = TitleChances.objects.filter(event=payload["event"]).select_related("event").first()
    if row is None:
        return
    try:
        _refresh_row(row, now=now)
    except Exception:
        # The old chances are out of date.
        TitleChances.objects.filter(pk=row.pk).update(shares=[], made_of="")
        raise


def _refresh_row(row: TitleChances, *, now: datetime) -> None:
    basis = titles.build_input(row.event, now=now)
    key = "" if basis is None else basis.mark
    if key == row.made_of:
        return
    found = None if basis is None else titles.compute(basis)
    TitleChances.objects.filter(pk=row.pk).update(
        list=None if basis is None else basis.list,
        made_of=key,
        shares=_list_shares(found),
        runs=0 if found is None else found.runs,
        computed_at=now,
    )


def _list_shares(found: TitleForecast | None) -> list[list[float]]:
    """List the entries that can still win with their shares, the highest first."""
    if found is None:
        return []
    shares = ([int(one), round(share, 4)] for one, share in found.shares.items() if share >= SHORTEST)
    return sorted(shares, key=lambda each: (-each[1], each[0]))
