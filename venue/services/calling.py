"""A match at a table: called there by a director, and gone from there when it is over.

The event's row is held first, then the table's (ADR 6). The database has the last word on who sits where: of two events that
call one player at once, one is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from runtime import prepared_exists
from tournaments.models import Stand
from tournaments.services import changes, incidents
from tournaments.status import Status
from venue.errors import PlayerBusy, TableBroken, TableTaken
from venue.models import Assignment, Chair, Table, TableState

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import Player, User
    from tournaments.models import Pairing, Tournament


def call(*, table: Table, event: Tournament, key: str, by: User, now: datetime) -> Assignment:
    """Call a match of the club to a table; one that is at another table moves. Lateness runs from now.

    A held table is called to by hand alone: that is what it is held for.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands: as `incidents.call`.
    :raises TableBroken, TableTaken, PlayerBusy: nothing changes.
    """
    changes.require_director(table.room.club, by)
    with transaction.atomic():
        pairing = incidents.call(tournament_id=event.pk, key=key, by=by, now=now, table=table.label)
        found = Table.objects.select_for_update(no_key=True).get(pk=table.pk)
        if found.state == TableState.BROKEN:
            raise TableBroken(label=found.label)
        end(Assignment.objects.filter(pairing=pairing), now=now)
        if Assignment.objects.filter(table=found, ended_at__isnull=True).exists():
            raise TableTaken(label=found.label)
        players = _players(pairing)
        _require_free(players)
        try:
            with transaction.atomic():
                made = Assignment.objects.create(table=found, pairing=pairing, called_by=by, called_at=now)
                # In one order everywhere, so that two calls cannot each wait for the other.
                Chair.objects.bulk_create(Chair(assignment=made, player=player) for player in players)
        except IntegrityError:
            # Somebody called one of them elsewhere and had not committed when we looked.
            _require_free(players)
            raise TableTaken(label=found.label) from None
        _note_who_is_here(made)
        return made


def follow(event: Tournament, *, now: datetime) -> None:
    """Free the tables of matches that are over, or whose players are others now; note who has come."""
    if not prepared_exists.is_there(_open, event.pk):
        return
    for each in _open(event.pk).select_related("pairing__a__player", "pairing__b__player").order_by("pk"):
        # Entries move to the other player of a merge before chairs do.
        sit = {
            chair.player.merged_into_id or chair.player_id for chair in each.chairs.select_related("player")
        }
        is_over = event.status != Status.RUNNING or each.pairing.state != Stand.READY
        if is_over or sit != {player.pk for player in _players(each.pairing)}:
            end(Assignment.objects.filter(pk=each.pk), now=now)
        else:
            _note_who_is_here(each)


def _open(event: Any) -> QuerySet[Assignment]:
    return Assignment.objects.filter(pairing__tournament_id=event, ended_at__isnull=True)


def end(assignments: Iterable[Assignment], *, now: datetime) -> None:
    """Free tables, and whoever sits at them."""
    pks = [each.pk for each in assignments if each.ended_at is None]
    Chair.objects.filter(assignment__in=pks, ended_at__isnull=True).update(ended_at=now)
    Assignment.objects.filter(pk__in=pks).update(ended_at=now)


def unite(*, kept: Player, dropped: Player, now: datetime) -> list[int]:
    """Let a player sit where the one sat who is the same; where both sit now, they keep the one place."""
    theirs = Chair.objects.filter(player=dropped)
    if Chair.objects.filter(player=kept, ended_at__isnull=True).exists():
        theirs.filter(ended_at__isnull=True).update(ended_at=now)
    moved = list(theirs.order_by("pk").values_list("pk", flat=True))
    theirs.update(player=kept)
    return moved


def _note_who_is_here(assignment: Assignment) -> None:
    """Take over from the match who has come; it is played from when both are there."""
    pairing = assignment.pairing
    here = {
        entry.player_id: at
        for entry, at in ((pairing.a, pairing.a_here_at), (pairing.b, pairing.b_here_at))
        if entry is not None
    }
    for player, at in here.items():
        assignment.chairs.filter(player=player).filter(~Q(here_at=at)).update(here_at=at)
    times = [at for at in here.values() if at is not None]
    started = max(assignment.called_at, *times) if len(times) == len(here) else None
    Assignment.objects.filter(pk=assignment.pk).update(started_at=started)


def _players(pairing: Pairing) -> list[Player]:
    seated = [entry.player for entry in (pairing.a, pairing.b) if entry is not None]
    return sorted(seated, key=lambda player: player.pk)


def _require_free(players: list[Player]) -> None:
    busy = Chair.objects.filter(player__in=players, ended_at__isnull=True)
    if chair := busy.select_related("player", "assignment__table").order_by("pk").first():
        raise PlayerBusy(name=chair.player.public_name, label=chair.assignment.table)
