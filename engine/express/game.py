"""One game of a plain sheet: the cells are played in turn, and only irregular ones are examined.

A play that uses every die is legal if each step is: no other play could use more. So one addition gives the
board after it and one AND shows whether it is legal (`engine.express.cells`). The other cases have a handler
each: the cube, the end, an unmarked hit. Plays that use fewer dice are compared with the legal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from engine.board import STANDARD
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
    CellDetails,
)
from engine.movegen import results
from engine.strokes import BLOTS, GONE, SHUT, WAITING, compute_shift, narrow_for_side, widen_position

START: Final = widen_position(STANDARD.position)[0]
# For each side, the mask of its checkers in the opponent's home board or on the bar.
FAR: Final = tuple(sum(0x0F << compute_shift(side, point) for point in range(19, 26)) for side in SIDES)


class CleanGame(NamedTuple):
    """A finished game; ``how`` is ``bearoff``, ``drop`` or ``resign``; ``kind`` is 1, 2 or 3."""

    winner: int
    points: int
    kind: int
    how: str
    cube: int
    crawford: bool
    plies: int


class RefereeRequired(Exception):
    """The referee must examine the file."""


class PlainGame:
    """One game in progress: its cells in turn, and the current board."""

    __slots__ = ("away", "board", "cells", "crawford", "cube", "doubles", "marked", "number", "owner")

    def __init__(self, cells: list[Cell], away: tuple[int, int], *, crawford: bool, marked: bool) -> None:
        self.cells = iter(cells)
        self.number = len(cells)
        self.away = away
        self.crawford = crawford
        # True if hits are marked. Writers mark all or none; anything between is left to the referee.
        self.marked = marked
        self.board = START
        self.cube, self.owner, self.doubles = 1, -1, 0

    def played(self) -> CleanGame:
        """Play the cells in turn; the last ones must name the winner."""
        board = self.board
        for step, mask, more in self.cells:
            board += step
            if board & mask:
                if more.shut and board + SHUT & more.shut == more.shut and not board & more.mask:
                    continue  # R23, R29: no checker, or not the next one, can enter
                self.board = board
                ended = HANDLERS[more.kind](self, step, mask, more)
                if ended:
                    return ended
                board = self.board
        raise RefereeRequired

    def moved(self, _: int, mask: int, more: CellDetails) -> CleanGame | None:
        """Handle a board with bits under the mask after a play: a hit, or a win (R40)."""
        side, fault = more.side, self.board & mask
        if fault == GONE[side]:
            return self.closed(side, "bearoff", compute_kind(side, self.board))
        # An unmarked hit: the blot goes to the bar (R14, R25), unless the file marks hits.
        if fault & ~BLOTS[side] or self.marked:
            raise RefereeRequired
        self.board += fault.bit_count() * WAITING[side ^ 1] - fault
        return None

    def short(self, step: int, _: int, more: CellDetails) -> CleanGame | None:
        """Check that a play that leaves dice is one of the legal ones (R19-R22)."""
        used, found = find_legal_results(self.board - step, more)
        ended = self.moved(step, more.mask, more) if self.board & more.mask else None
        if more.value != used or narrow_for_side(self.board, 1, more.side) not in found:
            raise RefereeRequired
        return ended

    def danced(self, _: int, __: int, more: CellDetails) -> CleanGame | None:
        """Handle a roll without a play: a dance (R23), or a roll before a resignation."""
        used, found = find_legal_results(self.board, more)
        if not used:
            return None
        if len(found) == 1:
            raise RefereeRequired  # a single play may have been omitted
        # The other side must have won, according to the record: else it is unclear which side resigned.
        return self.closed(more.side ^ 1)

    def doubled(self, _: int, __: int, more: CellDetails) -> CleanGame | None:
        """Check a double and its answer in the next cell: right side, next value, and no dead cube."""
        side = more.side
        answer = next(self.cells, NOTHING)[2].kind
        if self.crawford or more.value != self.cube * 2 or self.owner not in (-1, side):
            raise RefereeRequired
        if answer not in (TAKE, DROP) or self.cube >= self.away[side]:
            raise RefereeRequired
        self.doubles += 1
        if answer == DROP:
            return self.closed(side, "drop", 1)
        self.cube, self.owner = more.value, side ^ 1
        return None

    def given(self, _: int, __: int, more: CellDetails) -> CleanGame:
        """Finish a game in which nothing more is played."""
        return self.closed(None, seen=(more,))

    def misplaced(self, _: int, __: int, more: CellDetails) -> CleanGame:
        """Refuse an answer without a double."""
        raise RefereeRequired

    def closed(
        self,
        winner: int | None,
        how: str = "resign",
        kind: int | None = None,
        seen: tuple[CellDetails, ...] = (),
    ) -> CleanGame:
        """Finish the game.

        The remaining cells, and *seen*, must be blank but for the one that names the winner.
        """
        left = [*seen, *[more for _, _, more in self.cells]]
        written = [more for more in left if more.kind != BLANK]
        if len(written) != 1:
            raise RefereeRequired
        wins = written[0]
        if wins.kind != WIN or winner not in (None, wins.side):
            raise RefereeRequired
        worth, rest = divmod(wins.value, self.cube)
        if rest or worth != (kind or worth) or not 1 <= worth <= 3:
            raise RefereeRequired
        if wins.match and wins.value < self.away[wins.side]:
            raise RefereeRequired
        plies = self.number - len(left) - 2 * self.doubles
        return CleanGame(wins.side, wins.value, worth, how, self.cube, self.crawford, plies)


HANDLERS: Final[dict[int, Callable[[PlainGame, int, int, CellDetails], CleanGame | None]]] = {
    FULL: PlainGame.moved,
    SHORT: PlainGame.short,
    DANCE: PlainGame.danced,
    DOUBLE: PlainGame.doubled,
    TAKE: PlainGame.misplaced,
    DROP: PlainGame.misplaced,
    WIN: PlainGame.given,
    BLANK: PlainGame.given,
}


def find_legal_results(board: int, more: CellDetails) -> tuple[int, Collection[int]]:
    """Return the number of dice of a roll that can be used, and the resulting positions."""
    return results(narrow_for_side(board, 1, more.side), max(more.dice), min(more.dice))


def compute_kind(winner: int, last: int) -> int:
    """Return 1, 2 or 3 for a single game, a gammon or a backgammon (R41-R43)."""
    loser = winner ^ 1
    if last >> compute_shift(SIDES[loser], 0) & 15 > 1:
        return 1
    return 3 if last & FAR[loser] else 2
