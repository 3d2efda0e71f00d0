"""Dates and times in the time zone of a club."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext, pgettext

WEEK: Final = timedelta(days=7)
# Limits of event dates; outside them calendars and time zones are undefined.
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 2199
SLOT: Final = timedelta(minutes=5)


def validate_moment(moment: date) -> None:
    """Require of a date, or a date and time, a year from FIRST_YEAR to LAST_YEAR.

    :raises ValidationError: the year is outside.
    """
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        sentence = gettext("Choose a year between %(first)s and %(last)s.")
        raise ValidationError(sentence % {"first": FIRST_YEAR, "last": LAST_YEAR}, code="invalid")


def convert_to_local(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone))


def combine(day: date, at: time, zone: str) -> datetime:
    """Return the moment of an hour on a day by the clock of the zone; of an hour that occurs twice, the first."""
    return datetime.combine(day, at.replace(fold=0), tzinfo=ZoneInfo(zone)).astimezone(UTC)


def add_by_clock(moment: datetime, span: timedelta, zone: str) -> datetime:
    """Return the time that is later by *span* on the clock of the zone; days later it is the same hour."""
    there = convert_to_local(moment, zone).replace(tzinfo=None) + span
    # In UTC, as times of one zone are compared by their hours alone.
    return there.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def format_day(moment: datetime, zone: str) -> str:
    """Return the weekday and the date, as in "Thursday 4 December"."""
    return date_format(convert_to_local(moment, zone), pgettext("date format: weekday and day", "l j F"))


def format_short_day(moment: datetime, zone: str) -> str:
    """Return the date in brief, as in "Thu 4 Dec"."""
    return date_format(
        convert_to_local(moment, zone), pgettext("date format: short weekday and day", "D j M")
    )


def format_month_day(day: date) -> str:
    """Return the day of a month in brief, as in "4 Dec"."""
    return date_format(day, pgettext("date format: day of a month", "j M"))


def format_full_day(moment: datetime, zone: str) -> str:
    """Return the date with its year, as in "4 December 2025"."""
    return date_format(convert_to_local(moment, zone), pgettext("date format: day and year", "j F Y"))


def format_month(moment: datetime, zone: str) -> str:
    """Return the month and the year, as in "December 2025"."""
    return date_format(convert_to_local(moment, zone), pgettext("date format: month and year", "F Y"))


def format_hour(moment: datetime, zone: str) -> str:
    """Return the time of day, as in "19:30"."""
    return date_format(convert_to_local(moment, zone), pgettext("time format", "H:i"))


def format_moment(moment: datetime, zone: str, day: Callable[[datetime, str], str] = format_short_day) -> str:
    """Return the day and the time of day, as in "Thu 4 Dec, 19:30"."""
    return f"{day(moment, zone)}, {format_hour(moment, zone)}"


def format_weekly_time(weekday: int, at: time) -> str:
    """Return a weekday and a time, as in "Every Tuesday at 19:30"; weekday 0 is Monday."""
    parts = {"weekday": WEEKDAYS[weekday], "hour": time_format(at, pgettext("time format", "H:i"))}
    return gettext("Every %(weekday)s at %(hour)s") % parts


def format_date(day: date) -> str:
    """Return a date with its weekday, as in "Thursday 4 December"."""
    return date_format(day, pgettext("date format: weekday and day", "l j F"))


def is_later_day(moment: datetime, zone: str, now: datetime) -> bool:
    return convert_to_local(moment, zone).date() > convert_to_local(now, zone).date()


def format_zone(moment: datetime, zone: str) -> str:
    """Return the zone's abbreviation at that time, as in "CET"; offsets without a name read as "UTC+4"."""
    name = convert_to_local(moment, zone).tzname() or zone
    return f"UTC{name}" if name[:1] in "+-" else name


def format_zoned_moment(moment: datetime, zone: str) -> str:
    """Return the day, the time of day and the zone, as in "Thu 4 Dec, 19:30 (CET)"."""
    return f"{format_moment(moment, zone)} ({format_zone(moment, zone)})"


def compute_slot(moment: datetime) -> int:
    """Return the number of the five-minute slot of a moment; forecasts are the same within a slot."""
    return int(moment.timestamp() // SLOT.total_seconds())


def compute_slot_end(moment: datetime) -> datetime:
    return moment.fromtimestamp((compute_slot(moment) + 1) * SLOT.total_seconds(), UTC)


def compute_next_week(starts_at: datetime, time_zone: str, *, now: datetime) -> datetime:
    """Return the same local time on the same weekday, a whole number of weeks later and after `now`.

    19:30 stays 19:30 when summer time ends.
    """
    later = WEEK
    while (moment := add_by_clock(starts_at, later, time_zone)) <= now:
        later += WEEK
    return moment
