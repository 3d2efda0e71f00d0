"""Descriptions of series."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.base import local_times

if TYPE_CHECKING:
    from tournaments.models import Series, SeriesDay, Tournament


def describe_rhythm(series: Series) -> str:
    """Return the weekday and time of a series, as in "Every Tuesday at 19:30"."""
    return local_times.format_weekly_time(series.weekday, series.at)


def describe_series(event: Tournament) -> str:
    """Describe the series of an event; "" if it belongs to none."""
    row: SeriesDay | None = getattr(event, "series_day", None)
    if row is None:
        return ""
    rhythm = describe_rhythm(row.series)
    return rhythm if row.series.name == event.name else f"{row.series.name}: {rhythm}"
