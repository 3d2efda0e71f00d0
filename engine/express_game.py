"""One game of a plain sheet: all its boards added up at once, and only what is odd looked at.

A play that uses every die is legal if each step is: nothing else could use more. So one addition makes the
board after it and one AND says whether it stands (`engine.cells`), with no loop of ours around them. What
is left over is looked at in its turn: a dance, the cube, the end, a hit without a mark. Plays that use
fewer dice are compared with the list of legal ones.
"""

from __future__ import annotations

from itertools import accumulate, compress, count, islice
from operator import and_
from typing import Final, NamedTuple

from engine.cells import BLANK, COLUMNS, DANCE, DOUBLE, DROP, GUARD, HIGH, NONE_OFF, TAKE, WIN, Odd, at, board
from engine.packed import every, turned
from engine.results import results

_STANDARD: Final = {24: 2, 13: 5, 8: 3, 6: 5}
START: Final = board(_STANDARD, _STANDARD)
WHITES: Final = (1 << HIGH) - 1
# For each side: its checkers on the bar, one of them there, all fifteen borne off, those in the other's home.
BAR: Final = tuple(0x0F << at(side, 25) for side in (0, 1))
WAITING: Final = tuple(1 << at(side, 25) for side in (0, 1))
GONE: Final = tuple(GUARD << at(side, 0) for side in (0, 1))
FAR: Final = tuple(sum(0x0F << at(side, point) for point in range(19, 26)) for side in (0, 1))
# Where either may hit: one checker of the other side on each point.
BLOTS: Final = every(1, 1, 24) << HIGH, every(1, 1, 24)
# Added to the board this raises a flag wherever two or more stand.
MADE: Final = every(14) | every(14) << HIGH
NOTHING_OFF: Final = 1 | 0x10 << 8 * 25


class CleanGame(NamedTuple):
    """A finished game of a clean sheet. ``how`` is ``bearoff``, ``drop`` or ``resign``; ``kind`` 1, 2 or 3."""

    winner: int
    points: int
    kind: int
    how: str
    cube: int
    crawford: bool
    plies: int


class Doubt(Exception):
    """Something the referee must look at."""


class Game:
    """One game: ``texts`` are its cells in turn, the first in the column of side ``first``."""

    __slots__ = (
        "away", "boards", "crawford", "cube", "doubles", "first", "marked", "masks", "owner", "steps", "texts",
        "unusual",
    )  # fmt: skip

    def __init__(
        self, first: int, texts: list[str], away: tuple[int, int], *, crawford: bool, marked: bool
    ) -> None:
        self.first = first
        self.texts = texts
        self.away = away
        self.crawford = crawford
        # Are hits marked here? Writers mark all or none; anything between is for the referee.
        self.marked = marked
        self.cube, self.owner, self.doubles = 1, -1, 0
        self.steps, self.masks = compiled(first, texts)
        self.boards = list(accumulate(self.steps, initial=START))
        # The places of the cells to be looked at. They are found one by one: what is mended is seen mended.
        self.unusual = compress(count(), map(and_, islice(self.boards, 1, None), self.masks))

    def played(self) -> CleanGame:
        """Return the game, if it is one; its last cells must say who won."""
        for place in self.unusual:
            odd = self.odd(place)
            if odd is None:
                ended = self.moved(place, self.masks[place])
            elif odd.kind == DANCE:
                ended = self.danced(place, odd)
            elif odd.kind == DOUBLE:
                ended = self.doubled(place, odd.value)
            elif odd.kind in (WIN, BLANK):
                ended = self.closed(place)
            elif odd.kind in (TAKE, DROP):
                raise Doubt
            else:
                ended = self.short(place, odd)
            if ended:
                return ended
        raise Doubt

    def odd(self, place: int) -> Odd | None:
        return COLUMNS[self.first + place & 1].odd.get(self.texts[place])

    def moved(self, place: int, mask: int) -> CleanGame | None:
        """The board after a play is not as it should be: somebody was hit, or has won (R40)."""
        side = self.first + place & 1
        after = self.boards[place + 1]
        fault = after & mask
        if fault == GONE[side]:
            return self.closed(place + 1, side, "bearoff", self.kind(side, after))
        # One checker was met and goes to the bar (R14, R25).
        if fault & ~BLOTS[side] or self.marked:
            raise Doubt
        after += fault.bit_count() * WAITING[side ^ 1] - fault
        self.boards[place + 1 :] = accumulate(islice(self.steps, place + 1, None), initial=after)
        return None

    def short(self, place: int, odd: Odd) -> CleanGame | None:
        """A play that leaves dice must be one of the legal ones (R19-R22)."""
        side = self.first + place & 1
        before = self.boards[place]
        ended = self.moved(place, odd.mask) if self.boards[place + 1] & odd.mask else None
        if odd.doors and before & BAR[side] > WAITING[side]:
            # R29: one has entered, and the next one cannot.
            if before + MADE & odd.doors != odd.doors:
                raise Doubt
            return ended
        used, found = results(packed(before, side), max(odd.dice), min(odd.dice))
        if odd.value != used or packed(self.boards[place + 1], side) not in found:
            raise Doubt
        return ended

    def danced(self, place: int, odd: Odd) -> CleanGame | None:
        """Nothing was played: a dance (R23), or a roll after which somebody resigned."""
        side = self.first + place & 1
        before = self.boards[place]
        if before & BAR[side] and before + MADE & odd.doors == odd.doors:
            return None
        used, found = results(packed(before, side), max(odd.dice), min(odd.dice))
        if not used:
            return None
        if len(found) == 1:
            raise Doubt  # a single play may have been forgotten
        # The record gives the game to the other side, or it does not say plainly who resigned.
        return self.closed(place + 1, side ^ 1)

    def doubled(self, place: int, value: int) -> CleanGame | None:
        """A double by who may, to the next value, that is not idle, with its answer in the next cell."""
        side = self.first + place & 1
        answer = self.odd(place + 1) if place + 1 < len(self.texts) else None
        if self.crawford or value != self.cube * 2 or self.owner not in (-1, side):
            raise Doubt
        if answer is None or self.cube >= self.away[side]:
            raise Doubt
        self.doubles += 1
        if answer.kind == DROP:
            return self.closed(place + 2, side, "drop", 1)
        if answer.kind != TAKE:
            raise Doubt
        self.cube, self.owner = value, side ^ 1
        next(self.unusual)
        return None

    def closed(
        self, place: int, winner: int | None = None, how: str = "resign", kind: int | None = None
    ) -> CleanGame:
        """Return the game, of which nothing may be left from *place* on but the cell that says who won."""
        wins, side = None, -1
        for left in range(place, len(self.texts)):
            odd = self.odd(left)
            if odd is None or odd.kind not in (WIN, BLANK) or (wins and odd.kind == WIN):
                raise Doubt
            if odd.kind == WIN:
                wins, side = odd, self.first + left & 1
        if wins is None or side != (side if winner is None else winner):
            raise Doubt
        worth, rest = divmod(wins.value, self.cube)
        if rest or worth != (kind or worth) or not 1 <= worth <= 3:
            raise Doubt
        if wins.match and wins.value < self.away[side]:
            raise Doubt
        plies = place - 2 * self.doubles
        return CleanGame(side, wins.value, worth, how, self.cube, self.crawford, plies)

    def kind(self, winner: int, last: int) -> int:
        """Return 1, 2 or 3: a single game, a gammon, a backgammon (R41-R43)."""
        loser = winner ^ 1
        if last >> at(loser, 0) & 15 > 1:
            return 1
        return 3 if last & FAR[loser] else 2


def compiled(first: int, texts: list[str]) -> tuple[list[int], list[int]]:
    """Return what each cell adds and its mask; raise KeyError if one is not in the plain spelling."""
    steps, masks = [0] * len(texts), [0] * len(texts)
    for start in (0, 1):
        column = COLUMNS[first + start & 1]
        mine = texts[start::2]
        steps[start::2] = map(column.__getitem__, mine)
        masks[start::2] = map(column.masks.__getitem__, mine)
    return steps, masks


def packed(board: int, side: int) -> int:
    """Return the position as *side* sees it."""
    position = (board & WHITES) + (board >> HIGH << 4) - NOTHING_OFF
    return turned(position) if side else position
