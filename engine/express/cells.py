"""The cell of a score sheet, compiled: what a written play adds to the board, found once for each text.

Sheets hold the same few ten thousand cells over and over: ``65: 24/18 13/8`` means the same addition wherever
it stands in one side's column. A `Column` turns a text into what it adds and keeps that, so that
`engine.express` need not read it twice. Only the plain spelling is known here, one hop a die in figures;
anything else is for the referee.

The board is one integer, a byte a point as in `engine.packed`, White's checkers in the low half and Black's in
the high half, both counted from White's ace point. A checker that is not there borrows from the next byte,
which sets the guard in its own; so does the fifteenth that is borne off, for these are counted from one.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from engine.packed import every

LIMIT: Final = 1 << 16
HIGH: Final = 8 * 26

FULL, SHORT, DANCE, DOUBLE, TAKE, DROP, WIN, BLANK = range(8)


def at(side: int, point: int) -> int:
    """Return where the checkers of *side* on its own *point* are counted: how far up the board."""
    return HIGH + 8 * (25 - point) if side else 8 * point


def board(*sides: dict[int, int]) -> int:
    """Return the board, from what each side has on its own points."""
    held = [number << at(side, point) for side in (0, 1) for point, number in sides[side].items()]
    return sum(held) + NONE_OFF


NONE_OFF: Final = (1 << at(0, 0)) + (1 << at(1, 0))
GUARD: Final = 0x10
GUARDS: Final = every(GUARD) | every(GUARD) << HIGH


class More(NamedTuple):
    """What is more to say of a cell than that two checkers, or four, were moved.

    ``value`` is the number of hops, the cube's value, or the points won. ``mask`` is the one for a play that
    leaves dice. ``shut`` are flags that are raised (see `SHUT`) where the rest of the dice has nowhere to
    enter, and a checker waits on the bar.
    """

    kind: int
    side: int = 0
    dice: tuple[int, int] = (0, 0)
    value: int = 0
    match: bool = False
    mask: int = 0
    shut: int = 0


# Added to the board this raises a flag wherever two or more stand, and on the bar where there is one.
SHUT: Final = every(14) + (every(14) << HIGH) + (1 << at(0, 25)) + (1 << at(1, 25))

# What is added to the board; the mask under which nothing may be left of what comes out, or there is more to
# say: somebody is hit whom no mark says so, or has won, or the play is wrong, or this is an odd cell.
Cell: TypeAlias = tuple[int, int, More]

# What a hop adds; the mask under which nothing may be left; and what a hit that is marked adds.
_Hop: TypeAlias = tuple[int, int, int]
_Hops: TypeAlias = dict[str, _Hop]


def _hops(side: int, die: int) -> _Hops:
    """Return every hop of *die*, as it is written."""
    hops: _Hops = {}
    for source in range(1, 26):
        target = max(0, source - die)
        step = (1 << at(side, target)) - (1 << at(side, source))
        mask = GUARDS | _clear(side, source, die)
        if target:
            there = at(side ^ 1, 25 - target)
            mask |= 0x0F << there
            hops[f"{source}/{target}*"] = step, mask, (1 << at(side ^ 1, 25)) - (1 << there)
        hops[f"{source}/{target}"] = step, mask, 0
    return hops


def _clear(side: int, source: int, die: int) -> int:
    """Return the points that must be empty when all is played: the bar (R26), unless the hop was from there.

    A checker borne off exactly needs all the others home (R32); with more than its point, none higher (R35).
    What is asked of the board then holds at the end too, since by then everything higher has moved.
    """
    if source == 25:
        return 0
    first = 25 if source > die else 7 if source == die else source + 1
    return sum(0x0F << at(side, point) for point in range(first, 26))


DICE: Final = {f"{a}{b}:": (a, b) for a in range(1, 7) for b in range(1, 7)}
MIXED: Final = frozenset(roll for roll, (a, b) in DICE.items() if a != b)

_WORDS: Final[dict[str, More]] = {
    "Takes": More(TAKE),
    "Drops": More(DROP),
    "": More(BLANK),
    **{f"Doubles => {1 << turn}": More(DOUBLE, value=1 << turn) for turn in range(1, 11)},
}
_WINS: Final = re.compile(r"Wins ([0-9]{1,3}) points?( and the match)?")
# The mask of a cell that is to be looked at, whatever the board.
LOOK: Final = -1
NOTHING: Final[Cell] = 0, LOOK, _WORDS[""]


class Column(dict[str, Cell]):
    """The cells of one side's column by their texts; KeyError for what is not in the plain spelling.

    >>> column = Column(0)
    >>> column["65: 24/18 13/8 "] == column["65: 13/8 24/18"], column[" Doubles => 4"][2].value
    (True, 4)
    """

    def __init__(self, side: int) -> None:
        super().__init__()
        self.side = side
        self.full = More(FULL, side)
        hops = {die: _hops(side, die) for die in range(1, 7)}
        self.rolls = {roll: (hops[a], hops[b]) for roll, (a, b) in DICE.items()}

    def __missing__(self, text: str) -> Cell:
        words = text.split()
        if len(words) == 3 and words[0] in MIXED and text.isascii():
            # Two hops with two different dice. Their order is free: the checker that starts higher goes first.
            roll, hop, hop2 = words
            one, other = self.rolls[roll]
            if hop not in one or hop2 not in other:
                other, one = one, other
            step, mask, hit = one[hop]
            step2, mask2, hit2 = other[hop2]
            if hit or hit2:
                step += hit if hit == hit2 else hit + hit2
            cell = step + step2, mask | mask2, self.full
        else:
            cell = self._other(words, text)
        self[text] = cell
        return cell

    def _other(self, words: list[str], text: str) -> Cell:
        if not text.isascii():  # there are blanks that are none to a reader of lines
            raise KeyError(text)
        if not words or words[0] not in DICE:
            return 0, LOOK, _word(" ".join(words))._replace(side=self.side)
        if len(words) != 5 or words[0] in MIXED:
            return self._short(words, text)
        hops, _ = self.rolls[words[0]]
        step, mask = _sum([hops[word] for word in words[1:]], text)
        return step, mask, self.full

    def _short(self, words: list[str], text: str) -> Cell:
        """Fewer hops than dice, or none."""
        roll, *hops = words
        dice = DICE[roll]
        if len(hops) > (3 if dice[0] == dice[1] else 1):
            raise KeyError(text)
        if not hops:
            return 0, LOOK, More(DANCE, self.side, dice, shut=self._shut(*dice))
        # Of two dice the lower one asks less of who bears off.
        high, low = self.rolls[f"{max(dice)}{min(dice)}:"]
        step, mask = _sum([low[hop] if hop in low else high[hop] for hop in hops], text)
        shut = 0
        if high is not low and hops[0].startswith("25/"):
            shut = self._shut(max(dice) if hops[0] in low else min(dice))
        return step, LOOK, More(SHORT, self.side, dice, len(hops), mask=mask, shut=shut)

    def _shut(self, *dice: int) -> int:
        """Return the flags that say that nobody enters with *dice*, and that somebody has to."""
        flags = GUARD << at(self.side, 25)
        for die in dice:
            flags |= GUARD << at(self.side ^ 1, die)
        return flags


def _sum(hops: list[_Hop], text: str) -> tuple[int, int]:
    """Return what the hops of *text* add, and their mask. Who is met twice on a point is hit once."""
    total = masks = 0
    for step, mask, _ in hops:
        total += step
        masks |= mask
    if "*" in text:
        total += sum({hit for _, _, hit in hops})
    return total, masks


def _word(text: str) -> More:
    if wins := _WINS.fullmatch(text):
        return More(WIN, value=int(wins[1]), match=wins[2] is not None)
    return _WORDS[text]


# White's and Black's.
COLUMNS: Final = Column(0), Column(1)


def forget() -> None:
    """Empty the columns, as at the start of a process."""
    for column in COLUMNS:
        column.clear()


def trim() -> None:
    """Empty the columns if they have grown too large."""
    if len(COLUMNS[0]) + len(COLUMNS[1]) > LIMIT:
        forget()
