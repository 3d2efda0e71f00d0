"""The breaks of an event: planned and removed by directors; tables are filled when one is over."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from tournaments.base import local_times
from tournaments.play import changes
from tournaments.status import Status
from venue.calls import conflict_checks, seats, table_filling
from venue.errors import BadBreak, BreaksOverlap, TooManyBreaks
from venue.models import Break, EventRoom
from venue.models.queues import LONGEST_BREAK_NAME
from venue.rooms import planned_breaks
from venue.rooms.planned_breaks import PlannedBreak
from venue.rooms.room_settings import OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import User
    from tournaments.models import Tournament

MOST: Final = 10
LONGEST: Final = timedelta(hours=12)
MOST_AT_ONCE: Final = 100


def change_breaks(
    *,
    event: Tournament,
    change: Callable[[list[PlannedBreak]], Sequence[PlannedBreak]],
    by: User,
    now: datetime,
    saw: str | None = None,
) -> None:
    """Change the breaks of an event; *change* maps the old list to the new.

    `saw` is the version the caller saw (`planned_breaks.compute_version_key`).

    :raises NotDirector, WrongStatus: nothing changes.
    :raises ChangedMeanwhile: they have changed; nothing changes.
    :raises BadBreak, BreaksOverlap, TooManyBreaks: nothing changes.
    """
    with transaction.atomic():
        held = changes.lock_for_director(event.pk, by)
        if Status(held.status) in OVER:
            raise changes.build_status_error(held)
        conflict_checks.require_unchanged(planned_breaks.compute_version_key(held), saw)
        wanted = sorted(change(planned_breaks.list_breaks(held)))
        _require_valid(wanted, held.club.time_zone)
        _replace_breaks(held, wanted, now=now)
        used = EventRoom.objects.filter(event=held).values_list("room_id", flat=True)
        # If a current break was removed, its matches can be called now.
        for room in used:
            table_filling.queue_fill_after_change(room, now=now)
        changes.announce_change(held, now=now)


def copy_breaks(*, event: Tournament, like: Tournament) -> None:
    """Copy the breaks of *like* to a new event, at the same hours; within a transaction."""
    spans = _shift_breaks(
        planned_breaks.list_breaks(like), like.starts_at, event.starts_at, like.club.time_zone
    )
    Break.objects.bulk_create(Break(event=event, **span._asdict()) for span in spans)


def move_breaks(*, event: Tournament, before: datetime, now: datetime) -> None:
    """Move the breaks of a rescheduled event to its new day, at the same hours; within a transaction."""
    spans = planned_breaks.list_breaks(event)
    _replace_breaks(event, _shift_breaks(spans, before, event.starts_at, event.club.time_zone), now=now)


def query_due(at: Any) -> Iterator[QuerySet[Break]]:
    """Select the breaks that were over by *at* and are not processed, by an indexed column."""
    yield Break.objects.filter(ends_at__lte=at, over_at__isnull=True)


def fill_after_breaks(now: datetime) -> int:
    """Fill the rooms in which a break has ended; return the number of breaks."""
    due = list(next(query_due(now)).order_by("ends_at", "pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    count = Break.objects.filter(pk__in=due, over_at__isnull=True).update(over_at=now)
    rooms = EventRoom.objects.filter(event__breaks__in=due).values_list("room_id", flat=True)
    for room in sorted(set(rooms)):
        table_filling.fill(room_id=room, now=now)
        seats.notify_rooms([room], now=now)
    return count


def _replace_breaks(event: Tournament, wanted: Sequence[PlannedBreak], *, now: datetime) -> None:
    """Replace the breaks; unchanged rows stay, and so does their version key."""
    rows = {
        PlannedBreak(row.begins_at, row.ends_at, row.name): row.pk
        for row in Break.objects.filter(event=event)
    }
    Break.objects.filter(pk__in=[pk for span, pk in rows.items() if span not in wanted]).delete()
    Break.objects.bulk_create(
        Break(
            event=event,
            begins_at=span.begins_at,
            ends_at=span.ends_at,
            name=span.name,
            over_at=now if span.ends_at <= now else None,
        )
        for span in wanted
        if span not in rows
    )


def _require_valid(wanted: Sequence[PlannedBreak], zone: str) -> None:
    if len(wanted) > MOST:
        raise TooManyBreaks(most=MOST)
    for span in wanted:
        if (
            not span.begins_at < span.ends_at <= span.begins_at + LONGEST
            or len(span.name) > LONGEST_BREAK_NAME
        ):
            raise BadBreak(most=LONGEST // timedelta(hours=1))
    for one, other in pairwise(wanted):
        if other.begins_at < one.ends_at:
            told = (
                f"{local_times.format_hour(one.begins_at, zone)}–{local_times.format_hour(one.ends_at, zone)}"  # noqa: RUF001
            )
            raise BreaksOverlap(span=told)


def _shift_breaks(
    spans: Sequence[PlannedBreak], start: datetime, new: datetime, zone: str
) -> list[PlannedBreak]:
    """Move breaks by the number of days between the two starts, at the same hours of the club's time zone."""
    days = local_times.convert_to_local(new, zone).date() - local_times.convert_to_local(start, zone).date()
    moved = [
        PlannedBreak(
            local_times.add_by_clock(span.begins_at, days, zone),
            local_times.add_by_clock(span.ends_at, days, zone),
            span.name,
        )
        for span in spans
    ]
    # A change to summer time can leave no time between the two.
    return [span for span in moved if span.ends_at > span.begins_at]
