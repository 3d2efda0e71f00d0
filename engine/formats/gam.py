"""A reader of ``.gam`` files of Jellyfish and GammonEmpire: two names, then the rows of a ``.mat``.

There is no length, no score and no game number; the file is read as unlimited play.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from engine.errors import Unreadable
from engine.formats.draft import Draft, build_turn, read_lines
from engine.formats.limits import LIMITS, Limits
from engine.formats.mat import cells, rows
from engine.formats.mat.rows import Cell
from engine.sheet import Place, Sheet, TurnKind
from engine.side import BySide

FIRST_ROW: Final = re.compile(r"\s*1\)")
RIGHT: Final = 33
# The number of lines from which the start of the right column is determined.
MEASURED: Final = 200


def sniff(data: bytes) -> bool:
    """True if a line with two names is above row 1."""
    head = data[:4096].decode("latin-1").replace("\r", "\n").split("\n")
    first_lines = [line for line in head if line.strip()][:2]
    return (
        len(first_lines) == 2
        and _parse_names(first_lines[0]) is not None
        and FIRST_ROW.match(first_lines[1]) is not None
    )


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    text = read_lines(data, limits)
    reader = _Reader(Draft(limits), rows.find_right_column(text[:MEASURED]) or RIGHT)
    for number, line in enumerate(text, 1):
        if line.strip():
            reader.line(line.expandtabs(8), number)
    return (reader.sheet(),)


class _Reader:
    def __init__(self, draft: Draft, right: int) -> None:
        self.draft = draft
        self.right = right
        self.names: BySide[str] | None = None

    def line(self, text: str, number: int) -> None:
        names = _parse_names(text)
        if names is not None:
            if self.names is None:
                self.names = names
            elif names != self.names:
                at = Place(number, 1)
                self.draft.remark("name-mismatch", "The players of this game are named differently.", at)
            self.draft.begin(at=Place(number, 1))
        elif self.draft.is_open:
            self._read_row(text, number)
        else:
            self.draft.unread(text, Place(number, 1))

    def sheet(self) -> Sheet:
        return self.draft.sheet("gam", self.names or BySide("", ""), 0, dialect="gam")

    def _read_row(self, text: str, number: int) -> None:
        row = rows.split_row(text, self.right)
        if row.torn or row.rest:
            self.draft.unread(text, Place(number, 1))
        for cell in row.cells:
            self._read_cell(cell, Place(number, cell.start + 1))

    def _read_cell(self, cell: Cell, at: Place) -> None:
        try:
            claims_read = cells.parse_cell(cell.side, cell.kind, cell.text)
        except (Unreadable, KeyError):
            dice = cells.DICE.get(cell.text[:3])
            self.draft.remark("corrupt-row", "What was played here cannot be read.", at)
            claims_read = (build_turn(cell.side, dice, kind=TurnKind.UNKNOWN),)
        self.draft.add(*(replace(claim, at=at) for claim in claims_read))


def _parse_names(text: str) -> BySide[str] | None:
    """Parse two names without blanks; None if the line is something else."""
    words = text.split()
    if len(words) != 2 or rows.NUMBER.match(text) or rows.split_row(text, RIGHT).cells:
        return None
    return BySide(*words)
