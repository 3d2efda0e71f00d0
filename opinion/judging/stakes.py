"""What a difference in an engine's numbers is worth in the match: equities are of the cube, chances of the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.equity import chance
from engine.match import Crawford

if TYPE_CHECKING:
    from engine.match import Match
    from engine.side import Side


class Stakes(NamedTuple):
    """A side's chance of the match after it has won, and after it has lost, what the cube shows; in unlimited play points."""

    win: float
    loss: float

    @classmethod
    def of(cls, match: Match, side: Side) -> Stakes:
        """Return what *side* plays for in the game in hand."""
        cube, away = match.game.cube.value, match.away
        if away is None:
            return cls(float(cube), float(-cube))
        # Without the Crawford rule a trailer may double at once, as after the Crawford game.
        played = match.crawford is not Crawford.AHEAD
        mine, theirs = away[side], away[side.other]
        return cls(
            chance(mine - cube, theirs, crawford_played=played),
            chance(mine, theirs - cube, crawford_played=played),
        )

    def cost(self, equity: float) -> float:
        """Return what a difference of *equity* is worth: a part of the match's chance, or points.

        >>> Stakes(0.75, 0.25).cost(0.1)
        0.025
        """
        return equity * (self.win - self.loss) / 2

    def chance(self, equity: float) -> float:
        """Return the chance of the match, or the points, that *equity* stands for.

        >>> Stakes(0.75, 0.25).chance(0.0)
        0.5
        """
        return (self.win + self.loss) / 2 + self.cost(equity)
