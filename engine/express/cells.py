"""Compiled cells of a score sheet: the delta of a written play, computed once for each text.

Sheets repeat the same tens of thousands of cells: ``65: 24/18 13/8`` means the same addition at each
occurrence in one side's column. A `ColumnCache` maps a text to its delta, so that `engine.express` does not
parse it twice. It knows only the plain spelling, one hop a die in digits; anything else is left to the
referee.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from engine.side import BLACK, WHITE, Side
from engine.strokes import LOOK, Stroke, compile_words

LIMIT: Final = 1 << 16
SIDES: Final = (WHITE, BLACK)

FULL, SHORT, DANCE, DOUBLE, TAKE, DROP, WIN, BLANK = range(8)


class CellDetails(NamedTuple):
    """The details of a cell that its delta and mask do not show.

    ``value`` is the number of hops, the cube's value, or the points won. ``mask`` is the one for a play that
    leaves dice. ``shut`` are the flags (see `engine.strokes.SHUT`) that are raised if a checker is on the bar
    and the remaining dice cannot enter it.
    """

    kind: int
    side: Side = WHITE
    dice: tuple[int, int] = (0, 0)
    value: int = 0
    match: bool = False
    mask: int = 0
    shut: int = 0


# The delta; the mask; the details. If the result has bits under the mask, the cell is examined: an unmarked
# hit, a win, an illegal play, or an unusual cell.
Cell: TypeAlias = tuple[int, int, CellDetails]

DICE: Final = {f"{a}{b}:": (a, b) for a in range(1, 7) for b in range(1, 7)}

_WORDS: Final[dict[str, CellDetails]] = {
    "Takes": CellDetails(TAKE),
    "Drops": CellDetails(DROP),
    "": CellDetails(BLANK),
    **{f"Doubles => {1 << turn}": CellDetails(DOUBLE, value=1 << turn) for turn in range(1, 11)},
}
_WINS: Final = re.compile(r"Wins ([0-9]{1,3}) points?( and the match)?")
NOTHING: Final[Cell] = 0, LOOK, _WORDS[""]


class ColumnCache(dict[str, Cell]):
    """The cells of one side's column by their texts; KeyError for texts that are not in the plain spelling.

    >>> column = ColumnCache(WHITE)
    >>> column["65: 24/18 13/8 "] == column["65: 13/8 24/18"], column[" Doubles => 4"][2].value
    (True, 4)
    """

    def __init__(self, side: Side) -> None:
        super().__init__()
        self.side = side
        self.full = CellDetails(FULL, side)

    def __missing__(self, text: str) -> Cell:
        if not text.isascii():  # some Unicode blanks do not separate words for a line reader
            raise KeyError(text)
        words = text.split()
        if words and words[0] in DICE:
            cell = self._build_play_cell(compile_words(self.side, DICE[words[0]], words[1:]), text)
        else:
            cell = 0, LOOK, _parse_word(" ".join(words))._replace(side=self.side)
        self[text] = cell
        return cell

    def _build_play_cell(self, stroke: Stroke | None, text: str) -> Cell:
        if stroke is None:
            raise KeyError(text)
        step, mask, rest = stroke
        if rest is None:
            return step, mask, self.full
        if rest.left is None:
            return step, rest.mask, self.full
        kind = SHORT if rest.left else DANCE
        return step, LOOK, CellDetails(kind, self.side, rest.dice, rest.left, mask=rest.mask, shut=rest.shut)


def _parse_word(text: str) -> CellDetails:
    if wins := _WINS.fullmatch(text):
        return CellDetails(WIN, value=int(wins[1]), match=wins[2] is not None)
    return _WORDS[text]


COLUMNS: Final = ColumnCache(WHITE), ColumnCache(BLACK)


def clear_caches() -> None:
    for column in COLUMNS:
        column.clear()


def trim_caches() -> None:
    """Empty the caches if they have more than `LIMIT` cells together."""
    if len(COLUMNS[0]) + len(COLUMNS[1]) > LIMIT:
        clear_caches()
