"""An uploaded table of old ratings as a director looks through it: its columns, what is wrong where, whose rating it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.errors import PlayersError
from players.likeness import Named, pairs
from players.models import Player
from players.names import clean_name, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from players.models import Club

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
# What stands at the head of such columns, folded.
HEADS: Final = {
    NAME: {"name", "player", "spieler", "spielerin", "full name", "joueur", "nome", "nombre"},
    RATING: {"rating", "elo", "wertung", "wertungszahl", "ranking", "points", "fibs", "glicko"},
    EXPERIENCE: {"experience", "exp", "exp.", "erfahrung", "experience points"},
    MATCHES: {"matches", "games", "played", "partien", "matche", "spiele", "anzahl", "n"},
    DEVIATION: {"deviation", "rd", "abweichung", "rating deviation"},
    DAY: {"date", "as of", "datum", "stand", "day", "last played"},
}
NEW, LEAVE = "new", "leave"
# A cell that a spreadsheet would compute is no name.
FORMULA: Final = ("=", "+", "-", "@")
NUMBER: Final = re.compile(r"[+-]?\d{1,9}(?:[.,]\d{1,9})?")
MOST_NEAR: Final = 3
DATES: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y/%m/%d")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that cannot be used."""

    row: int
    column: str
    text: str
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Whose rating a row may be."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row that is a rating."""

    number: int
    name: str
    rating: float
    experience: int
    deviation: float | None
    day: date
    # The first is what we take them for; with one alone there is nothing to decide.
    choices: tuple[Choice, ...]
    chosen: str
    # Found by exactly this name.
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The table as it is understood."""

    columns: Mapping[str, int | None]
    letters: tuple[Choice, ...]
    rows: tuple[SheetRow, ...] = ()
    wrong: tuple[Cell, ...] = ()

    @property
    def to_decide(self) -> tuple[SheetRow, ...]:
        """The rows of which it is not certain whose they are."""
        return tuple(row for row in self.rows if not row.is_certain)

    @property
    def certain(self) -> tuple[SheetRow, ...]:
        """The rows of members of exactly that name."""
        return tuple(row for row in self.rows if row.is_certain)

    @property
    def taken(self) -> int:
        """How many ratings would come in."""
        return sum(row.chosen != LEAVE for row in self.rows)


@dataclass(slots=True)
class _Reader:
    """Reads cells, and keeps what is wrong with them."""

    columns: Mapping[str, int | None]
    wrong: list[Cell] = field(default_factory=list)

    def cell(self, row: Sequence[str], what: str) -> str:
        """Return what stands there."""
        at = self.columns.get(what)
        return row[at] if at is not None and at < len(row) else ""

    def number(self, row: Sequence[str], what: str, number: int) -> float | None:
        """Return a number; nothing where there is none, or no number."""
        text = self.cell(row, what).replace(" ", "")
        if not text:
            return None
        if not NUMBER.fullmatch(text):
            self.note(number, what, text, "not_a_number", _("This is not a number."))
            return None
        return float(text.replace(",", "."))

    def day(self, row: Sequence[str], number: int, usual: date) -> date:
        """Return a day, or the usual one."""
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

    def name(self, row: Sequence[str], number: int) -> str:
        """Return a name as it will be kept; nothing where it is none."""
        text = self.cell(row, NAME)
        if text.startswith(FORMULA):
            self.note(number, NAME, text, "formula", _("This is a formula, not a name."))
            return ""
        try:
            return clean_name(text, limit=80)
        except PlayersError as problem:
            self.note(number, NAME, text, problem.code, str(problem))
            return ""

    def note(self, row: int, what: str, text: str, code: str, why: str) -> None:
        """Keep what is wrong with a cell."""
        at = self.columns.get(what)
        self.wrong.append(Cell(row, letter(at) if at is not None else "", text[:60], code, why))


def guess(table: Sequence[Sequence[str]]) -> dict[str, int | None]:
    """Return which column has what: by what stands at its head, or else by what stands in it."""
    head = [fold(cell) for cell in table[0]]
    found: dict[str, int | None] = {
        what: next((at for at, text in enumerate(head) if text in words), None)
        for what, words in HEADS.items()
    }
    sample = table[1:50] or table[:1]
    width = max(len(row) for row in table)
    taken = {at for at in found.values() if at is not None}
    if found[NAME] is None:
        found[NAME] = next(
            (
                at
                for at in range(width)
                if at not in taken and _share(sample, at, lambda text: not NUMBER.fullmatch(text)) > 0.5
            ),
            None,
        )
        taken |= {at for at in (found[NAME],) if at is not None}
    if found[RATING] is None:
        found[RATING] = next(
            (at for at in range(width) if at not in taken and _share(sample, at, _is_rating) > 0.5), None
        )
    return found


def letter(at: int) -> str:
    """Return what a spreadsheet calls a column.

    >>> letter(0), letter(27)
    ('A', 'AB')
    """
    return letter(at // 26 - 1) + letter(at % 26) if at > 25 else chr(ord("A") + at)


def read(
    table: Sequence[Sequence[str]],
    *,
    club: Club,
    columns: Mapping[str, int | None],
    day: date,
    points: int,
    choices: Mapping[int, str],
    strangers: str,
) -> Sheet:
    """Return the table as it is understood.

    :param day: of ratings without one of their own.
    :param points: what a match is worth in experience, where the table counts matches.
    :param choices: whose rating a row is, by its number, as far as somebody has said so.
    :param strangers: whether whoever is unknown comes in as a guest (`NEW`) or is left out (`LEAVE`).
    """
    width = max((len(row) for row in table), default=0)
    head = table[0] if table else []
    letters = tuple(
        Choice(str(at), f"{letter(at)} · {head[at]}" if at < len(head) and head[at] else letter(at))
        for at in range(width)
    )
    reader = _Reader(columns)
    members = list(
        Player.objects.filter(memberships__club=club, merged_into__isnull=True, erased_at__isnull=True)
        .only("pk", "key", "name", "user_id", "folded_name")
        .order_by("pk")
    )
    first = 1 if _is_head(table, columns) else 0
    known = _Known(
        members, {number: reader.cell(row, NAME) for number, row in enumerate(table[first:], first + 1)}
    )
    rows: list[SheetRow] = []
    for number, row in enumerate(table[first:], first + 1):
        if not any(row):
            continue
        faults = len(reader.wrong)
        name = reader.name(row, number)
        rating = reader.number(row, RATING, number)
        if rating is None and not reader.cell(row, RATING):
            reader.note(number, RATING, "", "missing", _("There is no rating in this row."))
        experience = reader.number(row, EXPERIENCE, number)
        if experience is None and (matches := reader.number(row, MATCHES, number)) is not None:
            experience = matches * points
        deviation, when = reader.number(row, DEVIATION, number), reader.day(row, number, day)
        # A row is taken as it stands, or not at all.
        if not name or rating is None or len(reader.wrong) > faults:
            continue
        offered, is_certain = known.offered(number, name, strangers=strangers)
        said = choices.get(number, "")
        chosen = said if said in {choice.value for choice in offered} else offered[0].value
        rows.append(
            SheetRow(
                number, name, rating, round(experience or 0), deviation, when, offered, chosen, is_certain
            )
        )
    return Sheet(columns, letters, tuple(rows), tuple(reader.wrong))


class _Known:
    """The members whose names are those of rows, or nearly."""

    def __init__(self, members: Sequence[Player], names: Mapping[int, str]) -> None:
        self.by_fold: dict[str, list[Player]] = {}
        for member in members:
            self.by_fold.setdefault(fold(member.name), []).append(member)
        by_pk = {member.pk: member for member in members}
        unknown = [Named(-number, name) for number, name in names.items() if fold(name) not in self.by_fold]
        self.near: dict[int, list[tuple[int, Player]]] = {}
        # Rows are people with numbers below zero: the lower of a pair.
        for (low, high), alike in pairs(
            [*unknown, *(Named(member.pk, member.name) for member in members)]
        ).items():
            if low < 0 < high:
                self.near.setdefault(-low, []).append((alike.percent, by_pk[high]))

    def offered(self, number: int, name: str, *, strangers: str) -> tuple[tuple[Choice, ...], bool]:
        """Return whose rating a row may be, the likeliest first, and whether that is certain."""
        others = (Choice(NEW, _("New guest")), Choice(LEAVE, _("Leave out")))
        same = self.by_fold.get(fold(name), [])
        if len(same) == 1:
            return (Choice(same[0].key, same[0].name), others[1]), True
        if same:
            return (*(Choice(each.key, f"{each.name} ({each.key})") for each in same), *others), False
        near = sorted(self.near.get(number, ()), key=lambda each: (-each[0], each[1].pk))[:MOST_NEAR]
        if near:
            return (*(Choice(row.key, f"{row.name} ({percent}%)") for percent, row in near), *others), False
        return (others if strangers == NEW else others[::-1]), False


def _is_head(table: Sequence[Sequence[str]], columns: Mapping[str, int | None]) -> bool:
    """Say whether the first row names the columns: where the rating stands there is no number."""
    at = columns.get(RATING)
    return bool(table) and at is not None and at < len(table[0]) and not NUMBER.fullmatch(table[0][at])


def _share(rows: Sequence[Sequence[str]], at: int, holds: object) -> float:
    texts = [row[at].replace(" ", "") for row in rows if at < len(row) and row[at]]
    return sum(bool(holds(text)) for text in texts) / max(len(texts), 1) if callable(holds) else 0.0


def _is_rating(text: str) -> bool:
    return bool(NUMBER.fullmatch(text)) and 300 <= float(text.replace(",", ".")) <= 4000
