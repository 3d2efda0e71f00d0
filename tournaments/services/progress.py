"""Who plays: entering and withdrawing, by the players themselves and for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from players.models import Membership, Player
from tournaments.errors import EntriesClosed, EventFull, NotAMember, NotEntered, PlayerGone
from tournaments.models import Entry, Tournament
from tournaments.services import changes
from tournaments.status import ADMITTING, Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from players.models import User


def enter(*, tournament_id: int, user: User, now: datetime) -> Entry:
    """Enter the account's own player. Repeating it changes nothing.

    :raises EntriesClosed: not announced, or begun already.
    :raises NotAMember: the player does not belong to the club.
    :raises EventFull: every place is taken.
    """
    with transaction.atomic():
        event = changes.lock(tournament_id)
        player = Player.objects.get(user=user)
        if event.status != Status.PUBLISHED:
            raise EntriesClosed
        if not Membership.objects.filter(club=event.club, player=player).exists():
            raise NotAMember
        (entry,) = seat(event, [player], now=now)
        return entry


def withdraw(*, tournament_id: int, user: User, now: datetime) -> Entry:
    """Take the account's own player out again. Repeating it changes nothing.

    :raises EntriesClosed: the event has begun: ask the director.
    :raises NotEntered: the player was never in.
    """
    with transaction.atomic():
        event = changes.lock(tournament_id)
        player = Player.objects.get(user=user)
        if event.status != Status.PUBLISHED:
            raise EntriesClosed
        return unseat(event, player, now=now)


def seat(event: Tournament, players: Sequence[Player], *, now: datetime) -> list[Entry]:
    """Enter players into an event that the caller has locked; those who are in stay as they are.

    :raises PlayerGone: one was merged or erased.
    :raises EventFull: there is no place for all of them; nobody is entered.
    """
    _hold(players)
    known = {entry.player_id: entry for entry in Entry.objects.filter(tournament=event, player__in=players)}
    fresh = [player for player in players if player.pk not in known]
    back = [entry for entry in known.values() if entry.withdrawn_at]
    if not fresh and not back:
        return [known[player.pk] for player in players]
    _require_room(event, len(fresh) + len(back))
    for entry in back:
        entry.withdrawn_at, entry.entered_at = None, now
    Entry.objects.bulk_update(back, ["withdrawn_at", "entered_at"])
    made = Entry.objects.bulk_create(
        Entry(tournament=event, player=player, entered_at=now) for player in fresh
    )
    known.update({entry.player_id: entry for entry in made})
    changes.hint(event, now=now)
    return [known[player.pk] for player in players]


def unseat(event: Tournament, player: Player, *, now: datetime) -> Entry:
    """Withdraw a player from an event that the caller has locked.

    :raises NotEntered: the player was never in.
    """
    entry = Entry.objects.filter(tournament=event, player=player).first()
    if entry is None:
        raise NotEntered(name=player.public_name)
    if entry.withdrawn_at is None:
        # A reopened event still shows the places of before; who withdraws has none.
        entry.withdrawn_at, entry.place = now, None
        entry.save(update_fields=["withdrawn_at", "place"])
        changes.hint(event, now=now)
    return entry


def forget(player: Player, *, now: datetime) -> None:
    """Take someone who is leaving for good out of every event that has no result yet."""
    with transaction.atomic():
        open_entries = Entry.objects.filter(
            player=player, withdrawn_at__isnull=True, tournament__status__in=ADMITTING
        )
        for event_id in sorted(open_entries.values_list("tournament_id", flat=True)):
            unseat(changes.lock(event_id), player, now=now)


def entered(event: Tournament) -> int:
    """Count those who are in."""
    return Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).count()


def _hold(players: Sequence[Player]) -> None:
    """Keep the players as they are until we are done: a merge waits, or we see what it did.

    :raises PlayerGone: one was merged or erased.
    """
    held = (
        Player.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=[player.pk for player in players])
        .order_by("pk")
    )
    if any(player.merged_into_id or player.erased_at for player in held):
        raise PlayerGone


def _require_room(event: Tournament, newcomers: int) -> None:
    """Refuse newcomers beyond the limit. Right only under the event's lock: see `changes.lock`."""
    if event.capacity is not None and entered(event) + newcomers > event.capacity:
        raise EventFull(capacity=event.capacity)
