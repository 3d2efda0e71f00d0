"""Calls that somebody has not seen in time: the desk is told once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from venue.models import Assignment
from venue.selectors.calls import TO_BE_SEEN
from venue.services import seats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet


MOST: Final = 200


def waiting(at: Any) -> Iterator[QuerySet[Assignment]]:
    """Ask, by a column with an index, for calls whose time to be seen has been over since then."""
    yield Assignment.objects.filter(
        called_at__lte=at - TO_BE_SEEN,
        ended_at__isnull=True,
        started_at__isnull=True,
        unseen_at__isnull=True,
    )


def sweep(now: datetime) -> int:
    """Have the desks look again at which the time of a call is over."""
    with transaction.atomic():
        found = next(waiting(now)).order_by("called_at", "pk")
        late = list(found.values_list("pk", "table__room_id")[:MOST])
        told = Assignment.objects.filter(pk__in=[pk for pk, _ in late], unseen_at__isnull=True)
        count = told.update(unseen_at=now)
        seats.tell_rooms([room for _, room in late], now=now)
    return count
