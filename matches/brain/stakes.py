"""The value of each result of the current game at this score, for one side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from engine.equity import compute_chance
from engine.match import Crawford

if TYPE_CHECKING:
    from engine.match import Match
    from engine.rules import Rules
    from engine.side import Side


class ResultValues(NamedTuple):
    """The value of a full chance of each result."""

    win: float
    gammon: float
    lost_gammon: float


@dataclass(frozen=True, slots=True)
class Stakes:
    """The value of results to one side: its match winning chance, or points in money play."""

    rules: Rules
    # Points each side still needs; 0 in money play.
    mine: int
    theirs: int
    crawford_played: bool
    # Jacoby: the cube value while a gammon counts as a single game.
    single_at: int = 0

    @classmethod
    def from_match(cls, match: Match, side: Side) -> Stakes:
        """Return the stakes of *side* in the current game."""
        game, away = match.game, match.away
        return cls(
            match.rules,
            away[side] if away else 0,
            away[side.other] if away else 0,
            match.rules.has_cube and match.crawford is not Crawford.AHEAD,
            game.cube.value if match.rules.jacoby and game.cube.owner is None else 0,
        )

    def worth(self, points: int) -> float:
        """Return the value of winning so many points, or of losing them if negative."""
        if not self.rules.is_match:
            return float(points)
        won, lost = max(points, 0), max(-points, 0)
        return compute_chance(self.mine - won, self.theirs - lost, crawford_played=self.crawford_played)

    def levels(self, cube: int) -> int:
        """Return the cube factor of a gammon: 2, or 1 if it counts as a single game."""
        return 1 if cube == self.single_at or not self.rules.gammons else 2

    def is_dead(self, cube: int, *, for_me: bool) -> bool:
        """True if the cube suffices to win the match, so that turning it gains nothing for that side."""
        return self.rules.is_match and cube >= (self.mine if for_me else self.theirs)

    def prices(self, cube: int) -> ResultValues:
        """Return the value of a win over a loss, a gammon over a win, a plain loss over a lost gammon."""
        level = self.levels(cube)
        win, lose = self.worth(cube), self.worth(-cube)
        return ResultValues(win - lose, self.worth(cube * level) - win, lose - self.worth(-cube * level))
