"""Serialize a match for one viewer: lists, snapshots, responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.fair import Party
from matches.journal import live
from matches.play import options
from matches.state import clock_words
from matches.state.rule_words import capped

if TYPE_CHECKING:
    from datetime import datetime

    from engine.side import Side
    from matches.models import Match
    from matches.play.play import Answer
    from matches.state.match_state import MatchState
    from players.models import Player


def line(row: Match) -> dict[str, Any]:
    """Serialize a match for a list."""
    return {
        "uid": str(row.uid),
        "key": row.key,
        "players": {"white": person(row.white), "black": person(row.black)},
        "club": row.club.slug if row.club else None,
        "length": row.length,
        "clock": row.terms.get("clock", ""),
        "clock_words": clock_words.said_terms(row.terms),
        "rated": row.is_rated,
        "private": row.is_private,
        "status": row.status,
        "score": list(capped((row.white_score, row.black_score), row.length)),
        "winner": row.winner or None,
        "due": row.due or None,
        "head": row.head,
        "created_at": _time(row.created_at),
        "moved_at": _time(row.moved_at),
        "deadline_at": _time(row.deadline_at),
        "finished_at": _time(row.finished_at),
    }


def person(player: Player) -> dict[str, str]:
    """Serialize a player for the public."""
    return {"key": player.key, "name": player.public_name}


def whole(row: Match, state: MatchState, side: Side | None) -> dict[str, Any]:
    """Serialize everything about a match for a viewer on *side*, or None for spectators."""
    return {
        "uid": str(row.uid),
        "key": row.key,
        "players": {"white": person(row.white), "black": person(row.black)},
        "club": row.club.slug if row.club else None,
        "rated": row.is_rated,
        "private": row.is_private,
        "created_at": _time(row.created_at),
        "waits_until": _time(row.waits_until),
        "terms": row.terms,
        "snapshot": live.snapshot(state),
        "you": None if side is None else you(state, side) | {"shares": _deposited(row, state, side)},
        "plays": mine(state, side),
        "turn": my_turn(state, side),
    }


def answer(found: Answer, *, with_turn: bool = False) -> dict[str, Any]:
    """Serialize the result of a command; the same for each repetition."""
    told = {
        "head": found.state.head,
        "frames": [live.frame(step.line, step.before, step.after) for step in found.steps],
        "you": you(found.state, found.side),
        "plays": mine(found.state, found.side),
    }
    return told | {"turn": my_turn(found.state, found.side)} if with_turn else told


def you(state: MatchState, side: Side) -> dict[str, Any]:
    """Return the options of a player now."""
    return options.of(state, side)


def mine(state: MatchState, side: Side | None) -> list[dict[str, Any]] | None:
    """Return the legal plays if *side* has to choose one."""
    return options.plays(state) if side is not None and state.owing == (side,) else None


def my_turn(state: MatchState, side: Side | None) -> list[list[list[int]]] | None:
    """Return the graph of partial turns of these plays, for moving checker by checker."""
    return options.turn(state) if side is not None and state.owing == (side,) else None


def _deposited(row: Match, state: MatchState, side: Side) -> list[int]:
    given = row.deposits.get(Party.of(side).value, {})
    return sorted(number for number in map(int, given) if number >= state.dicing.next)


def _time(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat().replace("+00:00", "Z")
