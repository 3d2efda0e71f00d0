"""The cell of a score sheet, compiled: what a written play adds to the board, found once for each text.

Sheets hold the same few ten thousand cells over and over: ``65: 24/18 13/8`` means the same addition wherever
it stands in one side's column. A `Column` turns a text into what it adds and keeps that, so that
`engine.express` need not read it twice. Only the plain spelling is known here, one hop a die in figures;
anything else is for the referee.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from engine.side import BLACK, WHITE, Side
from engine.strokes import BOTH_OFF, LOOK, Stroke, at, stroke_of_words

LIMIT: Final = 1 << 16
SIDES: Final = (WHITE, BLACK)

FULL, SHORT, DANCE, DOUBLE, TAKE, DROP, WIN, BLANK = range(8)


def board(*sides: dict[int, int]) -> int:
    """Return the board, from what each side has on its own points."""
    held = [number << at(side, point) for side in SIDES for point, number in sides[side].items()]
    return sum(held) + BOTH_OFF


class More(NamedTuple):
    """What is more to say of a cell than that two checkers, or four, were moved.

    ``value`` is the number of hops, the cube's value, or the points won. ``mask`` is the one for a play that
    leaves dice. ``shut`` are flags that are raised (see `SHUT`) where the rest of the dice has nowhere to
    enter, and a checker waits on the bar.
    """

    kind: int
    side: Side = WHITE
    dice: tuple[int, int] = (0, 0)
    value: int = 0
    match: bool = False
    mask: int = 0
    shut: int = 0


# What is added to the board; the mask under which nothing may be left of what comes out, or there is more to
# say: somebody is hit whom no mark says so, or has won, or the play is wrong, or this is an odd cell.
Cell: TypeAlias = tuple[int, int, More]

DICE: Final = {f"{a}{b}:": (a, b) for a in range(1, 7) for b in range(1, 7)}

_WORDS: Final[dict[str, More]] = {
    "Takes": More(TAKE),
    "Drops": More(DROP),
    "": More(BLANK),
    **{f"Doubles => {1 << turn}": More(DOUBLE, value=1 << turn) for turn in range(1, 11)},
}
_WINS: Final = re.compile(r"Wins ([0-9]{1,3}) points?( and the match)?")
NOTHING: Final[Cell] = 0, LOOK, _WORDS[""]


class Column(dict[str, Cell]):
    """The cells of one side's column by their texts; KeyError for what is not in the plain spelling.

    >>> column = Column(WHITE)
    >>> column["65: 24/18 13/8 "] == column["65: 13/8 24/18"], column[" Doubles => 4"][2].value
    (True, 4)
    """

    def __init__(self, side: Side) -> None:
        super().__init__()
        self.side = side
        self.full = More(FULL, side)

    def __missing__(self, text: str) -> Cell:
        if not text.isascii():  # there are blanks that are none to a reader of lines
            raise KeyError(text)
        words = text.split()
        if words and words[0] in DICE:
            cell = self._play(stroke_of_words(self.side, DICE[words[0]], words[1:]), text)
        else:
            cell = 0, LOOK, _word(" ".join(words))._replace(side=self.side)
        self[text] = cell
        return cell

    def _play(self, stroke: Stroke | None, text: str) -> Cell:
        if stroke is None:
            raise KeyError(text)
        step, mask, rest = stroke
        if rest is None:
            return step, mask, self.full
        if rest.left is None:
            return step, rest.mask, self.full
        kind = SHORT if rest.left else DANCE
        return step, LOOK, More(kind, self.side, rest.dice, rest.left, mask=rest.mask, shut=rest.shut)


def _word(text: str) -> More:
    if wins := _WINS.fullmatch(text):
        return More(WIN, value=int(wins[1]), match=wins[2] is not None)
    return _WORDS[text]


# White's and Black's.
COLUMNS: Final = Column(WHITE), Column(BLACK)


def forget() -> None:
    """Empty the columns, as at the start of a process."""
    for column in COLUMNS:
        column.clear()


def trim() -> None:
    """Empty the columns if they have grown too large."""
    if len(COLUMNS[0]) + len(COLUMNS[1]) > LIMIT:
        forget()
