"""Comparison of two records for display."""

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
    # The player of the line, by the first record that has it.
    name: str
    told: tuple[str, str]
    # The first difference, or a changed line.
    is_marked: bool


class RecordHead(NamedTuple):
    """Column head of a record: submitter, time and file name."""

    by: str
    at: datetime
    name: str
    # Its role in the comparison.
    label: str = ""


def head(row: Submission, label: str = "") -> RecordHead:
    return RecordHead(by(row), row.at, row.name, label)


def by(row: Submission) -> str:
    """The submitter's name, by account or by the match's code; "" for a deleted account."""
    if row.by is not None:
        return lines.shown_name(row.by.player)
    return "" if row.entry is None else lines.shown_name(row.entry.player)
