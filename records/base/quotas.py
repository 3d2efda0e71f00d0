"""Quotas for submissions: bytes and files per person and day, bytes per club, per day and in total."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import QuerySet, Sum

from players.models import Club
from records.base.errors import ClubDayQuotaReached, ClubQuotaReached, FileQuotaReached, PersonQuotaReached
from records.models import RecordFile, Submission

DAY: Final = timedelta(days=1)
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ClubUsage:
    day: int
    most_day: int
    total: int
    most_total: int


def load_usage(club: Club, *, now: datetime) -> ClubUsage:
    """Return the usage of a club in megabytes, rounded up."""
    rows = RecordFile.objects.filter(club=club)
    return ClubUsage(
        day=_compute_megabytes(_sum_bytes(rows.filter(kept_at__gt=now - DAY))),
        most_day=settings.RECORDS_MB_PER_CLUB_DAY,
        total=_compute_megabytes(_sum_bytes(rows)),
        most_total=settings.RECORDS_MB_PER_CLUB,
    )


def require_room(
    club: Club, own: QuerySet[Submission], sizes: Collection[int], *, files: int, now: datetime
) -> None:
    """Enforce the quotas of a person and of a club.

    *own* are the person's earlier submissions, *sizes* the bytes of each file that is new to the club, *files*
    the number of all files. Concurrent requests of several people can exceed the club's quota by their sizes.

    :raises FileQuotaReached, PersonQuotaReached, ClubDayQuotaReached, ClubQuotaReached: nothing is stored.
    """
    recent = own.filter(at__gt=now - DAY)
    if recent.count() + files > settings.RECORDS_FILES_PER_PERSON_DAY:
        raise FileQuotaReached(most=settings.RECORDS_FILES_PER_PERSON_DAY)
    more = sum(sizes)
    if not more:
        return
    mine = RecordFile.objects.filter(pk__in=recent.values("file"))
    if _sum_bytes(mine) + more > settings.RECORDS_MB_PER_PERSON_DAY * MEGABYTE:
        raise PersonQuotaReached(most=settings.RECORDS_MB_PER_PERSON_DAY)
    rows = RecordFile.objects.filter(club=club)
    if _sum_bytes(rows.filter(kept_at__gt=now - DAY)) + more > settings.RECORDS_MB_PER_CLUB_DAY * MEGABYTE:
        raise ClubDayQuotaReached(most=settings.RECORDS_MB_PER_CLUB_DAY)
    if _sum_bytes(rows) + more > settings.RECORDS_MB_PER_CLUB * MEGABYTE:
        raise ClubQuotaReached(most=settings.RECORDS_MB_PER_CLUB)


def _sum_bytes(rows: QuerySet[RecordFile]) -> int:
    return int(rows.aggregate(bytes=Sum("size"))["bytes"] or 0)


def _compute_megabytes(size: int) -> int:
    return -(-size // MEGABYTE)
