"""The possible values of a resignation in live play: no more than can still be lost (R69).

The game itself accepts any offer within its rules, since records contain odd ones. Live play checks here
before an offer is made or declined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.board import BAR, HOME

if TYPE_CHECKING:
    from engine.game import Game
    from engine.side import Side

# A checker here or nearer to home cannot end up in the winner's home board unless it is hit.
OUTSIDE: Final = BAR - 1 - HOME


def list_levels(game: Game, loser: Side) -> range:
    """Return the levels that *loser* may offer: 1, 2, 3 times the cube, as far as they can still be lost.

    >>> from engine.game import Game
    >>> from engine.rules import Rules
    >>> from engine.side import BySide, Side
    >>> list(list_levels(Game.start(Rules(length=7), away=BySide(7, 7)), Side.WHITE))
    [1, 2, 3]
    >>> list(list_levels(Game.start(Rules(length=2), away=BySide(2, 2)), Side.WHITE))
    [1, 2]
    """
    return range(1, find_highest_level(game, loser) + 1)


def find_highest_level(game: Game, loser: Side) -> int:
    """Return the most that *loser* can still lose, as a multiple of the cube."""
    most = _find_highest_on_board(game, loser)
    if game.away is None:
        return most
    # A level that ends the match is enough; more would be worth nothing (R55).
    enough = -(-game.away[loser.other] // game.cube.value)
    return max(1, min(most, enough))


def _find_highest_on_board(game: Game, loser: Side) -> int:
    is_idle_cube = game.rules.jacoby and game.cube.owner is None
    if is_idle_cube or game.board.off(loser):  # R41
        return 1
    if game.board.rearmost(loser) <= OUTSIDE and not game.board.has_contact:  # R43
        return min(2, game.rules.worst)
    return game.rules.worst


def is_highest(game: Game) -> bool:
    """True if the pending resignation is for the most that can still be won."""
    return game.resigning is not None and game.level >= find_highest_level(game, game.resigning)
