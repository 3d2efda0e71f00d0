"""On which days a series has its evenings, and when each is announced: by the club's clock, and nothing is stored.

An hour is the clock's on the wall: 19:30 stays 19:30 when summer time begins or ends. Where the change skips the hour, it is
as much later; where the hour comes twice, it is the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date, time

WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Every so-and-so at this hour, announced so many days before at the same hour."""

    # 0 is Monday.
    weekday: int
    at: time
    zone: str
    days_before: int
    until: date | None = None

    def start(self, day: date) -> datetime:
        """Return when the evening of that day begins."""
        return _moment(day, self.at, self.zone)

    def announced(self, day: date) -> datetime:
        """Return when the evening of that day is announced."""
        return _moment(day - timedelta(days=self.days_before), self.at, self.zone)

    def days(self, now: datetime, *, without: Collection[date] = ()) -> Iterator[date]:
        """Yield the days whose evening is still to come, without end if the series has none."""
        today = now.astimezone(ZoneInfo(self.zone)).date()
        day = today + timedelta(days=(self.weekday - today.weekday()) % 7)
        if self.start(day) <= now:
            day += WEEK
        while self.until is None or day <= self.until:
            if day not in without:
                yield day
            day += WEEK

    def has(self, day: date, now: datetime) -> bool:
        """Say whether there is an evening on that day, and still to come."""
        is_within = self.until is None or day <= self.until
        return is_within and day.weekday() == self.weekday and self.start(day) > now


def _moment(day: date, at: time, zone: str) -> datetime:
    return datetime.combine(day, at.replace(fold=0), tzinfo=ZoneInfo(zone)).astimezone(UTC)
