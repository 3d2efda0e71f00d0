"""Two records side by side, as pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tournaments.base import lines

if TYPE_CHECKING:
    from datetime import datetime

    from records.models import Submission

MISSING = "\N{EM DASH}"


class LineBeside(NamedTuple):
    """The same line in two records."""

    number: int
    # Whose turn it is, as the first of the two records that has it says.
    name: str
    told: tuple[str, str]
    # Where they part first, or what was changed.
    is_marked: bool


class RecordHead(NamedTuple):
    """Whose record stands in a column: who handed it in and when, and what the file is called."""

    by: str
    at: datetime
    name: str
    # What it is to the other one.
    label: str = ""


def head(row: Submission, label: str = "") -> RecordHead:
    """Return what stands above the lines of a record."""
    return RecordHead(by(row), row.at, row.name, label)


def by(row: Submission) -> str:
    """Return who handed a record in: an account, or one of the two with the match's code; "" for one who is gone."""
    if row.by is not None:
        return lines.shown_name(row.by.player)
    return "" if row.entry is None else lines.shown_name(row.entry.player)
