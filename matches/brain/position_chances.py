"""Chances of a position of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.packed import LANE
from matches.brain import contact, race
from matches.brain.chances import Chances

if TYPE_CHECKING:
    from engine.board import Board
    from engine.side import Side


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
    """Return the chances of *side*, whose roll is next."""
    return estimate_after_play(board.seen_by(side.other)).turned
