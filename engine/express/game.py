"""One game of a plain sheet: its cells are played in turn, and only oddities are examined.

A play that uses every die is legal if each step is: nothing else could use more. So one addition makes the
board after it and one AND says whether it stands (`engine.express.cells`). What that leaves over has a handler each:
the cube, the end, a hit without a mark. Plays that use fewer dice are compared with the list of legal ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.express.cells import (
    BLANK,
    DANCE,
    DOUBLE,
    DROP,
    FULL,
    NOTHING,
    SHORT,
    SIDES,
    TAKE,
    WIN,
    Cell,
    More,
    board,
)
from engine.movegen import results
from engine.strokes import BLOTS, GONE, SHUT, WAITING, at, seen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_STANDARD: Final = {24: 2, 13: 5, 8: 3, 6: 5}
START: Final = board(_STANDARD, _STANDARD)
# Those in the other's home or on the bar.
FAR: Final = tuple(sum(0x0F << at(side, point) for point in range(19, 26)) for side in SIDES)


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


class PlainGame:
    """One game under way: its cells in turn, and the board as it stands."""

    __slots__ = ("away", "board", "cells", "crawford", "cube", "doubles", "marked", "number", "owner")

    def __init__(self, cells: list[Cell], away: tuple[int, int], *, crawford: bool, marked: bool) -> None:
        self.cells = iter(cells)
        self.number = len(cells)
        self.away = away
        self.crawford = crawford
        # Are hits marked here? Writers mark all or none; anything between is for the referee.
        self.marked = marked
        self.board = START
        self.cube, self.owner, self.doubles = 1, -1, 0

    def played(self) -> CleanGame:
        """Play the cells in turn; the last ones must say who won."""
        board = self.board
        for step, mask, more in self.cells:
            board += step
            if board & mask:
                if more.shut and board + SHUT & more.shut == more.shut and not board & more.mask:
                    continue  # R23, R29: nobody, or not the next one, can enter
                self.board = board
                ended = HANDLERS[more.kind](self, step, mask, more)
                if ended:
                    return ended
                board = self.board
        raise Doubt

    def moved(self, _: int, mask: int, more: More) -> CleanGame | None:
        """The board after a play is not as it should be: somebody was hit, or has won (R40)."""
        side, fault = more.side, self.board & mask
        if fault == GONE[side]:
            return self.closed(side, "bearoff", kind(side, self.board))
        # One checker was met and goes to the bar (R14, R25).
        if fault & ~BLOTS[side] or self.marked:
            raise Doubt
        self.board += fault.bit_count() * WAITING[side ^ 1] - fault
        return None

    def short(self, step: int, _: int, more: More) -> CleanGame | None:
        """A play that leaves dice must be one of the legal ones (R19-R22)."""
        used, found = legal(self.board - step, more)
        ended = self.moved(step, more.mask, more) if self.board & more.mask else None
        if more.value != used or seen(self.board, 1, more.side) not in found:
            raise Doubt
        return ended

    def danced(self, _: int, __: int, more: More) -> CleanGame | None:
        """Nothing was played: a dance (R23), or a roll after which somebody resigned."""
        used, found = legal(self.board, more)
        if not used:
            return None
        if len(found) == 1:
            raise Doubt  # a single play may have been forgotten
        # The record gives the game to the other side, or it does not say plainly who resigned.
        return self.closed(more.side ^ 1)

    def doubled(self, _: int, __: int, more: More) -> CleanGame | None:
        """A double by who may, to the next value, that is not idle, with its answer in the next cell."""
        side = more.side
        answer = next(self.cells, NOTHING)[2].kind
        if self.crawford or more.value != self.cube * 2 or self.owner not in (-1, side):
            raise Doubt
        if answer not in (TAKE, DROP) or self.cube >= self.away[side]:
            raise Doubt
        self.doubles += 1
        if answer == DROP:
            return self.closed(side, "drop", 1)
        self.cube, self.owner = more.value, side ^ 1
        return None

    def given(self, _: int, __: int, more: More) -> CleanGame:
        """Nobody plays any more."""
        return self.closed(None, seen=(more,))

    def misplaced(self, _: int, __: int, more: More) -> CleanGame:
        """An answer that nobody asked for."""
        raise Doubt

    def closed(
        self, winner: int | None, how: str = "resign", kind: int | None = None, seen: tuple[More, ...] = ()
    ) -> CleanGame:
        """Return the game, of which nothing may be left, seen or not, but the cell that says who won."""
        left = [*seen, *[more for _, _, more in self.cells]]
        said = [more for more in left if more.kind != BLANK]
        if len(said) != 1:
            raise Doubt
        wins = said[0]
        if wins.kind != WIN or winner not in (None, wins.side):
            raise Doubt
        worth, rest = divmod(wins.value, self.cube)
        if rest or worth != (kind or worth) or not 1 <= worth <= 3:
            raise Doubt
        if wins.match and wins.value < self.away[wins.side]:
            raise Doubt
        plies = self.number - len(left) - 2 * self.doubles
        return CleanGame(wins.side, wins.value, worth, how, self.cube, self.crawford, plies)


HANDLERS: Final[dict[int, Callable[[PlainGame, int, int, More], CleanGame | None]]] = {
    FULL: PlainGame.moved,
    SHORT: PlainGame.short,
    DANCE: PlainGame.danced,
    DOUBLE: PlainGame.doubled,
    TAKE: PlainGame.misplaced,
    DROP: PlainGame.misplaced,
    WIN: PlainGame.given,
    BLANK: PlainGame.given,
}


def legal(board: int, more: More) -> tuple[int, Collection[int]]:
    """Return how many dice of a roll can be used, and what they lead to (`engine.movegen`)."""
    return results(seen(board, 1, more.side), max(more.dice), min(more.dice))


def kind(winner: int, last: int) -> int:
    """Return 1, 2 or 3: a single game, a gammon, a backgammon (R41-R43)."""
    loser = winner ^ 1
    if last >> at(SIDES[loser], 0) & 15 > 1:
        return 1
    return 3 if last & FAR[loser] else 2
