"""Querysets of pending analyses and questions."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Exists, F, OuterRef, Q

from matches import hooks as match_hooks
from matches.models import Match
from matches.state.status import Status
from opinion.models import Analysis, AskedPosition, Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

# Matches that ended earlier are only analysed on request.
FRESH: Final = timedelta(days=1)


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    """Query the pending work, for the sweep's due check."""
    yield list_unanalysed(at)
    yield list_unanalysed_records(at)
    yield Analysis.objects.filter(filter_claimable(at))


def list_unanalysed(at: Any) -> QuerySet[Match]:
    """Return the recently ended matches without an analysis of their current journal."""
    is_stale = Q(analysis__isnull=True) | ~Q(analysis__head_hash=F("head_hash"))
    return Match.objects.filter(
        is_stale, status=Status.FINISHED.value, moved_at__gte=at - FRESH, moved_at__lte=at
    )


def list_unanalysed_records(at: Any) -> QuerySet[Any]:
    """Return the recent records without an analysis."""
    recent = match_hooks.RECORDS.get().standing(at - FRESH)
    return recent.filter(~Exists(Analysis.objects.filter(record=OuterRef("key"))))


def filter_claimable(at: Any) -> Q:
    """Return a filter for waiting analyses or positions without an active lease."""
    is_free = Q(leased_until__isnull=True) | Q(leased_until__lte=at)
    return is_free & Q(progress=Progress.WAITING, next_at__lte=at)


def filter_awaiting_answer() -> Q:
    """Return a filter for matches whose player must answer the tutor and has not acted since."""
    return Q(lesson__waits_at=F("head"))


def query_due_questions(at: Any) -> Iterator[QuerySet[Any]]:
    """Query the pending positions, for the sweep's due check."""
    yield AskedPosition.objects.filter(filter_claimable(at))
