"""Cube decisions: doubles and takes.

The value of a position with a cube lies between two that can be computed: that of a dead cube, which is
never turned again, and that of a live cube, which is always turned exactly at the opponent's take point
(Janowski). Gammon rates are assumed constant in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from matches.brain.chances import Chances
    from matches.brain.stakes import Stakes

# Maximum number of cube turns to look ahead.
DEEPEST: Final = 4


class EquityPoint(NamedTuple):
    """A winning chance and the value at it."""

    win: float
    worth: float


@dataclass(frozen=True, slots=True)
class Prospect:
    """A position as seen by one side, with the stakes."""

    stakes: Stakes
    chances: Chances
    # Cube efficiency: 0 for a dead cube, 1 for a perfectly live one.
    life: float

    def holding(self, cube: int, *, mine: bool, theirs: bool) -> float:
        """Return the value with the cube at *cube*; *mine* and *theirs* say which sides may turn it."""
        win = self.chances.win
        low = (
            self._compute_take_point(cube)
            if theirs and self._can_gain(cube, for_me=False)
            else self._compute_bottom(cube)
        )
        high = (
            self._compute_cash_point(cube)
            if mine and self._can_gain(cube, for_me=True)
            else self._compute_top(cube)
        )
        dead = _interpolate_value(self._compute_bottom(cube), self._compute_top(cube), win)
        if win < low.win:
            live = _interpolate_value(self._compute_bottom(cube), low, win)
        elif win > high.win:
            live = _interpolate_value(high, self._compute_top(cube), win)
        else:
            live = _interpolate_value(low, high, win)
        return self.life * live + (1 - self.life) * dead

    def won(self, cube: int) -> float:
        plain, win, gammon = self.stakes.worth(cube), self.chances.win, self.chances.gammon
        share = gammon / win if win else 0.0
        return plain + share * (self.stakes.worth(cube * self.stakes.levels(cube)) - plain)

    def lost(self, cube: int) -> float:
        plain, lose, gammon = self.stakes.worth(-cube), 1 - self.chances.win, self.chances.lost_gammon
        share = gammon / lose if lose else 0.0
        return plain + share * (self.stakes.worth(-cube * self.stakes.levels(cube)) - plain)

    def _compute_top(self, cube: int) -> EquityPoint:
        return EquityPoint(1.0, self.won(cube))

    def _compute_bottom(self, cube: int) -> EquityPoint:
        return EquityPoint(0.0, self.lost(cube))

    def _can_gain(self, cube: int, *, for_me: bool) -> bool:
        return not self.stakes.is_dead(cube, for_me=for_me)

    def _compute_take_point(self, cube: int, depth: int = 1) -> EquityPoint:
        """Return my take point and the value of my drop."""
        drop = self.stakes.worth(-cube)
        low, high = self._compute_bottom(2 * cube), self._compute_top(2 * cube)
        if depth < DEEPEST and self._can_gain(2 * cube, for_me=True):
            high = self._compute_cash_point(2 * cube, depth + 1)
        return EquityPoint(_find_chance_at_value(low, high, drop), drop)

    def _compute_cash_point(self, cube: int, depth: int = 1) -> EquityPoint:
        """Return the opponent's take point, as my winning chance, and the value of their drop to me."""
        drop = self.stakes.worth(cube)
        low, high = self._compute_bottom(2 * cube), self._compute_top(2 * cube)
        if depth < DEEPEST and self._can_gain(2 * cube, for_me=False):
            low = self._compute_take_point(2 * cube, depth + 1)
        return EquityPoint(_find_chance_at_value(low, high, drop), drop)


def _interpolate_value(low: EquityPoint, high: EquityPoint, win: float) -> float:
    if high.win <= low.win:
        return low.worth
    return low.worth + (high.worth - low.worth) * (win - low.win) / (high.win - low.win)


def _find_chance_at_value(low: EquityPoint, high: EquityPoint, worth: float) -> float:
    """Return the winning chance at which the line from *low* to *high* has this value, clamped."""
    if high.worth <= low.worth:
        return low.win
    share = (worth - low.worth) / (high.worth - low.worth)
    return low.win + min(max(share, 0.0), 1.0) * (high.win - low.win)
