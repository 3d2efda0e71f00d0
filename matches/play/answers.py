"""Serialize a match for one viewer: snapshots, responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.fair import Party
from matches.journal import live
from matches.play import options, shapes
from runtime.http.answers import ABSENT

if TYPE_CHECKING:
    from engine.side import Side
    from matches.models import Match
    from matches.play.play import CommandResult
    from matches.state.match_state import MatchState


def serialize_match(row: Match, state: MatchState, side: Side | None, **more: Any) -> shapes.WholeMatchAnswer:
    """Serialize everything about a match for a viewer on *side*, or None for spectators."""
    shown = {
        "snapshot": live.build_snapshot(state),
        "you": None if side is None else _build_own_options(row, state, side),
        "plays": list_legal_plays(state, side),
        "turn": build_turn_graph(state, side),
    }
    return shapes.WholeMatchAnswer.read(row, **{**shown, **more})


def serialize_result(found: CommandResult, *, with_turn: bool = False) -> shapes.CommandResultAnswer:
    """Serialize the result of a command; the same for each repetition."""
    return shapes.CommandResultAnswer(
        head=found.state.head,
        frames=found.frames,
        you=options.build_options(found.state, found.side),
        plays=list_legal_plays(found.state, found.side),
        turn=build_turn_graph(found.state, found.side) if with_turn else ABSENT,
    )


def _build_own_options(row: Match, state: MatchState, side: Side) -> shapes.YouInSnapshotAnswer:
    return shapes.YouInSnapshotAnswer(
        **options.build_options(state, side), shares=_list_deposited_rolls(row, state, side)
    )


def list_legal_plays(state: MatchState, side: Side | None) -> list[shapes.PlayAnswer] | None:
    """Return the legal plays if *side* has to choose one."""
    return options.serialize_plays(state) if side is not None and state.owing == (side,) else None


def build_turn_graph(state: MatchState, side: Side | None) -> list[list[list[int]]] | None:
    """Return the graph of partial turns if *side* has to choose a play, for moving checker by checker."""
    return options.serialize_turn(state) if side is not None and state.owing == (side,) else None


def _list_deposited_rolls(row: Match, state: MatchState, side: Side) -> list[int]:
    given = row.deposits.get(Party.from_side(side).value, {})
    return sorted(number for number in map(int, given) if number >= state.dicing.next)
