"""The breaks of events: which is on, which comes next, and what would run into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from tournaments.base import hours
from venue.models import Break

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from tournaments.models import Tournament


class PlannedBreak(NamedTuple):
    """From when to when an event has a break, and what for."""

    begins_at: datetime
    ends_at: datetime
    name: str = ""

    def is_on(self, at: datetime) -> bool:
        """Say whether it is a break then."""
        return self.begins_at <= at < self.ends_at


class BreakLine(NamedTuple):
    """A break as it is shown: by the clock of the club, with the day where it is another one."""

    begins: str
    ends: str
    name: str
    is_on: bool
    is_over: bool
    # Its place among the breaks, as the page sends it back.
    number: int
    span: PlannedBreak

    @property
    def told(self) -> str:
        """Return it in words: from when to when, or until when it is on."""
        said = {"name": self.name or _("Break"), "begins": self.begins, "ends": self.ends}
        return (_("%(name)s until %(ends)s") if self.is_on else _("%(name)s %(begins)s–%(ends)s")) % said  # noqa: RUF001


def of(event: Tournament | int) -> list[PlannedBreak]:
    """Return the breaks of an event, the first first."""
    rows = Break.objects.filter(event=event).order_by("begins_at", "pk")
    return [PlannedBreak(*row) for row in rows.values_list("begins_at", "ends_at", "name")]


def mark(event: Tournament | int) -> str:
    """Return what is seen of an event's breaks, in a word: two looks at them differ where anybody has changed them between."""
    rows = Break.objects.filter(event=event).order_by("begins_at", "pk")
    return ".".join(str(pk) for pk in rows.values_list("pk", flat=True))


def of_events(events: Collection[int]) -> dict[int, list[PlannedBreak]]:
    """Return the breaks of events, for those that have any."""
    found: dict[int, list[PlannedBreak]] = {}
    rows = Break.objects.filter(event__in=events).order_by("begins_at", "pk")
    for event, begins, ends, name in rows.values_list("event_id", "begins_at", "ends_at", "name"):
        found.setdefault(event, []).append(PlannedBreak(begins, ends, name))
    return found


def after(spans: Sequence[PlannedBreak], at: datetime) -> datetime:
    """Return when a match that could begin then begins: not in a break."""
    for span in spans:
        if span.is_on(at):
            at = span.ends_at
    return at


def ran_into(spans: Iterable[PlannedBreak], begins: datetime, ends: datetime) -> PlannedBreak | None:
    """Return the first break that a match would run into, None where it is over before, or begins after."""
    return next((span for span in spans if begins < span.ends_at and span.begins_at < ends), None)


def lines(event: Tournament, *, now: datetime) -> list[BreakLine]:
    """Return the breaks of an event as its pages show them."""
    zone, day = event.club.time_zone, hours.wall(event.starts_at, event.club.time_zone).date()

    def told(at: datetime) -> str:
        said = hours.hour(at, zone)
        return said if hours.wall(at, zone).date() == day else f"{hours.short_day(at, zone)} {said}"

    return [
        BreakLine(
            told(span.begins_at),
            hours.hour(span.ends_at, zone),
            span.name,
            span.is_on(now),
            span.ends_at <= now,
            number,
            span,
        )
        for number, span in enumerate(of(event))
    ]
