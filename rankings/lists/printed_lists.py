"""Lists as sheets for printing, live and dated."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rankings.formulas.systems import SYSTEMS, system
from rankings.ledger import order, rated_matches
from rankings.lists import dated_pages
from rankings.models import DatedList, RatingList
from rankings.seasons.printed_seasons import MOST, PrintedRow, PrintedSheet


def build_sheet(rating_list: RatingList, *, now: datetime) -> PrintedSheet:
    least = order.get_provisional_limit(rating_list, now)
    ordered = order.OrderedPlayers(rating_list, least, now=now)
    rows = ordered[:MOST]
    places = order.compute_places(rating_list, rows, least, first=0)
    how = system(rating_list.system, rating_list.params)
    rows_to_print = (
        (
            *(places[row.pk], row.player.public_name, row.experience < least, row.rating),
            rated_matches.compute_shown_standing(how, row, now).deviation,
            *(row.experience, row.matches),
        )
        for row in rows
    )
    about = _("As it stands on %(day)s.") % {"day": date_format(now, "DATETIME_FORMAT")}
    return _build_ratings_sheet(rating_list, about, rows_to_print, total=ordered.count())


def build_dated_sheet(dated_list: DatedList) -> PrintedSheet:
    everybody = dated_pages.list_ratings(dated_list)
    rows_to_print = (
        (
            *(row.place, row.player.public_name, row.is_provisional),
            *(row.rating, row.deviation, row.experience, row.matches),
        )
        for row in everybody[:MOST]
    )
    about = _("Everything finished before %(day)s.") % {"day": date_format(dated_list.day, "DATE_FORMAT")}
    return _build_ratings_sheet(dated_list.list, about, rows_to_print, total=everybody.count())


def _build_ratings_sheet(
    rating_list: RatingList,
    about: str,
    rows_to_print: Iterable[tuple[int, str, bool, float, float, int, int]],
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
        for place, name, is_provisional, rating, deviation, experience, matches in rows_to_print
    )
    heads = (_("Rating"), *deviations, _("Experience"), _("Matches"))
    return PrintedSheet(rating_list.name, about, heads, rows, total)
