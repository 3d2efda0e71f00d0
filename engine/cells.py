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

SHORT, DANCE, DOUBLE, TAKE, DROP, WIN, BLANK = range(1, 8)


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


class Odd(NamedTuple):
    """What is more to say of a cell than that two checkers, or four, were moved.

    ``value`` is the number of hops, the cube's value, or the points won. ``doors`` are the points on which dice
    would have entered that did not, as flags where the opponent's checkers are counted.
    """

    kind: int
    dice: tuple[int, int] = (0, 0)
    value: int = 0
    match: bool = False
    doors: int = 0
    mask: int = 0


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

_WORDS: Final[dict[str, Odd]] = {
    "Takes": Odd(TAKE),
    "Drops": Odd(DROP),
    "": Odd(BLANK),
    **{f"Doubles => {1 << turn}": Odd(DOUBLE, value=1 << turn) for turn in range(1, 11)},
}
_WINS: Final = re.compile(r"Wins (\d{1,3}) points?( and the match)?")
# The mask of a cell that is to be looked at, whatever the board.
LOOK: Final = -1


class Column(dict[str, int]):
    """What each text adds to the board in the column of one side; KeyError if it is not in the plain spelling.

    Under the mask of a text nothing may be left of the board that comes out, or there is more to say:
    somebody is hit whom no mark says so, or has won, or the play is wrong, or it is an odd cell.

    >>> column = Column(0)
    >>> column["65: 24/18 13/8 "] == column["65: 13/8 24/18"], column.masks["65: 24/18 13/8 "] > 0
    (True, True)
    >>> column[" Doubles => 4"], column.odd[" Doubles => 4"].value
    (0, 4)
    """

    def __init__(self, side: int) -> None:
        super().__init__()
        self.masks: dict[str, int] = {}
        self.odd: dict[str, Odd] = {}
        self.side = side
        hops = {die: _hops(side, die) for die in range(1, 7)}
        self.rolls = {roll: (hops[a], hops[b]) for roll, (a, b) in DICE.items()}

    def __missing__(self, text: str) -> int:
        if not text.isascii():  # there are blanks that are none to a reader of lines
            raise KeyError(text)
        words = text.split()
        roll = self.rolls.get(words[0]) if words else None
        if roll is None:
            return self._keep(text, 0, LOOK, _word(" ".join(words)))
        if len(words) != 3 or roll[0] is roll[1]:
            return self._several(text, words)
        # The order of the two is free: the checker that starts higher goes first.
        _, word, word2 = words
        first, second = roll if word in roll[0] and word2 in roll[1] else roll[::-1]
        step, mask, hit = first[word]
        step2, mask2, hit2 = second[word2]
        if hit or hit2:
            step += hit if hit == hit2 else hit + hit2
        self.masks[text] = mask | mask2
        self[text] = step = step + step2
        return step

    def clear(self) -> None:
        """Forget every text."""
        super().clear()
        self.masks.clear()
        self.odd.clear()

    def _keep(self, text: str, step: int, mask: int, odd: Odd | None) -> int:
        if odd:
            self.odd[text] = odd
        self.masks[text] = mask
        self[text] = step
        return step

    def _several(self, text: str, words: list[str]) -> int:
        """A double, or fewer hops than dice."""
        dice = DICE[words[0]]
        number, most = len(words) - 1, 4 if dice[0] == dice[1] else 2
        if number > most:
            raise KeyError(text)
        if not number:
            return self._keep(text, 0, LOOK, Odd(DANCE, dice, doors=self._doors(*dice)))
        # Of two dice the lower one asks less of who bears off.
        hops = [self._hop(word, min(dice), max(dice)) for word in words[1:]]
        step = sum(step for step, _, _ in hops) + sum({hit for _, _, hit in hops})
        mask = 0
        for hop in hops:
            mask |= hop[1]
        if number == most:
            return self._keep(text, step, mask, None)
        doors = 0
        if most == 2 and words[1].startswith("25/"):
            doors = self._doors(dice[words[1] in self.rolls[words[0]][0]])
        return self._keep(text, step, LOOK, Odd(SHORT, dice, number, doors=doors, mask=mask))

    def _hop(self, word: str, low: int, high: int) -> _Hop:
        lower, higher = self.rolls[f"{low}{high}:"]
        return lower[word] if word in lower else higher[word]

    def _doors(self, *dice: int) -> int:
        """Return the points on which *dice* enter, flagged where the opponent's checkers are counted."""
        flags = 0
        for die in dice:
            flags |= GUARD << at(self.side ^ 1, die)
        return flags


def _word(text: str) -> Odd:
    if wins := _WINS.fullmatch(text):
        return Odd(WIN, value=int(wins[1]), match=wins[2] is not None)
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
