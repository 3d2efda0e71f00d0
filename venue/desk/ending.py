"""When a running event is likely to end, and when it would if something were otherwise: by its pace, its matches and its tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from tournaments import hooks as event_hooks
from tournaments.base import hours
from tournaments.pages import event_parts, timetable
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from draw.forecast.answer import Forecast
    from draw.forecast.remaining import Rest
    from draw.forecast.what_if import Evenings, Question
    from tournaments.models import Tournament
    from tournaments.pages.timetable import Timetable

SOON: Final = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when eight evenings of ten end, as the clock of the club shows it."""

    early: str
    late: str


@dataclass(frozen=True, slots=True)
class Shift:
    """How an answer differs: the times, and by how much the middle of them moves."""

    span: Span
    # To five minutes; below 0 it ends earlier.
    minutes: int

    @property
    def size(self) -> str:
        """Return by how much, as hours and minutes: "1:05"."""
        return f"{abs(self.minutes) // 60}:{abs(self.minutes) % 60:02}"


@dataclass(frozen=True)
class Outlook:
    """The forecast of all pages with its simulated evenings, which answer what-if questions."""

    times: Timetable
    evenings: Evenings
    zone: str
    now: datetime
    # 0: as many as are wanted, because it is played in no room.
    tables: int
    minutes_a_point: int

    @property
    def rest(self) -> Rest:
        """What is left to play."""
        return self.evenings.rest

    @property
    def span(self) -> Span:
        """When it ends as it stands."""
        return self._span(self.evenings.forecast)

    def what_if(self, question: Question) -> Shift:
        """Return when it would end."""
        found = self.evenings.what_if(question)
        moved = (found.over_at() - self.evenings.forecast.over_at()) / hours.SLOT
        return Shift(self._span(found), round(moved) * (hours.SLOT // timedelta(minutes=1)))

    def _span(self, found: Forecast) -> Span:
        return Span(self._told(found.over_at(timetable.EARLY)), self._told(found.over_at(timetable.LATE)))

    def _told(self, at: datetime) -> str:
        """Return a time to five minutes, with its day where the hour alone could be taken for another."""
        at = timetable.to_five_minutes(at)
        hour = hours.hour(at, self.zone)
        return hour if at < self.now + SOON else f"{hours.short_day(at, self.zone)} {hour}"


def of(event: Tournament, *, now: datetime) -> Outlook | None:
    """Return how a running event may end, None where nobody can tell: paused, played over days, or for as long as it takes."""
    if event.status != Status.RUNNING or event.paused_at is not None:
        return None
    parts = event_parts.of(event.key, now=now)
    times, space = parts.times, event_hooks.EVENT_SPACE.get()(event)
    if space != parts.space:
        # Other events have taken or left tables since. Public pages follow within five minutes.
        times = timetable.of(parts.view, now=now, space=space)
    if times.basis is None or times.pace is None:
        return None
    tables = times.basis.room.tables
    return Outlook(times, times.basis.play(), event.club.time_zone, now, tables, times.pace.rounded)
