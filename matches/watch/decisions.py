"""A position in which a side decides, as the script of a board reads it (`static/js/board/decision.js`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.turns import ways_through
from matches.journal import replays

if TYPE_CHECKING:
    from engine.situation import Situation


def describe_decision(situation: Situation) -> dict[str, Any]:
    """Return the position and the legal ways to play its roll, None where the decision is about the cube."""
    side, dice = situation.actor, situation.dice
    return {
        "position": replays.position(situation),
        "crawford": situation.crawford,
        "cube": bool(situation.highest),
        "me": side.word,
        "turn": None if dice is None else ways_through(situation.board, side, dice).to_json(),
    }
