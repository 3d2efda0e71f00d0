"""What is to be analysed."""

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

# A match that ended before that is analysed when somebody asks for it.
FRESH: Final = timedelta(days=1)


def due(at: Any) -> Iterator[QuerySet[Any]]:
    """Ask whether a match has ended that is not analysed as it stands, or an analysis has been waiting since then."""
    yield unseen(at)
    records = unseen_records(at)
    if records is not None:
        yield records
    yield free(at)


def unseen(at: Any) -> QuerySet[Match]:
    """Return the matches that have ended lately and have no analysis of the journal they have now."""
    is_stale = Q(analysis__isnull=True) | ~Q(analysis__head_hash=F("head_hash"))
    return Match.objects.filter(
        is_stale, status=Status.FINISHED.value, moved_at__gte=at - FRESH, moved_at__lte=at
    )


def unseen_records(at: Any) -> QuerySet[Any] | None:
    """Return the records that stand since lately and have no analysis; None where nobody keeps any."""
    kept = match_hooks.RECORDS.get()
    if kept is None:
        return None
    return kept.standing(at - FRESH).filter(~Exists(Analysis.objects.filter(record=OuterRef("key"))))


def free(at: Any) -> QuerySet[Analysis]:
    """Return the analyses to go on with, that nobody is at."""
    return Analysis.objects.filter(
        Q(leased_until__isnull=True) | Q(leased_until__lte=at), progress=Progress.WAITING, next_at__lte=at
    )


def for_answers() -> Q:
    """Return which matches wait for a player whom the tutor asks about a play, and who has done nothing since."""
    return Q(lesson__waits_at=F("head"))


def asked(at: Any) -> QuerySet[AskedPosition]:
    """Return the positions that somebody asked about, that nobody is at."""
    return AskedPosition.objects.filter(
        Q(leased_until__isnull=True) | Q(leased_until__lte=at), progress=Progress.WAITING, next_at__lte=at
    )


def questions(at: Any) -> Iterator[QuerySet[Any]]:
    """Ask whether a question about a position has been waiting since then."""
    yield asked(at)
