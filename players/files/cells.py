"""Cells of an uploaded table: guessing columns, reading values, recording errors. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from players.errors import PlayersError
from players.names import clean_name, fold

# A spreadsheet would take such a text for a formula.
FORMULA: Final = ("=", "+", "-", "@")
NUMBER: Final = re.compile(r"[+-]?\d{1,9}(?:[.,]\d{1,9})?")
# A whole number with separators of thousands: "1,250" or, as German spreadsheets write it, "1.250".
WITH_THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*")
# No rating is below ten, so this is 1650 and not 1.65.
RATING_WITH_THOUSANDS: Final = re.compile(r"[1-9][.,]\d{3}")
LONGEST_NAME: Final = 80
LETTERS: Final = 26


@dataclass(frozen=True, slots=True)
class Cell:
    row: int
    column: str
    text: str
    code: str
    why: str


def parse_number(text: str) -> float | None:
    """Parse a number with a decimal point or comma; None if it is none."""
    return float(text.replace(",", ".")) if NUMBER.fullmatch(text) else None


def parse_rating(text: str) -> float | None:
    """Parse a rating; None if it is no number.

    >>> parse_rating("1,650"), parse_rating("1650,5"), parse_rating("strong")
    (1650.0, 1650.5, None)
    """
    if RATING_WITH_THOUSANDS.fullmatch(text):
        return float(text.replace(".", "").replace(",", ""))
    return parse_number(text)


@dataclass(slots=True)
class CellReader:
    columns: Mapping[str, int | None]
    wrong: list[Cell] = field(default_factory=list)

    def cell(self, row: Sequence[str], what: str) -> str:
        """Return the text of a cell, "" if it is missing."""
        at = self.columns.get(what)
        return row[at] if at is not None and at < len(row) else ""

    def number(
        self, row: Sequence[str], what: str, number: int, parse: Callable[[str], float | None] = parse_number
    ) -> float | None:
        """Read a number; None if the cell is empty or invalid."""
        text = self.cell(row, what).replace(" ", "")
        found = parse(text)
        if text and found is None:
            self.note(number, what, text, "not_a_number", _("This is not a number."))
        return found

    def whole_number(self, row: Sequence[str], what: str, number: int) -> int | None:
        """Read a whole number, with or without separators of thousands; None if the cell is empty or invalid."""
        text = self.cell(row, what).replace(" ", "")
        if WITH_THOUSANDS.fullmatch(text):
            return int(text.replace(".", "").replace(",", ""))
        found = self.number(row, what, number)
        return None if found is None else round(found)

    def name(self, row: Sequence[str], what: str, number: int) -> str:
        """Read and normalise a name; "" if it is invalid."""
        text = self.cell(row, what)
        if text.startswith(FORMULA):
            self.note(number, what, text, "formula", _("This is a formula, not a name."))
            return ""
        try:
            return clean_name(text, limit=LONGEST_NAME)
        except PlayersError as problem:
            self.note(number, what, text, problem.code, str(problem))
            return ""

    def note(self, row: int, what: str, text: str, code: str, why: str) -> None:
        at = self.columns.get(what)
        self.wrong.append(Cell(row, format_column(at) if at is not None else "", text[:60], code, why))


def format_column(at: int) -> str:
    """Return the letters of a column in a spreadsheet.

    >>> format_column(0), format_column(27)
    ('A', 'AB')
    """
    return (
        format_column(at // LETTERS - 1) + format_column(at % LETTERS)
        if at >= LETTERS
        else chr(ord("A") + at)
    )


def list_columns(table: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the columns to choose from, each with its letter and title."""
    head = table[0] if table else []
    return [
        (str(at), f"{format_column(at)} · {head[at]}" if at < len(head) and head[at] else format_column(at))
        for at in range(max((len(row) for row in table), default=0))
    ]


def find_columns(
    table: Sequence[Sequence[str]], heads: Mapping[str, Collection[str]]
) -> dict[str, int | None]:
    head = [fold(cell) for cell in table[0]]
    return {
        what: next((at for at, text in enumerate(head) if text in words), None)
        for what, words in heads.items()
    }


def compute_share(rows: Sequence[Sequence[str]], at: int, holds: Callable[[str], object]) -> float:
    """Return the share of non-empty cells of a column for which *holds* is true."""
    texts = [row[at].replace(" ", "") for row in rows if at < len(row) and row[at]]
    return sum(bool(holds(text)) for text in texts) / max(len(texts), 1)


def list_unused(head: Sequence[str], columns: Mapping[str, int | None]) -> tuple[str, ...]:
    """Return the titled columns that are not used, such as `C (Country)`."""
    used = {at for at in columns.values() if at is not None}
    return tuple(f"{format_column(at)} ({text})" for at, text in enumerate(head) if text and at not in used)
