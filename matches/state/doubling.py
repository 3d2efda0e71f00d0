"""For whom the cube is alive: who may turn it before the next roll, so that knowing the roll would be worth something.

Whether the other side's share of that roll may lie with the server beforehand hangs on it (docs/dice.md).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import Game, Phase
from engine.side import Side

if TYPE_CHECKING:
    from matches.state.match_state import MatchState


def alive_for(state: MatchState) -> tuple[Side, ...]:
    """Return the sides that have something to decide before their next roll, as the cube lies now."""
    # A race that both let play out is rolled and played for them.
    if state.match.is_over or state.plays_itself:
        return ()
    return tuple(side for side in Side if _may_double(state.match.game, side))


def _may_double(game: Game, side: Side) -> bool:
    to_roll = replace(game, phase=Phase.TO_ROLL, turn=side)
    return to_roll.why_no_double is None and not to_roll.is_dead_double
