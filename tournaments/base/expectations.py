"""The state of an event that the client saw, for optimistic locking (ADR 30).

A page sends it in one hidden field, an API client as an object; `play.optimistic_locking` compares it with
the current state. All values are plain JSON values, so that both compare alike.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final, Protocol

from runtime.rows import hash_values
from tournaments.base import seating
from tournaments.base.event_view import EventView, MatchView
from tournaments.models import (
    OPEN_REPORTS,
    STANDING,
    Appointment,
    Draw,
    Entry,
    Pairing,
    Report,
    Round,
    Tournament,
)

Sight = dict[str, Any]

# The players: the state for acts on an open match. The acts check themselves that it is open.
SEATS: Final = ("a", "b", "players")
RESULT: Final = ("kind", "score", "winner")
# The states for correcting a result, and for deciding a dispute.
ENDED: Final = (*SEATS, *RESULT)
CLAIMED: Final = (*SEATS, "reports")
# The state for answering proposals of times.
ARRANGED: Final = (*SEATS, "appointments")
MOST: Final = 40_000


class SeatedPlayer(Protocol):
    """A player on a page: the number of the entry and the key of the player."""

    @property
    def number(self) -> int: ...

    @property
    def key(self) -> str: ...


def serialize_state(sight: Mapping[str, Any]) -> str:
    return json.dumps(sight, separators=(",", ":"))


def parse_state(text: str, needs: Collection[str]) -> Sight | None:
    """Parse a hidden field; None if it is invalid or lacks a part that the act needs."""
    try:
        found = json.loads(text[:MOST])
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not found.keys() >= set(needs):
        return None
    sight = {name: found[name] for name in needs}
    return sight if isinstance(sight.get("people", {}), dict) else None


def build_seats_state(a: SeatedPlayer | None, b: SeatedPlayer | None) -> Sight:
    """Return the `SEATS` part of the state of a match with these players."""
    return {
        "a": a and a.number,
        "b": b and b.number,
        "players": [a and a.key, b and b.key],
    }


def build_view_state(view: EventView, play: MatchView, parts: Collection[str] = SEATS) -> Sight:
    winner = view.who(play.winner_id)
    seats = build_seats_state(view.who(play.a_id), view.who(play.b_id))
    return _build_state(view.event, play, seats | {"winner": winner and winner.number}, parts)


def build_row_state(event: Tournament, row: Pairing, parts: Collection[str]) -> Sight:
    seats: Sight = {
        "a": row.a and row.a.number,
        "b": row.b and row.b.number,
        "players": [row.a and row.a.player.key, row.b and row.b.player.key],
        "winner": row.winner and row.winner.number,
    }
    return _build_state(event, row, seats, parts)


def _build_state(event: Tournament, row: Pairing | MatchView, seats: Sight, parts: Collection[str]) -> Sight:
    has_score = row.score_a is not None and row.score_b is not None
    found = seats | {"kind": row.kind, "score": [row.score_a, row.score_b] if has_score else None}
    if "reports" in parts:
        found["reports"] = _list_open_reports(event, row.key)
    if "appointments" in parts:
        found["appointments"] = list_open_appointments(event, row.key)
    return {name: found.get(name) for name in parts}


def map_entry_players(event: Tournament) -> dict[str, str]:
    rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).order_by("number")
    return {str(number): key for number, key in rows.values_list("number", "player__key")}


def hash_draw(event: Tournament, stage: int) -> str:
    """Hash the draw of a stage; "" without a draw."""
    row = Draw.objects.filter(stage__tournament=event, stage__number=stage).first()
    if row is None:
        return ""
    return hash_values(row.attempt, row.method, row.lines, row.published_at is None)


def hash_draft(event: Tournament, stage: int, number: int) -> str:
    """Hash a drafted round; "" without one."""
    batch = Round.objects.filter(stage__tournament=event, stage__number=stage, number=number).first()
    return "" if batch is None else seating.hash_seats(seating.load_seats(batch))


def list_open_appointments(event: Tournament, key: str) -> list[str]:
    """List the open proposals and appointments of a match as "status uid"."""
    rows = Appointment.objects.filter(pairing__tournament=event, pairing__key=key, status__in=STANDING)
    return [f"{status} {uid}" for uid, status in rows.order_by("pk").values_list("uid", "status")]


def _list_open_reports(event: Tournament, key: str) -> list[list[int]]:
    """List the open reports as [entry, points of a, points of b], or without a score [entry, winner]."""
    rows = Report.objects.filter(pairing__tournament=event, pairing__key=key, status__in=OPEN_REPORTS)
    reports = rows.order_by("by__number").values_list("by__number", "score_a", "score_b", "winner__number")
    return [[by, winner or 0] if a is None or b is None else [by, a, b] for by, a, b, winner in reports]
