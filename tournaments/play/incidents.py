"""Matches decided without play; calls, arrivals and penalties for lateness."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction

from draw.event import WON, Kind
from tournaments.base import formats
from tournaments.base.errors import NotYourMatch, TooEarlyToCome, UnknownEntrant
from tournaments.models import Pairing, RulingKind
from tournaments.play import (
    appointments,
    changes,
    claims,
    lateness,
    progress,
    results,
    running_event,
    table_play,
    timing,
)

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament


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
        winner_id = None
        if kind in WON:
            winner_id = row.b_id if _get_side(row, loser) == "a" else row.a_id
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
        data = {"key": key, "entry": entry, "points": points}
        with running_event.perform_act(event, RulingKind.PENALISED, by=by, now=now, reason=reason, data=data):
            lateness.set_penalty(event, row, side, points, now=now)
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
            row.due_at = timing.find_next_due(event, row)
            row.save(update_fields=[column, "due_at"])
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
    """Store a result without play, in an event that the caller has locked."""
    claims.require_open(row)
    data = {"key": row.key, "winner": claims.find_number(row, winner_id), **appointments.build_evidence(row)}
    with running_event.perform_act(event, ACTS[kind], by=by, now=now, reason=reason, data=data):
        progress.store_result(row, kind, winner_id=winner_id, now=now)
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
