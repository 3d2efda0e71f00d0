"""Seasons as sheets for printing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rankings.models import Season, SeasonMove
from rankings.seasons import season_pages
from rankings.seasons.division_pages import DivisionsPage

# Longer tables are cut; the CSV is complete.
MOST: Final = 2_000


@dataclass(frozen=True, slots=True)
class PrintedRow:
    place: int
    name: str
    note: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    title: str
    about: str
    heads: tuple[str, ...]
    rows: tuple[PrintedRow, ...]
    # The number of rows in the whole table.
    total: int

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.rows)


def build_season_sheet(season: Season) -> PrintedSheet:
    everybody = season_pages.list_standings(season)
    rows = tuple(
        PrintedRow(
            row.place, row.player.public_name, "", (str(row.events), season_pages.format_points(row.points))
        )
        for row in everybody[:MOST]
    )
    about = f"{date_format(season.from_day, 'DATE_FORMAT')} \N{EN DASH} {date_format(season.to_day, 'DATE_FORMAT')}"
    return PrintedSheet(season.name, about, (_("Events"), _("Points")), rows, everybody.count())


def build_division_sheets(shown: DivisionsPage) -> tuple[PrintedSheet, ...]:
    return tuple(
        PrintedSheet(
            table.division.name,
            table.rule,
            (_("Events"), _("Points")),
            tuple(
                PrintedRow(
                    line.move.place,
                    line.move.player.public_name,
                    "" if line.goes == SeasonMove.STAYS else str(line.goes.label),
                    (str(line.move.events), season_pages.format_points(line.move.points)),
                )
                for line in table.rows[:MOST]
            ),
            len(table.rows),
        )
        for table in shown.tables
    )
