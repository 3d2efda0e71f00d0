"""Chances of a position of any kind, and prospects of a match for cube decisions: doubles and takes.

The value of a position with a cube lies between two that can be computed: that of a dead cube, which is
never turned again, and that of a live cube, which is always turned exactly at the opponent's take point
(Janowski). Gammon rates are assumed constant in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.board import Board
from engine.match import Match
from engine.packed import LANE
from engine.side import Side
from matches.brain import contact, race
from matches.brain.stakes import Chances, Stakes

# Maximum number of cube turns to look ahead.
DEEPEST: Final = 4
# Cube efficiency in contact positions, and its loss in a race for each roll fewer.
LIFE: Final = 0.68
A_ROLL: Final = 0.2


class EquityPoint(NamedTuple):
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


def estimate_after_play(position: int) -> Chances:
    """Return the chances of the side that has just moved and sees *position* (see `engine.packed`)."""
    mine, theirs = position & LANE, position >> 4 & LANE
    my_rearmost = mine.bit_length() - 1 >> 3
    if my_rearmost <= 0:
        return Chances(1.0, 0.0 if theirs >> 200 else 1.0)
    if my_rearmost < (theirs & -theirs).bit_length() - 1 >> 3:
        return race.estimate_chances(position)
    return contact.estimate_chances(position)


def estimate_before_roll(board: Board, side: Side) -> Chances:
    return estimate_after_play(board.seen_by(side.other)).turned


def compute_prospect_before_roll(match: Match, side: Side) -> Prospect:
    board = match.game.board
    return Prospect(
        Stakes.from_match(match, side),
        estimate_before_roll(board, side),
        _compute_cube_efficiency(board, side),
    )


def compute_waiting_prospect(match: Match, side: Side) -> Prospect:
    """Return the prospect of *side* while the other one rolls next."""
    board = match.game.board
    chances = estimate_after_play(board.seen_by(side))
    return Prospect(Stakes.from_match(match, side), chances, _compute_cube_efficiency(board, side))


def _compute_cube_efficiency(board: Board, side: Side) -> float:
    """Return the cube efficiency; it falls to 0 in the last rolls of a race."""
    if board.has_contact:
        return LIFE
    left = min(race.estimate_rolls(board.seen_by(each) & LANE) for each in (side, side.other))
    return min(max((left - 1) * A_ROLL, 0.0), LIFE)
