"""Penalty points for lateness: on the match's row, on its board or score sheet, and their consequences."""

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
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Tournament

SIDES: Final[Mapping[str, Side]] = {"a": Side.WHITE, "b": Side.BLACK}


def set_penalty(event: Tournament, row: Pairing, side: str, points: int, *, now: datetime) -> None:
    """Set the penalty points of one side of an open match.

    Points worth the whole match end it, with or without a board, and so do the last points of one that is kept
    on a score sheet.

    :raises NotOpen: the match is over on its board.
    """
    had = row.a_late if side == "a" else row.b_late
    was_over = row.is_over_on_sheet
    setattr(row, f"{side}_late", points)
    row.due_at = timing.find_next_due(event, row)
    row.save(update_fields=[f"{side}_late", "due_at"])
    if row.match_id is not None:
        _fine_on_board(row, side, points - had, now=now)
        return
    winner_id = row.b_id if side == "a" else row.a_id
    if points >= row.length:
        progress.store_result(row, Kind.FORFEIT, winner_id=winner_id, now=now)
    elif row.is_over_on_sheet and not was_over:
        score, games = row.sheet_score, hooks.SCORE_SHEETS.get().list_games(row)
        progress.store_result(row, Kind.PLAYED, winner_id=winner_id, score=score, games=games, now=now)


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


def check_in_seated(rows: Sequence[Pairing], *, now: datetime) -> None:
    """Check in players who have sat down at the board, keep a score sheet or have reported: they are not late.

    At a table a sign of one is a sign of both.
    """
    on_boards = JournalEntry.objects.filter(
        match__in=[row.match_id for row in rows if row.match_id is not None]
    )
    by_side = set(on_boards.order_by().values_list("match", "by").distinct())
    at_tables = [row for row in rows if row.match_id is None]
    begun = hooks.SCORE_SHEETS.get().list_kept(at_tables) | claims.list_reported(at_tables)
    for row in rows:
        for side, colour in SIDES.items():
            is_here = row.pk in begun if row.match_id is None else (row.match_id, colour.word) in by_side
            if is_here and getattr(row, f"{side}_here_at") is None:
                setattr(row, f"{side}_here_at", now)
