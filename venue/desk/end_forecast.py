"""The forecast of a running event's end from its pace, matches and tables, also for what-if questions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from draw.forecast.remaining_matches import RemainingMatches
from draw.forecast.run_statistics import Forecast
from draw.forecast.what_if import Question, SimulatedEvenings
from tournaments import hooks as event_hooks
from tournaments.base import local_times
from tournaments.models import Tournament
from tournaments.pages import event_parts, timetable
from tournaments.pages.timetable import Timetable
from tournaments.status import Status

SOON: Final = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Span:
    """The interval that contains the end in eight of ten simulations, in the club's time zone."""

    early: str
    late: str

    def __str__(self) -> str:
        return self.early if self.is_one_time else f"{self.early}–{self.late}"  # noqa: RUF001

    @property
    def is_one_time(self) -> bool:
        """True if both ends round to the same five minutes."""
        return self.early == self.late


@dataclass(frozen=True, slots=True)
class Shift:
    """An answer to a what-if question: the new interval and the shift of the median end."""

    span: Span
    # Rounded to five minutes; negative if it ends earlier.
    minutes: int

    @property
    def size(self) -> str:
        """The absolute shift as hours and minutes: "1:05"."""
        return f"{abs(self.minutes) // 60}:{abs(self.minutes) % 60:02}"


@dataclass(frozen=True)
class Outlook:
    """The forecast of the public pages with its simulations, which answer what-if questions."""

    times: Timetable
    evenings: SimulatedEvenings
    zone: str
    now: datetime
    # 0: no limit, since the event is in no room.
    tables: int
    minutes_a_point: int

    @property
    def rest(self) -> RemainingMatches:
        return self.evenings.rest

    @property
    def span(self) -> Span:
        """The expected end if nothing changes."""
        return self._build_span(self.evenings.forecast)

    def what_if(self, question: Question) -> Shift:
        found = self.evenings.what_if(question)
        moved = (found.over_at() - self.evenings.forecast.over_at()) / local_times.SLOT
        return Shift(self._build_span(found), round(moved) * (local_times.SLOT // timedelta(minutes=1)))

    def _build_span(self, found: Forecast) -> Span:
        return Span(
            self._format_time(found.over_at(timetable.EARLY)),
            self._format_time(found.over_at(timetable.LATE)),
        )

    def _format_time(self, at: datetime) -> str:
        """Format a time rounded to five minutes, with the day if it is more than 12 hours ahead."""
        at = timetable.round_to_five_minutes(at)
        hour = local_times.format_hour(at, self.zone)
        return hour if at < self.now + SOON else f"{local_times.format_short_day(at, self.zone)} {hour}"


def forecast_end(event: Tournament, *, now: datetime) -> Outlook | None:
    """Forecast a running event; None if that is impossible: paused, over days, or without time limit."""
    if event.status != Status.RUNNING or event.paused_at is not None:
        return None
    parts = event_parts.load_parts(event.key, now=now)
    times, space = parts.times, event_hooks.EVENT_SPACE.get()(event)
    if space != parts.space:
        # Other events may have taken or released tables since; the public pages follow within five minutes.
        times = timetable.forecast_event(parts.view, now=now, space=space)
    if times.basis is None or times.pace is None:
        return None
    tables = times.basis.room.tables
    return Outlook(times, times.basis.play(), event.club.time_zone, now, tables, times.pace.rounded)
