"""Series, and what is to come of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments import hours
from tournaments.errors import NoModel
from tournaments.models import Series, SeriesDay, Tournament
from tournaments.rhythm import Rhythm
from tournaments.selectors import last_times, series_words

if TYPE_CHECKING:
    from datetime import date, datetime

    from django_stubs_ext import StrOrPromise

    from players.models import Club

STOPPED: Final = _("The event that is its model cannot be repeated any more. Choose another one.")
# So many evenings are shown ahead, whether they are announced or not.
AHEAD: Final = 6
# So many events of the past are there to choose a model from.
MODELS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """An evening of a series that is to come."""

    day: date
    label: str
    is_skipped: bool = False
    # When it is announced, if it is not yet.
    announced_on: str = ""
    announced_at: datetime | None = None
    # Its event, once there is one.
    event: Tournament | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesView:
    """A series as its directors see it."""

    row: Series
    words: str
    # The event each is like; "": the last one on that weekday.
    like: str
    until: str
    evenings: tuple[Evening, ...]
    # Why it has stopped by itself.
    trouble: StrOrPromise = ""

    @property
    def is_over(self) -> bool:
        """Say whether nothing is to come any more."""
        return not self.evenings


def rhythm(series: Series) -> Rhythm:
    """Return on which days a series has its evenings, by the club's clock as it is now."""
    return Rhythm(
        weekday=series.weekday,
        at=series.at,
        zone=series.club.time_zone,
        days_before=series.days_before,
        until=series.until,
    )


def settled(series: Series) -> set[date]:
    """Return the days for which nothing is left to do: announced or skipped."""
    return set(SeriesDay.objects.filter(series=series).values_list("day", flat=True))


def of_club(club: Club, *, now: datetime) -> list[SeriesView]:
    """Return the series of a club, those that are over last."""
    rows = Series.objects.filter(club=club).select_related("club", "like").order_by("weekday", "at", "pk")
    return sorted((view(row, now=now) for row in rows), key=lambda each: each.is_over)


def view(series: Series, *, now: datetime) -> SeriesView:
    """Return a series with what is to come of it."""
    return SeriesView(
        row=series,
        words=series_words.words(series),
        like=titled(series.like) if series.like else "",
        until="" if series.until is None else hours.date_day(series.until),
        evenings=evenings(series, now=now),
        trouble=NoModel.sentence if series.trouble == NoModel.code else series.trouble and STOPPED,
    )


def evenings(series: Series, *, now: datetime) -> tuple[Evening, ...]:
    """Return the next evenings: planned, skipped, or announced; also those announced for another weekday than now."""
    when = rhythm(series)
    planned = list(islice(when.days(now), AHEAD))
    to_come = Q(day__in=planned) | Q(event__starts_at__gt=now)
    rows = SeriesDay.objects.filter(to_come, series=series).select_related("event")
    there = {row.day: row for row in rows}
    return tuple(_evening(series, when, day, there.get(day)) for day in sorted({*planned, *there}))


def titled(event: Tournament) -> str:
    """Return an event with its day, to tell it from others of its name."""
    return f"{event.name} · {hours.full_day(event.starts_at, event.club.time_zone)}"


def models(club: Club, *, chosen: str = "") -> list[tuple[str, str]]:
    """Return the events that a series can be like, by key: the club's latest, and the one that is chosen."""
    told = Tournament.objects.filter(club=club, is_friendly=False, status__in=last_times.TOLD).select_related(
        "club"
    )
    found = list(told.order_by("-starts_at", "-pk")[:MODELS])
    if chosen and all(each.key != chosen for each in found):
        found += told.filter(key=chosen)
    return [(each.key, titled(each)) for each in found]


def _evening(series: Series, when: Rhythm, day: date, row: SeriesDay | None) -> Evening:
    label = hours.date_day(day)
    if row is not None:
        return Evening(day=day, label=label, is_skipped=row.skipped_at is not None, event=row.event)
    at, zone = when.announced(day), series.club.time_zone
    told = f"{hours.short_day(at, zone)}, {hours.hour(at, zone)}"
    return Evening(day=day, label=label, announced_on=told, announced_at=at)
