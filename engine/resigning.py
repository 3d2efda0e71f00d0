"""What a resignation may be worth in live play: no more than can still be lost (R69).

The game itself takes any offer that is not beyond its rules, since records hold odd ones. Whoever runs a game asks here
before one is made or refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.board import HOME
from engine.step import BAR

if TYPE_CHECKING:
    from engine.game import Game
    from engine.side import Side

# Nobody who stands here or nearer to home can be caught in the winner's home board any more.
OUTSIDE: Final = BAR - 1 - HOME


def levels(game: Game, loser: Side) -> range:
    """Return what *loser* may offer: 1, 2, 3 times the cube, as far as that can still be lost.

    >>> from engine.game import Game
    >>> from engine.rules import Rules
    >>> from engine.side import BySide, Side
    >>> list(levels(Game.start(Rules(length=7), away=BySide(7, 7)), Side.WHITE))
    [1, 2, 3]
    >>> list(levels(Game.start(Rules(length=2), away=BySide(2, 2)), Side.WHITE))
    [1, 2]
    """
    return range(1, highest(game, loser) + 1)


def highest(game: Game, loser: Side) -> int:
    """Return the most that *loser* can still lose, in cubes."""
    most = _on_the_board(game, loser)
    if game.away is None:
        return most
    # What ends the match is enough; more would be worth nothing (R55).
    enough = -(-game.away[loser.other] // game.cube.value)
    return max(1, min(most, enough))


def _on_the_board(game: Game, loser: Side) -> int:
    is_idle_cube = game.rules.jacoby and game.cube.owner is None
    if is_idle_cube or game.board.off(loser):  # R41
        return 1
    if game.board.rearmost(loser) <= OUTSIDE and not game.board.has_contact:  # R43
        return min(2, game.rules.worst)
    return game.rules.worst


def is_highest(game: Game) -> bool:
    """Is the resignation on the table all that can still be won?"""
    return game.resigning is not None and game.level >= highest(game, game.resigning)
