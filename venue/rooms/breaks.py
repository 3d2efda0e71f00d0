"""The breaks of events, planned and removed by directors; tables are filled when one is over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.models import User
from tournaments.base import local_times
from tournaments.models import Tournament
from tournaments.play import changes
from tournaments.status import Status
from venue.calls import conflict_checks, seats, table_filling
from venue.errors import BadBreak, BreaksOverlap, TooManyBreaks
from venue.models import Break, EventRoom
from venue.models.queues import LONGEST_BREAK_NAME
from venue.rooms.room_settings import OVER


class PlannedBreak(NamedTuple):
    begins_at: datetime
    ends_at: datetime
    name: str = ""

    def is_on(self, at: datetime) -> bool:
        return self.begins_at <= at < self.ends_at


class BreakLine(NamedTuple):
    """A break for display: in the club's time zone, with the day if it differs from the event's."""

    begins: str
    ends: str
    name: str
    is_on: bool
    is_over: bool
    # Its index among the breaks, sent back by the page.
    number: int
    span: PlannedBreak

    @property
    def text(self) -> str:
        """The break in words, with start and end, or only the end if it is on."""
        parts = {"name": self.name or _("Break"), "begins": self.begins, "ends": self.ends}
        return (_("%(name)s until %(ends)s") if self.is_on else _("%(name)s %(begins)s–%(ends)s")) % parts  # noqa: RUF001


def list_breaks(event: Tournament | int) -> list[PlannedBreak]:
    rows = Break.objects.filter(event=event).order_by("begins_at", "pk")
    return [PlannedBreak(*row) for row in rows.values_list("begins_at", "ends_at", "name")]


def compute_version_key(event: Tournament | int) -> str:
    rows = Break.objects.filter(event=event).order_by("begins_at", "pk")
    return ".".join(str(pk) for pk in rows.values_list("pk", flat=True))


def load_breaks_by_event(events: Collection[int]) -> dict[int, list[PlannedBreak]]:
    """Return the breaks of several events; events without breaks are left out."""
    found: dict[int, list[PlannedBreak]] = {}
    rows = Break.objects.filter(event__in=events).order_by("begins_at", "pk")
    for event, begins, ends, name in rows.values_list("event_id", "begins_at", "ends_at", "name"):
        found.setdefault(event, []).append(PlannedBreak(begins, ends, name))
    return found


def find_conflict(spans: Iterable[PlannedBreak], begins: datetime, ends: datetime) -> PlannedBreak | None:
    """Return the first break that a match would run into, None for none."""
    return next((span for span in spans if begins < span.ends_at and span.begins_at < ends), None)


def list_lines(event: Tournament, *, now: datetime) -> list[BreakLine]:
    zone = event.club.time_zone
    day = local_times.convert_to_local(event.starts_at, zone).date()

    def format_time(at: datetime) -> str:
        is_same_day = local_times.convert_to_local(at, zone).date() == day
        hour = local_times.format_hour(at, zone)
        return hour if is_same_day else f"{local_times.format_short_day(at, zone)} {hour}"

    return [
        BreakLine(
            format_time(span.begins_at),
            local_times.format_hour(span.ends_at, zone),
            span.name,
            span.is_on(now),
            span.ends_at <= now,
            number,
            span,
        )
        for number, span in enumerate(list_breaks(event))
    ]


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

    `saw` is the version the caller saw (`compute_version_key`).

    :raises NotDirector, WrongStatus: nothing changes.
    :raises ChangedMeanwhile: they have changed; nothing changes.
    :raises BadBreak, BreaksOverlap, TooManyBreaks: nothing changes.
    """
    with transaction.atomic():
        held = changes.lock_for_director(event.pk, by)
        if Status(held.status) in OVER:
            raise changes.build_status_error(held)
        conflict_checks.require_unchanged(compute_version_key(held), saw)
        wanted = sorted(change(list_breaks(held)))
        _require_valid(wanted, held.club.time_zone)
        _replace_breaks(held, wanted, now=now)
        used = EventRoom.objects.filter(event=held).values_list("room_id", flat=True)
        # If a current break was removed, its matches can be called now.
        for room in used:
            table_filling.queue_fill_after_change(room, now=now)
        changes.announce_change(held, now=now)


def copy_breaks(*, event: Tournament, like: Tournament) -> None:
    """Copy the breaks of *like* to a new event, at the same hours; within a transaction."""
    spans = _shift_breaks(list_breaks(like), like.starts_at, event.starts_at, like.club.time_zone)
    Break.objects.bulk_create(Break(event=event, **span._asdict()) for span in spans)


def move_breaks(*, event: Tournament, before: datetime, now: datetime) -> None:
    """Move the breaks of a rescheduled event to its new day, at the same hours; within a transaction."""
    spans = list_breaks(event)
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
        Break(event=event, **span._asdict(), over_at=now if span.ends_at <= now else None)
        for span in wanted
        if span not in rows
    )


def _require_valid(wanted: Sequence[PlannedBreak], zone: str) -> None:
    if len(wanted) > MOST:
        raise TooManyBreaks(most=MOST)
    for span in wanted:
        is_short = span.begins_at < span.ends_at <= span.begins_at + LONGEST
        if not is_short or len(span.name) > LONGEST_BREAK_NAME:
            raise BadBreak(most=LONGEST // timedelta(hours=1))
    for one, other in pairwise(wanted):
        if other.begins_at < one.ends_at:
            begins, ends = (local_times.format_hour(at, zone) for at in one[:2])
            raise BreaksOverlap(span=f"{begins}–{ends}")  # noqa: RUF001


def _shift_breaks(
    spans: Sequence[PlannedBreak], start: datetime, new: datetime, zone: str
) -> list[PlannedBreak]:
    """Move breaks by the number of days between the two starts, at the same hours of the club's time zone."""
    days = local_times.convert_to_local(new, zone).date() - local_times.convert_to_local(start, zone).date()
    moved = [
        span._replace(
            begins_at=local_times.add_by_clock(span.begins_at, days, zone),
            ends_at=local_times.add_by_clock(span.ends_at, days, zone),
        )
        for span in spans
    ]
    # A change to summer time can leave no time between the two.
    return [span for span in moved if span.ends_at > span.begins_at]
