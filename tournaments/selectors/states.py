"""What public pages are made of, for the price of a query or two: while it is the same, so are they."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Count, Max, Min, Q, Sum

from players.selectors import clubs
from tournaments.models import Tournament
from tournaments.selectors import courses
from tournaments.selectors.lines import LINGERS, NIGHT
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    Mark = tuple[object, ...]

EVENT: Final = (
    "pk", "status", "version", "stamp", "changed_at", "club__name", "club__slug", "club__time_zone",
    "entries_close_at", "pairing_at",
)  # fmt: skip
# Days end at whole quarters of an hour, wherever a club is.
QUARTER: Final = timedelta(minutes=15)


def of_event(key: str, *, now: datetime) -> Mark | None:
    """Return what every page of an event is made of, or None where it is not for everybody."""
    row = Tournament.objects.filter(key=key).values_list(*EVENT).first()
    if row is None or row[1] == Status.DRAFT:
        return None
    boards = () if row[1] == Status.PUBLISHED else courses.live_mark(row[0])
    entries_close_at, pairing_at = row[-2:]
    return (*row, _is_past(entries_close_at, now), _is_past(pairing_at, now), boards)


def of_lists(*, club: str = "") -> Mark:
    """Return what lists of events are made of: those of all clubs, or of one."""
    events = Tournament.objects.filter(club__slug=club) if club else Tournament.objects.all()
    counted = events.aggregate(Count("pk"), Max("pk"), Sum("version"))
    return (*counted.values(), *clubs.state(club=club))


def next_turn(*, now: datetime, club: str = "") -> datetime:
    """Return when time alone makes a list of events another: a night begins or is over, an evening falls out of sight."""
    events = Tournament.objects.exclude(status=Status.DRAFT)
    if club:
        events = events.filter(club__slug=club)
    near = events.aggregate(
        begins=Min("starts_at", filter=Q(starts_at__gte=now + NIGHT)),
        ends=Min("starts_at", filter=Q(starts_at__gt=now - NIGHT)),
        leaves=Min("starts_at", filter=Q(starts_at__gte=now - LINGERS)),
    )
    turns: list[datetime] = [
        near[name] + wait
        for name, wait in (("begins", -NIGHT), ("ends", NIGHT), ("leaves", LINGERS))
        if near[name]
    ]
    seconds = QUARTER.total_seconds()
    midnight: datetime = now + timedelta(seconds=seconds - now.timestamp() % seconds)
    return min([midnight, *turns])


def _is_past(at: datetime | None, now: datetime) -> bool:
    return at is not None and at <= now
