"""Players' answers to a call: they are coming, or at the table. Unanswered calls are listed at the desk."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from players.models import User
from tournaments.models import Entry, Pairing
from tournaments.play import changes, incidents
from venue.calls import seats
from venue.calls.calls import TO_BE_SEEN
from venue.errors import NotAtTable
from venue.models import Assignment, Chair


def acknowledge_call(*, uid: UUID, by: User, now: datetime) -> None:
    """Record that a player has seen their call. Idempotent.

    :raises NotAtTable: the call is over, or another player's.
    """
    with transaction.atomic():
        chair = _get_chair(uid, by)
        if Chair.objects.filter(pk=chair.pk, seen_at__isnull=True).update(seen_at=now):
            _notify(chair, now=now)


def record_arrival(*, uid: UUID, by: User, now: datetime) -> None:
    """Record that a player is at their table.

    :raises NotAtTable: the call is over, or another player's.
    :raises WrongStatus, NotOpen: the event is paused, or the match is over.
    """
    with transaction.atomic():
        chair = _get_chair(uid, by)
        pairing = chair.assignment.pairing
        entries = (pairing.a, pairing.b)
        own = next((one for one in entries if one is not None and one.player_id == chair.player_id), None)
        if own is None:
            raise NotAtTable
        # Lock the event before its chairs.
        incidents.record_arrival(
            tournament_id=pairing.tournament_id, key=pairing.key, entry=own.number, by=by, now=now
        )
        Chair.objects.filter(pk=chair.pk, seen_at__isnull=True).update(seen_at=now)
        _notify(chair, now=now)


def record_code_scan(*, row: Pairing, entry: Entry | None, now: datetime) -> None:
    """Record that the code of a match was opened at its table, which answers the call.

    *entry* is the player, if known.
    """
    found = Assignment.objects.filter(pairing=row, ended_at__isnull=True)
    chairs = Chair.objects.filter(assignment__in=found, seen_at__isnull=True)
    own = chairs.filter(player=None if entry is None else entry.player_id)
    if not (found.filter(heard_at__isnull=True).exists() or own.exists()):
        return
    with transaction.atomic():
        # Lock the event before its chairs.
        changes.lock_event(row.tournament_id)
        found.filter(heard_at__isnull=True).update(heard_at=now)
        own.update(seen_at=now)
        for chair in Chair.objects.filter(assignment__in=found).select_related("assignment__table")[:1]:
            _notify(chair, now=now)


def _get_chair(uid: UUID, by: User) -> Chair:
    rows = Chair.objects.select_related(
        "assignment__table", "assignment__pairing__a", "assignment__pairing__b"
    )
    return NotAtTable.raise_if_none(
        rows.filter(assignment__uid=uid, player__user=by, ended_at__isnull=True).first()
    )


def _notify(chair: Chair, *, now: datetime) -> None:
    """Notify the desk and both players' pages."""
    seats.notify_players([chair.assignment], now=now)
    if chair.assignment.table is not None:
        seats.notify_rooms([chair.assignment.table.room_id], now=now)


MOST: Final = 200


def query_due(at: Any) -> Iterator[QuerySet[Assignment]]:
    """Select the calls that have been unanswered for too long, by an indexed column."""
    yield Assignment.objects.filter(
        called_at__lte=at - TO_BE_SEEN, ended_at__isnull=True, started_at__isnull=True, unseen_at__isnull=True
    )


def sweep(now: datetime) -> int:
    """Mark overdue calls as unseen and notify their desks."""
    with transaction.atomic():
        found = next(query_due(now)).order_by("called_at", "pk")
        late = list(found.values_list("pk", "table__room_id")[:MOST])
        unseen = Assignment.objects.filter(pk__in=[pk for pk, _ in late], unseen_at__isnull=True)
        count = unseen.update(unseen_at=now)
        seats.notify_rooms([room for _, room in late], now=now)
    return count
