"""Labels and values of options in the reader's language."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext

from draw.options import Choice, Flag, Option
from tournaments.base import hours, settings
from tournaments.base.settings import DateAndTime, Lateness, Minutes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django_stubs_ext import StrOrPromise

    from tournaments.models import Tournament


def words(english: StrOrPromise) -> str:
    """Translate a label of a library; labels of models are lazy translations already."""
    return gettext(english) if isinstance(english, str) and english else str(english)


def minutes(count: int) -> str:
    return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}


def lateness(steps: Sequence[Sequence[int | None]]) -> str:
    """Return the penalties for lateness in a sentence, blank where there are none.

    >>> lateness([[3, 1], [6, None]])
    'After 3 minutes 1 penalty point, after 6 minutes the match.'
    """
    said = ", ".join(_late(minutes or 0, points) for minutes, points in steps)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _late(minutes: int, points: int | None) -> str:
    if points is None:
        return gettext("after %(minutes)s minutes the match") % {"minutes": minutes}
    said = ngettext(
        "after %(minutes)s minutes %(points)s penalty point",
        "after %(minutes)s minutes %(points)s penalty points",
        points,
    )
    return said % {"minutes": minutes, "points": points}


@singledispatch
def describe(option: Option[Any], value: Any, zone: str) -> str:
    """Format a value of the option; times are in the zone *zone*."""
    return str(value)


@describe.register
def _flag(option: Flag, value: bool, zone: str) -> str:
    return gettext("yes") if value else gettext("no")


@describe.register
def _choice(option: Choice, value: str, zone: str) -> str:
    return words(option.choices[value])


@describe.register
def _minutes(option: Minutes, value: int, zone: str) -> str:
    return minutes(value)


@describe.register
def _moment(option: DateAndTime, value: Any, zone: str) -> str:
    return f"{hours.day(value, zone)}, {hours.hour(value, zone)}"


@describe.register
def _lateness(option: Lateness, value: Any, zone: str) -> str:
    return lateness(value)


def list_shown(event: Tournament) -> Iterator[tuple[str, str]]:
    """Yield label and value of the settings that an event's page shows, without those that have their
    default.
    """
    for name, each in settings.declared().items():
        value = getattr(event, name) if each.is_shown else None
        if value not in (None, [], each.option.default):
            yield words(each.option.label), describe(each.option, value, event.club.time_zone)
