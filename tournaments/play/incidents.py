"""Matches decided without play; calls, arrivals and penalties for lateness."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction

from draw.event import Kind
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


def _record_loss(
    kind: Kind, *, tournament_id: int, key: str, loser: int, by: User, now: datetime, reason: str = ""
) -> Pairing:
    """Record that one player loses a match without play; the player stays in the event.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands, UnknownEntrant: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        row = results.get_match(event, key)
        claims.require_open(row)
        winner_id = row.b_id if _get_side(row, loser) == "a" else row.a_id
        return decide_match(event, row, kind, winner_id, by=by, now=now, reason=reason)


# The player has announced that they will not play.
record_walkover = partial(_record_loss, Kind.WALKOVER)
# A loss by rule: lateness, clock, conduct.
record_forfeit = partial(_record_loss, Kind.FORFEIT)
# The player never came.
record_no_show = partial(_record_loss, Kind.NO_SHOW)


def record_double_forfeit(
    *, tournament_id: int, key: str, by: User, now: datetime, reason: str = ""
) -> Pairing:
    """Record a loss of both players: neither advances.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        row = results.get_match(event, key)
        return decide_match(event, row, Kind.DOUBLE_FORFEIT, None, by=by, now=now, reason=reason)


def void_match(*, tournament_id: int, key: str, reason: str, by: User, now: datetime) -> Pairing:
    """Void an open match; in a knock-out it is still to be played.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands, ReasonNeeded: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        why = changes.require_reason(reason)
        row = results.get_match(event, key)
        return decide_match(event, row, Kind.VOID, None, by=by, now=now, reason=why)


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
        running_event.perform_act(
            event,
            RulingKind.PENALISED,
            lambda: lateness.set_penalty(event, row, side, points, now=now),
            by=by,
            now=now,
            reason=reason,
            data=data,
        )
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
        is_own = seated is not None and seated.player.user_id == by.pk
        if not is_own and not by.has_perm("tournaments.direct", event.club):
            raise NotYourMatch
        if is_own and not by.has_perm("tournaments.direct", event.club):
            _require_may_check_in(event, row, now=now)
        column = f"{side}_here_at"
        if getattr(row, column) is None:
            setattr(row, column, now)
            row.due_at = timing.find_next_due(event, row)
            row.save(update_fields=[column, "due_at"])
            changes.announce_change(event, now=now)
        return row


def _require_may_check_in(event: Tournament, row: Pairing, *, now: datetime) -> None:
    """Require that the time to check in has come, for matches played over days.

    :raises TooEarlyToCome: it is too early.
    """
    if formats.is_over_days(row.stage) and not appointments.may_check_in(
        row.called_at, row.deadline_at, event.club.time_zone, now=now
    ):
        raise TooEarlyToCome


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
    running_event.perform_act(
        event,
        ACTS[kind],
        lambda: progress.store_result(row, kind, winner_id=winner_id, now=now),
        by=by,
        now=now,
        reason=reason,
        data=data,
    )
    return row


ACTS = {
    Kind.WALKOVER: RulingKind.WALKOVER,
    Kind.FORFEIT: RulingKind.FORFEIT,
    Kind.NO_SHOW: RulingKind.NO_SHOW,
    Kind.DOUBLE_FORFEIT: RulingKind.DOUBLE_FORFEIT,
    Kind.VOID: RulingKind.VOIDED,
}


def _get_side(row: Pairing, entry: int) -> str:
    for side, seated in (("a", row.a), ("b", row.b)):
        if seated is not None and seated.number == entry:
            return side
    raise UnknownEntrant
