"""The legal plays nearest to a written one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.plays import legal_plays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.board import Board
    from engine.dice import Dice
    from engine.plays import Play
    from engine.sheet import Hop
    from engine.side import Side

SHOWN: Final = 3


def find_nearest_plays(board: Board, side: Side, dice: Dice, hops: Sequence[Hop]) -> tuple[str, ...]:
    """Return the notation of up to three legal plays whose results are most similar to that of *hops*.

    >>> from engine.board import STANDARD
    >>> from engine.dice import Dice
    >>> from engine.sheet import Hop
    >>> from engine.side import Side
    >>> find_nearest_plays(STANDARD, Side.WHITE, Dice(3, 1), [Hop((8, 5)), Hop((6, 4))])
    ('8/5 6/5', '8/4', '24/23 8/5')
    """
    wanted = list(board.points(side))
    for hop in hops:
        wanted[hop.points[0]] -= hop.times
        wanted[hop.points[-1]] += hop.times

    def compute_distance(play: Play) -> int:
        return sum(abs(a - b) for a, b in zip(wanted, play.board.points(side), strict=True))

    near = sorted(legal_plays(board, side, dice), key=compute_distance)
    return tuple(play.notation for play in near[:SHOWN] if play.steps)
