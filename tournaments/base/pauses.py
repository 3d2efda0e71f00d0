"""Pauses of events; their time does not count as played."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tournaments.hooks import Pause
from tournaments.models import Ruling, RulingKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime


def load_pauses(events: Collection[int]) -> dict[int, list[Pause]]:
    """Return the finished pauses of events; events without any are left out.

    The time between an early end or a cancellation and the reopening counts as one.
    """
    found: dict[int, list[Pause]] = {}
    goes_on = (RulingKind.RESUMED, RulingKind.REOPENED)
    rows = Ruling.objects.filter(tournament__in=events, act__in=goes_on).order_by("at", "pk")
    for event, at, data in rows.values_list("tournament_id", "at", "data"):
        found.setdefault(event, []).append(Pause(at - timedelta(seconds=data.get("seconds", 0)), at))
    return found


def compute_paused_time(pauses: Iterable[Pause], begins: datetime, ends: datetime) -> timedelta:
    spans = (min(each.ended_at, ends) - max(each.begun_at, begins) for each in pauses)
    return sum((span for span in spans if span > timedelta(0)), timedelta(0))
