"""Lists and seasons as sheets for paper: everybody on one page, without what only a screen can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rankings.formulas.systems import SYSTEMS
from rankings.models import Goes
from rankings.selectors import dated, order, seasons

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from rankings.models import DatedList, RatingList, Season
    from rankings.selectors.divisions import DivisionsPage

# A sheet of more is a book: the CSV has everybody.
MOST: Final = 2_000


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """Somebody on the sheet."""

    place: int
    name: str
    note: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A table for paper."""

    title: str
    about: str
    heads: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    # How many are in the list; the sheet may have fewer.
    total: int

    @property
    def is_cut(self) -> bool:
        """Say whether some are missing."""
        return self.total > len(self.rows)


def of_list(rating_list: RatingList, *, now: datetime) -> PrintedSheet:
    """Return the live list."""
    least = order.least_at(rating_list, now)
    ordered = order.ordered(rating_list, least, now=now)
    rows = ordered[:MOST]
    places = order.places(rating_list, rows, least, first=0)
    told = (
        (
            *(places[row.pk], row.player.public_name, row.experience < least),
            *(row.rating, row.last.deviation, row.experience, row.matches),
        )
        for row in rows
    )
    about = _("As it stands on %(day)s.") % {"day": date_format(now, "DATETIME_FORMAT")}
    return _ratings(rating_list, about, told, total=ordered.count())


def of_dated(dated_list: DatedList) -> PrintedSheet:
    """Return a list as it was published."""
    everybody = dated.ratings(dated_list)
    told = (
        (
            *(row.place, row.player.public_name, row.is_provisional),
            *(row.rating, row.deviation, row.experience, row.matches),
        )
        for row in everybody[:MOST]
    )
    about = _("What was finished before %(day)s.") % {"day": date_format(dated_list.day, "DATE_FORMAT")}
    return _ratings(dated_list.list, about, told, total=everybody.count())


def of_season(season: Season) -> PrintedSheet:
    """Return a season's table."""
    everybody = seasons.standings(season)
    rows = tuple(
        PrintedRow(row.place, row.player.public_name, "", (str(row.events), seasons.plain(row.points)))
        for row in everybody[:MOST]
    )
    about = f"{date_format(season.from_day, 'DATE_FORMAT')} \N{EN DASH} {date_format(season.to_day, 'DATE_FORMAT')}"
    return PrintedSheet(season.name, about, (_("Events"), _("Points")), rows, everybody.count())


def of_divisions(shown: DivisionsPage) -> tuple[PrintedSheet, ...]:
    """Return the table of each division."""
    return tuple(
        PrintedSheet(
            table.division.name,
            table.rule,
            (_("Events"), _("Points")),
            tuple(
                PrintedRow(
                    row.place,
                    row.name,
                    "" if row.goes == Goes.STAYS else str(row.goes.label),
                    (str(row.events), row.points),
                )
                for row in table.rows[:MOST]
            ),
            len(table.rows),
        )
        for table in shown.tables
    )


def _ratings(
    rating_list: RatingList,
    about: str,
    told: Iterable[tuple[int, str, bool, float, float, int, int]],
    *,
    total: int,
) -> PrintedSheet:
    has_deviation = SYSTEMS[rating_list.system].has_deviation
    deviations = ("±",) if has_deviation else ()
    rows = tuple(
        PrintedRow(
            place,
            name,
            _("provisional") if is_provisional else "",
            (
                floatformat(rating, 2),
                *((floatformat(deviation, 0),) if has_deviation else ()),
                *(str(experience), str(matches)),
            ),
        )
        for place, name, is_provisional, rating, deviation, experience, matches in told
    )
    heads = (_("Rating"), *deviations, _("Experience"), _("Matches"))
    return PrintedSheet(rating_list.name, about, heads, rows, total)
