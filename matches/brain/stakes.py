"""What the game in hand is played for: each result at this score, for one side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from engine.equity import chance
from engine.match import Crawford

if TYPE_CHECKING:
    from engine.match import Match
    from engine.rules import Rules
    from engine.side import Side


class Prices(NamedTuple):
    """What a full chance of each is worth."""

    win: float
    gammon: float
    lost_gammon: float


@dataclass(frozen=True, slots=True)
class Stakes:
    """The worth of results to one side: its chance of the match, or its points where play is unlimited."""

    rules: Rules
    # Points each side still needs; 0 in unlimited play.
    mine: int
    theirs: int
    crawford_played: bool
    # Jacoby: what the cube shows as long as a gammon counts no more than a single game.
    single_at: int = 0

    @classmethod
    def of(cls, match: Match, side: Side) -> Stakes:
        """Return what *side* plays for in the game in hand."""
        game, away = match.game, match.away
        return cls(
            match.rules,
            away[side] if away else 0,
            away[side.other] if away else 0,
            match.rules.has_cube and match.crawford is not Crawford.AHEAD,
            game.cube.value if match.rules.jacoby and game.cube.owner is None else 0,
        )

    def worth(self, points: int) -> float:
        """Return what it is worth to win so many points, or to lose them where they are negative."""
        if not self.rules.is_match:
            return float(points)
        won, lost = max(points, 0), max(-points, 0)
        return chance(self.mine - won, self.theirs - lost, crawford_played=self.crawford_played)

    def levels(self, cube: int) -> int:
        """Return how many times the cube a gammon counts: 2, or 1 where it is no more than a single game."""
        return 1 if cube == self.single_at or not self.rules.gammons else 2

    def is_dead(self, cube: int, *, for_me: bool) -> bool:
        """Does the cube win the match already, so that turning it would win that side no more?"""
        return self.rules.is_match and cube >= (self.mine if for_me else self.theirs)

    def prices(self, cube: int) -> Prices:
        """Return what it is worth to win, to make a gammon of it, and to lose no gammon."""
        level = self.levels(cube)
        win, lose = self.worth(cube), self.worth(-cube)
        return Prices(win - lose, self.worth(cube * level) - win, lose - self.worth(-cube * level))
