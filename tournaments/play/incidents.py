"""Matches decided without play; calls, arrivals and penalties for lateness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import transaction

from draw.event import WON, Kind
from engine.side import Side
from matches.models import JournalEntry, Match
from matches.play import board_acts
from matches.state.status import ENDED
from matches.state.status import Status as MatchStatus
from players.models import User
from tournaments import hooks
from tournaments.base import formats
from tournaments.base.errors import NotOpen, NotYourMatch, TooEarlyToCome, UnknownEntrant
from tournaments.models import Pairing, PairingState, RulingKind, Tournament
from tournaments.play import (
    appointments,
    boards,
    changes,
    claims,
    progress,
    results,
    ruling_notices,
    running_event,
    table_play,
    timing,
)


def _end_unplayed(
    kind: Kind,
    *,
    tournament_id: int,
    key: str,
    by: User,
    now: datetime,
    loser: int | None = None,
    reason: str = "",
) -> Pairing:
    """End a match without play; a *loser* stays in the event.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands, UnknownEntrant: nothing changes.
    :raises ReasonNeeded: a match is declared void without a reason.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        if kind is Kind.VOID:
            changes.require_reason(reason)
        row = results.get_match(event, key)
        claims.require_open(row)
        winner_id = _get_opponent(row, _get_side(row, loser)) if kind in WON else None
        return decide_match(event, row, kind, winner_id, by=by, now=now, reason=reason)


# The player has announced that they will not play.
record_walkover = partial(_end_unplayed, Kind.WALKOVER)
# A loss by rule: lateness, clock, conduct.
record_forfeit = partial(_end_unplayed, Kind.FORFEIT)
# The player never came.
record_no_show = partial(_end_unplayed, Kind.NO_SHOW)
# Both players lose: neither advances.
record_double_forfeit = partial(_end_unplayed, Kind.DOUBLE_FORFEIT)
# The match does not count; in a knock-out it is still to be played.
void_match = partial(_end_unplayed, Kind.VOID)


def penalise_lateness(
    *, tournament_id: int, key: str, entry: int, points: int, by: User, now: datetime, reason: str = ""
) -> Pairing:
    """Set penalty points for lateness: the opponent starts with them, or they are added on the board.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands, UnknownEntrant: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        row = results.get_match(event, key)
        claims.require_open(row)
        side = _get_side(row, entry)
        data = {**claims.identify_match(row), "entry": entry, "points": points}
        with running_event.perform_act(event, RulingKind.PENALISED, by=by, now=now, reason=reason, data=data):
            set_penalty(event, row, side, points, now=now)
        return row


def call_match(*, tournament_id: int, key: str, by: User, now: datetime, table: str | None = None) -> Pairing:
    """Call a match to a table: from now on missing players are late. Without *table* it stays at its own.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        row = results.get_match(event, key)
        claims.require_open(row)
        table_play.record_call(event, row, table=row.table if table is None else table, by=by, now=now)
        changes.announce_change(event, now=now)
        return row


def record_arrival(*, tournament_id: int, key: str, entry: int, by: User, now: datetime) -> Pairing:
    """Record that a player is at the board, as reported by that player or a director.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, UnknownEntrant, NotYourMatch: nothing changes.
    :raises TooEarlyToCome: in a match played over days it is too early to check in.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_event(tournament_id))
        row = results.get_match(event, key)
        claims.require_open(row)
        side = _get_side(row, entry)
        seated = row.a if side == "a" else row.b
        if not by.has_perm("tournaments.direct", event.club):
            if seated is None or seated.player.user_id != by.pk:
                raise NotYourMatch
            times = row.called_at, row.deadline_at, event.club.time_zone
            if formats.is_over_days(row.stage) and not appointments.may_check_in(*times, now=now):
                raise TooEarlyToCome
        column = f"{side}_here_at"
        if getattr(row, column) is None:
            setattr(row, column, now)
            if None not in (row.a_here_at, row.b_here_at):
                table_play.drop_no_show(row)
            row.due_at = timing.find_next_due(event, row)
            row.save(update_fields=[column, "needs_director", "due_at"])
            changes.announce_change(event, now=now)
        return row


def decide_match(
    event: Tournament,
    row: Pairing,
    kind: Kind,
    winner_id: int | None,
    *,
    by: User | None,
    now: datetime,
    reason: str = "",
) -> Pairing:
    """Store a result without play, in an event that the caller has locked; both players are notified."""
    claims.require_open(row)
    data = {
        **claims.identify_match(row),
        "winner": claims.find_number(row, winner_id),
        **appointments.build_evidence(row),
    }
    with running_event.perform_act(event, ACTS[kind], by=by, now=now, reason=reason, data=data) as ruling:
        progress.store_result(row, kind, winner_id=winner_id, now=now)
    row.refresh_from_db()
    ruling_notices.notify_both(event, row, ruling, now=now)
    return row


ACTS = {
    Kind.WALKOVER: RulingKind.WALKOVER,
    Kind.FORFEIT: RulingKind.FORFEIT,
    Kind.NO_SHOW: RulingKind.NO_SHOW,
    Kind.DOUBLE_FORFEIT: RulingKind.DOUBLE_FORFEIT,
    Kind.VOID: RulingKind.VOIDED,
}


def _get_side(row: Pairing, entry: int | None) -> str:
    for side, seated in (("a", row.a), ("b", row.b)):
        if seated is not None and seated.number == entry:
            return side
    raise UnknownEntrant


SIDES: Final[Mapping[str, Side]] = {"a": Side.WHITE, "b": Side.BLACK}


def set_penalty(event: Tournament, row: Pairing, side: str, points: int, *, now: datetime) -> None:
    """Set the penalty points of one side of an open match.

    Points worth the whole match end it, with or without a board, and so do the last points of one that is kept
    on a score sheet.

    :raises NotOpen: the match is over on its board.
    """
    had = row.a_late if side == "a" else row.b_late
    setattr(row, f"{side}_late", points)
    row.due_at = timing.find_next_due(event, row)
    row.save(update_fields=[f"{side}_late", "due_at"])
    if row.match_id is not None:
        if points > had and has_ended(row):
            raise NotOpen
        match = board_acts.apply_penalty(
            match_id=row.match_id, side=SIDES[side], points=points - had, now=now
        )
        if match.status == MatchStatus.FINISHED:
            kind, winner_id, score = boards.compute_ending(row, match)
            progress.store_result(row, kind, winner_id=winner_id, score=score, now=now)
            row.match_head = match.head
            row.save(update_fields=["match_head"])
        return
    if points >= row.length:
        progress.store_result(row, Kind.FORFEIT, winner_id=_get_opponent(row, side), now=now)
    else:
        _end_on_sheet(row, side, had, now=now)


def _end_on_sheet(row: Pairing, side: str, had: int, *, now: datetime) -> None:
    """Store the result of an open match that its score sheet ends by the points of one side, which *had* fewer."""
    points = getattr(row, f"{side}_late")
    setattr(row, f"{side}_late", had)
    was_over = row.is_over_on_sheet
    setattr(row, f"{side}_late", points)
    if row.is_over_on_sheet and not was_over:
        score, games = row.sheet_score, hooks.SCORE_SHEETS.get().list_games(row)
        winner_id = _get_opponent(row, side)
        progress.store_result(row, Kind.PLAYED, winner_id=winner_id, score=score, games=games, now=now)


def _get_opponent(row: Pairing, side: str) -> int | None:
    return row.b_id if side == "a" else row.a_id


def has_ended(row: Pairing) -> bool:
    """True if the match is over on its board, even if the event has not followed yet."""
    return row.match_id is not None and Match.objects.filter(pk=row.match_id, status__in=list(ENDED)).exists()


def follow_restored_penalties(change: Mapping[str, Any], *, now: datetime) -> None:
    """Carry out the penalty points that came back or went when an act was undone: on boards and score sheets.

    *change* is the `snapshots.compute_difference` of the act.
    """
    for pk, (old, new) in change.get("pairings", {}).get("changed", {}).items():
        for side in SIDES:
            points, had = old[f"{side}_late"], new[f"{side}_late"]
            if points == had or (row := Pairing.objects.filter(pk=int(pk)).first()) is None:
                continue
            if row.match_id is not None:
                due = points - had
                board_acts.apply_penalty(match_id=row.match_id, side=SIDES[side], points=due, now=now)
            elif row.state == PairingState.READY and row.opened_at is not None:
                _end_on_sheet(row, side, had, now=now)


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
