"""Labels and values of options in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext

from draw.options import Choice, Flag, Option
from tournaments.base import local_times, settings
from tournaments.base.settings import DateAndTime, Lateness, Minutes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django_stubs_ext import StrOrPromise

    from tournaments.models import Tournament


def translate_label(english: StrOrPromise) -> str:
    """Translate a label of the library `draw`; labels of models are lazy translations already."""
    return gettext(english) if isinstance(english, str) and english else str(english)


def format_minutes(count: int) -> str:
    return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}


def describe_lateness(steps: Sequence[Sequence[int | None]]) -> str:
    """Return the penalties for lateness in a sentence, "" if there are none.

    >>> describe_lateness([[1, 1], [6, None]])
    'After 1 minute 1 penalty point, after 6 minutes the match.'
    """
    said = ", ".join(
        _describe_lateness_step(format_minutes(minutes or 0), points) for minutes, points in steps
    )
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _describe_lateness_step(minutes: str, points: int | None) -> str:
    if points is None:
        return gettext("after %(minutes)s the match") % {"minutes": minutes}
    said = ngettext(
        "after %(minutes)s %(points)s penalty point", "after %(minutes)s %(points)s penalty points", points
    )
    return said % {"minutes": minutes, "points": points}


def describe_value(option: Option[Any], value: Any, zone: str) -> str:
    """Format a value of an option; times are shown in *zone*."""
    match option:
        case Flag():
            return gettext("yes") if value else gettext("no")
        case Choice():
            return translate_label(option.choices[value])
        case Minutes():
            return format_minutes(value)
        case DateAndTime():
            return local_times.format_moment(value, zone, local_times.format_day)
        case Lateness():
            return describe_lateness(value)
        case _:
            return str(value)


def list_shown_settings(event: Tournament) -> Iterator[tuple[str, str]]:
    """Yield label and value of the settings on an event's page that differ from their default."""
    for name, each in settings.list_declared().items():
        value = getattr(event, name) if each.is_shown else None
        if value not in (None, [], each.option.default):
            yield translate_label(each.option.label), describe_value(each.option, value, event.club.time_zone)
