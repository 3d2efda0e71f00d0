"""Coming to an event that has begun: late, or in somebody's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max

from players.models import Player
from players.services import clubs
from tournaments.errors import AlreadyDone, HasLeft, NotAMember
from tournaments.models import Act, Entry, Round, RoundStatus
from tournaments.services import acts, changes, entering, imaging

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament

LATE = 2


def let_in(
    *,
    tournament_id: int,
    by: User,
    now: datetime,
    player_key: str = "",
    name: str = "",
    head_start: str = "0",
    reason: str = "",
) -> Entry:
    """Let a latecomer in: he takes a free bye, or is paired from the next round on; nobody else moves (P14).

    :raises NotDirector, WrongStatus, NotAMember, PlayerGone: nobody is let in.
    :raises AlreadyDone: he is in.
    """
    with transaction.atomic():
        event = acts.playing(tournament_id, by)
        player = _player(event, player_key, name, by=by, now=now)
        row = Entry.objects.filter(tournament=event, player=player).first()
        if row is not None and row.left:
            raise HasLeft(name=player.public_name)
        if row is not None and row.withdrawn_at is None:
            raise AlreadyDone
        entry = row or Entry(tournament=event, player=player, number=acts.next_number(event))

        def change() -> None:
            entry.withdrawn_at, entry.waits = None, False
            entry.entered_at = entry.checked_in_at = now
            entry.arrived, entry.head_start = _first_round(event), head_start
            entry.save()

        data = {"entry": entry.number, "player": player.key}
        acts.perform(event, Act.LATE_ENTRY, change, by=by, now=now, reason=reason, data=data)
        return entry


def substitute(
    *,
    tournament_id: int,
    entry: int,
    reason: str,
    by: User,
    now: datetime,
    player_key: str = "",
    name: str = "",
) -> Entry:
    """Put somebody in another's place: what was played stands, and he goes on from there.

    :raises NotDirector, WrongStatus, UnknownEntrant, NotAMember, PlayerGone, ReasonNeeded: nothing changes.
    :raises AlreadyDone: the substitute plays in this event himself.
    """
    with transaction.atomic():
        event = acts.playing(tournament_id, by)
        why = changes.require_reason(reason)
        row = acts.entry_of(event, entry)
        player = _player(event, player_key, name, by=by, now=now)
        if Entry.objects.filter(tournament=event, player=player).exists():
            raise AlreadyDone
        data = {"entry": entry, "out": row.player.key, "in": player.key}
        acts.perform(
            event,
            Act.SUBSTITUTED,
            lambda: imaging.seat_players({row.pk: player.pk}),
            by=by,
            now=now,
            reason=why,
            data=data,
        )
        row.refresh_from_db()
        return row


def _player(event: Tournament, key: str, name: str, *, by: User, now: datetime) -> Player:
    """Return a member of the club by key, or the guest of that name.

    :raises NotAMember, PlayerGone: there is none.
    """
    if not key:
        return guest(event, name, by=by, now=now)
    player = Player.objects.filter(key=key, memberships__club=event.club).first()
    if player is None:
        raise NotAMember
    entering.hold([player])
    return player


def guest(event: Tournament, name: str, *, by: User, now: datetime) -> Player:
    """Return the club's guest of that name, or a new one."""
    trimmed = " ".join(name.split())
    known = (
        Player.objects.filter(
            memberships__club=event.club, user__isnull=True, name__iexact=trimmed, erased_at__isnull=True
        )
        .order_by("pk")
        .first()
    )
    return known or clubs.add_guest(club=event.club, name=trimmed, by=by, now=now)


def _first_round(event: Tournament) -> int:
    """Return the first round a latecomer can play: the one after those that have been made."""
    made = Round.objects.filter(
        stage__tournament=event, stage__takes=[], status=RoundStatus.PUBLISHED
    ).exclude(pairings__opened_at__isnull=True)
    return max(LATE, (made.aggregate(last=Max("number"))["last"] or 0) + 1)
