"""Penalty points for lateness: on the match's row, on its board if there is one, and their consequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from draw.event import Kind
from engine.side import Side
from matches.models import JournalEntry, Match
from matches.play import penalties
from matches.state.status import ENDED
from matches.state.status import Status as MatchStatus
from tournaments import hooks
from tournaments.base.errors import NotOpen
from tournaments.models import Pairing
from tournaments.play import boards, claims, progress, timing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tournaments.models import Tournament

SIDES: Final[Mapping[str, Side]] = {"a": Side.WHITE, "b": Side.BLACK}


def set_penalty(event: Tournament, row: Pairing, side: str, points: int, *, now: datetime) -> None:
    """Set the penalty points of one side of an open match.

    Points worth the whole match end it, with or without a board.

    :raises NotOpen: the match is over on its board.
    """
    had = _get_penalty(row, side)
    setattr(row, f"{side}_late", points)
    row.due_at = timing.find_next_due(event, row)
    row.save(update_fields=[f"{side}_late", "due_at"])
    if row.match_id is not None:
        _fine_on_board(row, side, points - had, now=now)
    elif points >= row.length:
        winner_id = row.b_id if side == "a" else row.a_id
        progress.store_result(row, Kind.FORFEIT, winner_id=winner_id, now=now)


def has_ended(row: Pairing) -> bool:
    """True if the match is over on its board, even if the event has not followed yet."""
    return row.match_id is not None and Match.objects.filter(pk=row.match_id, status__in=list(ENDED)).exists()


def _fine_on_board(row: Pairing, side: str, points: int, *, now: datetime) -> None:
    if points > 0 and has_ended(row):
        raise NotOpen
    match = penalties.apply_penalty(match_id=row.match_id or 0, side=SIDES[side], points=points, now=now)
    if match.status == MatchStatus.FINISHED:
        kind, winner_id, score = boards.compute_ending(row, match)
        progress.store_result(row, kind, winner_id=winner_id, score=score, now=now)
        row.match_head = match.head
        row.save(update_fields=["match_head"])


def adjust_boards(change: Mapping[str, Any], *, now: datetime) -> None:
    """Adjust penalty points on boards to the rows, after an act was undone.

    *change* is the `snapshots.compute_difference` of the act.
    """
    for pk, (old, new) in change.get("pairings", {}).get("changed", {}).items():
        match_id = Pairing.objects.filter(pk=int(pk)).values_list("match_id", flat=True).first()
        for side in SIDES:
            points = old[f"{side}_late"] - new[f"{side}_late"]
            if points and match_id is not None:
                penalties.apply_penalty(match_id=match_id, side=SIDES[side], points=points, now=now)


def check_in_seated(row: Pairing, *, now: datetime) -> None:
    """Check in players who have sat down at the board, keep a score sheet or have reported: they are not late."""
    for side in _list_seated(row):
        column = f"{side}_here_at"
        if getattr(row, column) is None:
            setattr(row, column, now)


def _list_seated(row: Pairing) -> list[str]:
    """List the sides that have begun to play; at a table a sign of one is a sign of both."""
    if row.match_id is not None:
        return [side for side, colour in SIDES.items() if _has_sat_down(row.match_id, colour)]
    has_begun = hooks.SCORE_SHEETS.get().is_kept(row) or claims.list_open_reports(row)
    return list(SIDES) if has_begun else []


def _has_sat_down(match_id: int, colour: Side) -> bool:
    return JournalEntry.objects.filter(match=match_id, by=colour.word).exists()


def _get_penalty(row: Pairing, side: str) -> int:
    return row.a_late if side == "a" else row.b_late
