"""An uploaded table of ratings under review: its columns, invalid cells, and the players of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.files.cells import (
    NUMBER,
    Cell,
    CellReader,
    compute_share,
    find_columns,
    list_columns,
    list_unused,
    parse_rating,
)
from players.models import Club
from players.people.namesakes import LEAVE, KnownMembers, NamesakeChoice

NAME, RATING, EXPERIENCE, MATCHES, DEVIATION, DAY = FIELDS = (
    *("name", "rating", "experience", "matches", "deviation", "day"),
)
TITLES: Final = {
    NAME: gettext_lazy("Name"),
    RATING: gettext_lazy("Rating"),
    EXPERIENCE: gettext_lazy("Experience"),
    MATCHES: gettext_lazy("Matches"),
    DEVIATION: gettext_lazy("Deviation"),
    DAY: gettext_lazy("Date"),
}
# Common titles of these columns, folded.
HEADS: Final = {
    NAME: {"name", "player", "spieler", "spielerin", "full name", "joueur", "nome", "nombre"},
    RATING: {"rating", "elo", "wertung", "wertungszahl", "ranking", "points", "fibs", "glicko"},
    EXPERIENCE: {"experience", "exp", "exp.", "erfahrung", "experience points"},
    MATCHES: {"matches", "games", "played", "partien", "matche", "spiele", "anzahl", "n"},
    DEVIATION: {"deviation", "rd", "abweichung", "rating deviation"},
    DAY: {"date", "as of", "datum", "stand", "day", "last played"},
}
DATES: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y/%m/%d")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row with a rating."""

    number: int
    name: str
    rating: float
    experience: int
    deviation: float | None
    day: date
    # The best match first; with one choice there is nothing to decide.
    choices: tuple[NamesakeChoice, ...]
    chosen: str
    # The name matches exactly.
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The table as read with the current settings."""

    columns: Mapping[str, int | None]
    letters: tuple[NamesakeChoice, ...]
    rows: tuple[SheetRow, ...] = ()
    wrong: tuple[Cell, ...] = ()
    # The titles of unused columns.
    unused: tuple[str, ...] = ()

    @property
    def to_decide(self) -> tuple[SheetRow, ...]:
        """The rows whose player is uncertain."""
        return tuple(row for row in self.rows if not row.is_certain)

    @property
    def certain(self) -> tuple[SheetRow, ...]:
        """The rows with members of exactly that name."""
        return tuple(row for row in self.rows if row.is_certain)

    @property
    def taken(self) -> int:
        return sum(row.chosen != LEAVE for row in self.rows)


class _Reader(CellReader):
    def day(self, row: Sequence[str], number: int, usual: date) -> date:
        """Read a date; an empty or invalid cell gives the default."""
        text = self.cell(row, DAY)
        if not text:
            return usual
        for pattern in DATES:
            try:
                return datetime.strptime(text[:10], pattern).date()  # noqa: DTZ007 - a day has no zone
            except ValueError:
                continue
        self.note(number, DAY, text, "not_a_date", _("This is not a date such as 2026-11-22."))
        return usual


def guess_columns(table: Sequence[Sequence[str]]) -> dict[str, int | None]:
    """Guess the columns by their titles, or else by their contents."""
    found = find_columns(table, HEADS)
    sample = table[1:50] or table[:1]
    width = max(len(row) for row in table)
    taken = {at for at in found.values() if at is not None}
    if found[NAME] is None:
        found[NAME] = next(
            (
                at
                for at in range(width)
                if at not in taken
                and compute_share(sample, at, lambda text: not NUMBER.fullmatch(text)) > 0.5
            ),
            None,
        )
        taken |= {at for at in (found[NAME],) if at is not None}
    if found[RATING] is None:
        found[RATING] = next(
            (at for at in range(width) if at not in taken and compute_share(sample, at, _is_rating) > 0.5),
            None,
        )
    return found


def read_sheet(
    table: Sequence[Sequence[str]],
    *,
    club: Club,
    columns: Mapping[str, int | None],
    day: date,
    points: int,
    choices: Mapping[int, str],
    strangers: str,
) -> Sheet:
    """Read the table with these settings.

    :param day: the date of ratings without one.

    :param points: the experience for a match, if the table counts matches.

    :param choices: the director's choices of players, by row number.

    :param strangers: whether unknown players are added as guests (`NEW`) or left out (`LEAVE`).
    """
    letters = tuple(NamesakeChoice(*each) for each in list_columns(table))
    reader = _Reader(columns)
    first = 1 if _has_header(table, columns) else 0
    known = KnownMembers(
        club, {number: reader.cell(row, NAME) for number, row in enumerate(table[first:], first + 1)}
    )
    rows: list[SheetRow] = []
    for number, row in enumerate(table[first:], first + 1):
        if not any(row):
            continue
        faults = len(reader.wrong)
        name = reader.name(row, NAME, number)
        rating = reader.number(row, RATING, number, parse_rating)
        if rating is None and not reader.cell(row, RATING):
            reader.note(number, RATING, "", "missing", _("There is no rating in this row."))
        experience = reader.whole_number(row, EXPERIENCE, number)
        if experience is None and (matches := reader.whole_number(row, MATCHES, number)) is not None:
            experience = matches * points
        deviation, when = reader.number(row, DEVIATION, number), reader.day(row, number, day)
        # A row with an invalid cell is left out as a whole.
        if not name or rating is None or len(reader.wrong) > faults:
            continue
        offered, is_certain = known.offered(number, name, strangers=strangers)
        selected = choices.get(number, "")
        chosen = selected if selected in {choice.value for choice in offered} else offered[0].value
        rows.append(
            SheetRow(number, name, rating, experience or 0, deviation, when, offered, chosen, is_certain)
        )
    unused = list_unused(table[0], columns) if first else ()
    return Sheet(columns, letters, tuple(rows), tuple(reader.wrong), unused)


def _has_header(table: Sequence[Sequence[str]], columns: Mapping[str, int | None]) -> bool:
    """True if the first row has column titles: its rating cell is not a number."""
    at = columns.get(RATING)
    return bool(table) and at is not None and at < len(table[0]) and not NUMBER.fullmatch(table[0][at])


def _is_rating(text: str) -> bool:
    return 300 <= (parse_rating(text) or 0) <= 4000
