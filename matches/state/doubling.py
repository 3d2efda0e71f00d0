"""The sides that may double before their next roll, so that knowing the roll would be an advantage.

This decides whether the opponent's share may be deposited on the server before the roll (docs/dice.md).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import Game, Phase
from engine.side import Side

if TYPE_CHECKING:
    from matches.state.match_state import MatchState


def list_doublers(state: MatchState) -> tuple[Side, ...]:
    """Return the sides that may double before their next roll, given the current cube."""
    # A race being played out has no decisions.
    if state.match.is_over or state.plays_itself:
        return ()
    return tuple(side for side in Side if _may_double(state.match.game, side))


def _may_double(game: Game, side: Side) -> bool:
    to_roll = replace(game, phase=Phase.TO_ROLL, turn=side)
    return to_roll.why_no_double is None and not to_roll.is_dead_double
