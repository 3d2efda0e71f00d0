"""The chances of the results of the current game, and the value of each at this score, for one side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.equity import compute_chance
from engine.match import Crawford, Match
from engine.rules import Rules
from engine.side import Side


class Chances(NamedTuple):
    """Probabilities of a win, of a win by gammon or more, and of a loss by gammon or more.

    Each gammon is also counted in the plain result.

    >>> Chances(0.7, 0.2, 0.1).turned
    Chances(win=0.3, gammon=0.1, lost_gammon=0.2)
    """

    win: float
    gammon: float = 0.0
    lost_gammon: float = 0.0

    @property
    def turned(self) -> Chances:
        return Chances(round(1 - self.win, 12), self.lost_gammon, self.gammon)


class ResultValues(NamedTuple):
    """The value that each result adds, to be multiplied by its probability."""

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
    # Jacoby rule: the cube value at which a gammon counts as a single game; 0: at none.
    single_at: int = 0

    @classmethod
    def from_match(cls, match: Match, side: Side) -> Stakes:
        game, away = match.game, match.away
        return cls(
            match.rules,
            away[side] if away else 0,
            away[side.other] if away else 0,
            match.rules.has_cube and match.crawford is not Crawford.AHEAD,
            game.cube.value if match.rules.jacoby and game.cube.owner is None else 0,
        )

    def worth(self, points: int) -> float:
        """Return the value of winning *points*, or of losing them if negative."""
        if not self.rules.is_match:
            return float(points)
        won, lost = max(points, 0), max(-points, 0)
        return compute_chance(self.mine - won, self.theirs - lost, crawford_played=self.crawford_played)

    def levels(self, cube: int) -> int:
        """Return the cube factor of a gammon: 2, or 1 if it counts as a single game."""
        return 1 if cube == self.single_at or not self.rules.gammons else 2

    def is_dead(self, cube: int, *, for_me: bool) -> bool:
        """True if the cube suffices for that side to win the match, so that turning it gains nothing."""
        return self.rules.is_match and cube >= (self.mine if for_me else self.theirs)

    def prices(self, cube: int) -> ResultValues:
        """Return the differences in value: win and loss, gammon and win, plain loss and lost gammon."""
        level = self.levels(cube)
        win, lose = self.worth(cube), self.worth(-cube)
        return ResultValues(win - lose, self.worth(cube * level) - win, lose - self.worth(-cube * level))
