"""Chances of a position of any kind, and prospects of a match for cube decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.packed import LANE
from matches.brain import contact, race
from matches.brain.chances import Chances
from matches.brain.cubes import Prospect
from matches.brain.stakes import Stakes

if TYPE_CHECKING:
    from engine.board import Board
    from engine.match import Match
    from engine.side import Side

# Cube efficiency in contact positions, and its loss in a race for each roll fewer.
LIFE: Final = 0.68
A_ROLL: Final = 0.2


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
