"""Invariants of rooms: no table is held for ever, and a chair ends together with its assignment."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Q

from tournaments.models import PairingState
from tournaments.status import Status
from venue.models import Assignment, Chair


def verify_tables() -> Iterator[str]:
    """Report open assignments without a match to play, and chairs that end apart from their assignment."""
    open_ones = Assignment.objects.filter(ended_at__isnull=True)
    over = ~Q(pairing__state=PairingState.READY) | ~Q(pairing__tournament__status=Status.RUNNING.value)
    over |= Q(pairing__opened_at__isnull=True)
    for each in open_ones.filter(Q(table__isnull=True) | over).select_related("table", "pairing"):
        yield f"table {each.table} is held by {each.pairing}, which is not to be played"
    apart = Chair.objects.filter(ended_at__isnull=True, assignment__ended_at__isnull=False)
    gone = Chair.objects.filter(ended_at__isnull=False, assignment__ended_at__isnull=True)
    for chair in (apart | gone).order_by("pk").annotate(until=F("assignment__ended_at")):
        yield f"chair {chair.pk} ends {chair.ended_at}, its table {chair.until}"
