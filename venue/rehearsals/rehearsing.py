"""Rehearsals: copies of events that are played to a goal and then deleted (ADR 126).

The copy goes through the same services as any event. It belongs to a temporary, hidden club with its own
guests and room, so that its results cause no notifications and change no ratings.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.clubs import clubs
from players.keys import new_key
from players.models import Club, Membership, Player, User
from runtime.work import failures, sweeps
from tournaments.base import event_lines
from tournaments.base.errors import NotDirector
from tournaments.models import Entry, Pairing, Tournament
from tournaments.plan import planning, setup
from tournaments.play import capacity, changes, table_play
from tournaments.status import Status
from venue.errors import NothingToRehearse, TooFewToRehearse
from venue.models import EventRoom, Goal, Rehearsal, Room, Table
from venue.rehearsals import rehearsal_play

LASTS: Final = timedelta(hours=24)
MOST_PLAYERS: Final = 128
SLOWEST: Final = 60
OPEN: Final = (Status.DRAFT, Status.PUBLISHED, Status.RUNNING)
OF_CLUB: Final = ("name", "city", "country", "time_zone", "felt", "language", "approves_orders", "name_style")
OF_ENTRY: Final = ("number", "waits", "rating", "club", "family", "seed", "pot", "asked")
# Deletions per sweep.
SOME: Final = 10


def start(*, tournament_id: int, by: User, now: datetime, players: int = 0) -> Rehearsal:
    """Copy an event in its state before the draw, or return its rehearsal if there is one.

    The copy is filled up to *players* with made-up players.

    :raises NotDirector, NothingToRehearse, TooFewToRehearse: nothing is copied.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        there = Rehearsal.objects.filter(of=event).select_related("event__club").first()
        if there is not None:
            return there
        plan = planning.load_plan(event, as_drawn=True)
        if plan is None or event.club.rehearses_id is not None or Status(event.status) not in OPEN:
            raise NothingToRehearse
        entries = list(Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).order_by("number"))
        most = min(MOST_PLAYERS, capacity.find_most_players(event))
        wanted = min(players, most, event.capacity or most)
        playing = sum(not entry.waits for entry in entries)
        if max(playing, wanted) < 2:
            raise TooFewToRehearse
        club = _create_stand_in(event.club, now=now)
        made = setup.announce(
            club=club, by=by, key=new_key(), details=setup.build_details(event), now=now, plan=plan
        )
        made.apart = event.apart
        made.save(update_fields=["apart"])
        _copy_entries(made, entries, more=max(0, wanted - playing), by=by, now=now)
        _copy_room(made, event, by=by, now=now)
        return Rehearsal.objects.create(
            event=made, of=event, seed=token_hex(16), made_at=now, expires_at=now + LASTS
        )


def play(*, tournament_id: int, goal: Goal, by: User, now: datetime, pace: int = 0) -> Rehearsal:
    """Play a rehearsal to a goal, at once or with *pace* seconds between two results.

    :raises NotDirector, Rehearsal.DoesNotExist: nothing is played.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        row = Rehearsal.objects.select_for_update().get(event=event)
        row.goal, row.pace, row.by, row.next_at = goal, min(pace, SLOWEST), by, now
        row.keys = rehearsal_play.list_open_keys(event) if goal is Goal.ROUND else []
        row.save(update_fields=["goal", "pace", "by", "next_at", "keys"])
    rehearsal_play.continue_rehearsal(row, now=now)
    return row


def stop(*, tournament_id: int, by: User) -> None:
    """Stop a rehearsal from playing.

    :raises NotDirector: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        Rehearsal.objects.filter(event=event).update(next_at=None)


def discard(*, tournament_id: int, by: User) -> None:
    """Delete a rehearsal with all its results.

    :raises NotDirector, Rehearsal.DoesNotExist: nothing is deleted.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        _delete_rehearsal(Rehearsal.objects.get(event=event))


def query_due(at: Any) -> Iterator[QuerySet[Rehearsal]]:
    """Select the rehearsals with a next result due, and those that have expired, by indexed columns."""
    yield Rehearsal.objects.filter(next_at__lte=at)
    yield Rehearsal.objects.filter(expires_at__lte=at)


def sweep(now: datetime) -> int:
    """Continue rehearsals that play at a pace, and delete expired ones."""
    due, over = query_due(now)
    found = due.select_related("by").order_by("next_at", "pk")[:SOME]
    late = over.order_by("expires_at", "pk").values_list("event", flat=True)[:SOME]
    return failures.process_each(
        "venue.rehearsals",
        found,
        lambda row: _continue_rehearsal(row, now=now),
        key=lambda row: row.event_id,
        now=now,
        seconds=sweeps.SLICE,
    ) + failures.process_each("venue.rehearsals", late, _delete_expired, now=now, seconds=sweeps.SLICE)


def _continue_rehearsal(row: Rehearsal, *, now: datetime) -> bool:
    try:
        rehearsal_play.continue_rehearsal(row, now=now, seconds=sweeps.SLICE)
    except NotDirector:
        Rehearsal.objects.filter(pk=row.pk).update(next_at=None)
    return True


def _delete_expired(event: int) -> bool:
    with transaction.atomic():
        changes.lock_event(event)
        gone = Rehearsal.objects.filter(event=event).first()
        if gone is not None:
            _delete_rehearsal(gone)
    return True


def _create_stand_in(club: Club, *, now: datetime) -> Club:
    values = {name: getattr(club, name) for name in OF_CLUB}
    return Club.every.create(**values, slug=f"rehearsal-{token_hex(8)}", rehearses=club, created_at=now)


def _copy_entries(made: Tournament, entries: list[Entry], *, more: int, by: User, now: datetime) -> None:
    people = {player.pk: player for player in Player.objects.filter(entries__in=entries)}
    names = [event_lines.format_player_name(people[entry.player_id]) for entry in entries]
    names += [_("Player %(number)d") % {"number": at} for at in range(1, more + 1)]
    guests = [Player(name=name, hidden_from_search=True) for name in names]
    clubs.add_guests(club=made.club, guests=guests, by=by, now=now)
    last = max((entry.number for entry in entries), default=0)
    rows = [
        Entry(
            tournament=made,
            player=guest,
            entered_at=now,
            checked_in_at=now if entry.checked_in_at else None,
            **{name: getattr(entry, name) for name in OF_ENTRY},
        )
        for guest, entry in zip(guests, entries, strict=False)
    ]
    rows += [
        Entry(tournament=made, player=guest, entered_at=now, number=last + at)
        for at, guest in enumerate(guests[len(entries) :], 1)
    ]
    Entry.objects.bulk_create(rows)


def _copy_room(made: Tournament, event: Tournament, *, by: User, now: datetime) -> None:
    """Copy the room with its tables, so that the club's own tables are not used."""
    used = EventRoom.objects.filter(event=event).select_related("room").first()
    if used is None:
        return
    room = Room.objects.create(club=made.club, name=used.room.name, created_by=by, created_at=now)
    Table.objects.bulk_create(
        Table(room=room, label=each.label, position=each.position, state=each.state, tags=each.tags)
        for each in used.room.tables.order_by("position")
    )
    EventRoom.objects.create(event=made, room=room, mode=used.mode)
    table_play.set_wait_for_calls(made, waits=True, now=now)


def _delete_rehearsal(row: Rehearsal) -> None:
    event = Tournament.objects.select_related("club").get(pk=row.event_id)
    club = event.club
    if club.rehearses_id is None:  # pragma: no cover - only the copy is ever thrown away
        raise NothingToRehearse
    # Delete the protecting rows first.
    Pairing.objects.filter(tournament=event).delete()
    event.delete()
    guests = list(Membership.objects.filter(club=club).values_list("player", flat=True))
    Player.objects.filter(pk__in=guests, user__isnull=True).delete()
    club.delete()
