"""The breaks of events, and the one that a match would run into."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from tournaments.base import local_times
from venue.models import Break

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from tournaments.models import Tournament


class PlannedBreak(NamedTuple):
    """A break of an event: start, end and name."""

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
        said = {"name": self.name or _("Break"), "begins": self.begins, "ends": self.ends}
        return (_("%(name)s until %(ends)s") if self.is_on else _("%(name)s %(begins)s–%(ends)s")) % said  # noqa: RUF001


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
    zone, day = (
        event.club.time_zone,
        local_times.convert_to_local(event.starts_at, event.club.time_zone).date(),
    )

    def told(at: datetime) -> str:
        said = local_times.format_hour(at, zone)
        return (
            said
            if local_times.convert_to_local(at, zone).date() == day
            else f"{local_times.format_short_day(at, zone)} {said}"
        )

    return [
        BreakLine(
            told(span.begins_at),
            local_times.format_hour(span.ends_at, zone),
            span.name,
            span.is_on(now),
            span.ends_at <= now,
            number,
            span,
        )
        for number, span in enumerate(list_breaks(event))
    ]
