"""Decisions serialized for the board script (`static/js/board/decision.js`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.turns import build_turn_tree
from matches.journal import replays

if TYPE_CHECKING:
    from engine.situation import Situation


def serialize_decision(situation: Situation) -> dict[str, Any]:
    """Serialize a position with the ways to play its roll, None for cube decisions."""
    side, dice = situation.actor, situation.dice
    return {
        "position": replays.serialize_position(situation),
        "crawford": situation.crawford,
        "cube": bool(situation.highest),
        "me": side.word,
        "turn": None if dice is None else build_turn_tree(situation.board, side, dice).to_json(),
    }
