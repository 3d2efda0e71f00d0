"""Entering and withdrawing, by the players themselves and by directors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypedDict, Unpack

from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _

from players.models import Membership, Player, User
from players.notices.kinds import NoticeKind, Reader
from players.people import people
from tournaments import hooks
from tournaments.base.errors import (
    EntriesClosed,
    EventFull,
    NotAMember,
    NotEntered,
    PlayerGone,
    TooManyPlayers,
    UnknownEntrant,
)
from tournaments.models import LARGEST_CAPACITY, Entry, RulingKind, Tournament
from tournaments.play import capacity, changes, departures
from tournaments.play.changes import HelperActor
from tournaments.status import ADMITTING, BEFORE_START, Status


def enter_own_player(*, tournament_id: int, user: User, now: datetime) -> Entry:
    """Enter the user's own player. Idempotent.

    If the event is full and has a waiting list, the entry waits.

    :raises EntriesClosed: not announced, begun already, or the closing time has passed.
    :raises NotAMember: the player does not belong to the club.
    :raises EventFull: every place is taken.
    :raises TournamentError: an entry condition of another package is not met.
    """
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        player = Player.objects.get(user=user)
        if event.status != Status.PUBLISHED or is_closed(event, now=now):
            raise EntriesClosed
        if not Membership.objects.filter(club=event.club, player=player).exists():
            raise NotAMember
        # Conditions are not checked again for existing entries.
        if not Entry.objects.filter(tournament=event, player=player, withdrawn_at__isnull=True).exists():
            for require in hooks.ENTRY_CONDITIONS:
                require(event, player)
        (entry,) = seat_players(event, [player], now=now).entries
        return entry


def cancel_entry(*, tournament_id: int, user: User, now: datetime) -> Entry:
    """Withdraw the user's own player. Idempotent.

    :raises EntriesClosed: the event is not announced, or has begun.
    :raises NotEntered: the player has never entered.
    """
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        player = Player.objects.get(user=user)
        if event.status != Status.PUBLISHED:
            raise EntriesClosed
        return unseat_player(event, player, now=now)


def is_closed(event: Tournament, *, now: datetime) -> bool:
    """True if players can no longer enter by themselves; they may still withdraw."""
    return event.entries_close_at is not None and event.entries_close_at <= now


@dataclass(frozen=True, slots=True)
class SeatedEntries:
    """The entries of all given players, and the players who were not in the event before."""

    entries: list[Entry]
    new: list[Player]


def seat_players(event: Tournament, players: Sequence[Player], *, now: datetime) -> SeatedEntries:
    """Enter players into an event that the caller has locked; players already in it are not affected.

    If the places do not suffice, the last of *players* go to the waiting list, if the event has one.

    :raises PlayerGone: one was merged or erased.
    :raises EventFull, TooManyPlayers: there are not enough places; no entries are made.
    """
    lock_players(players)
    entries = Entry.objects.filter(tournament=event)
    known = {entry.player_id: entry for entry in entries.filter(player__in=players)}
    fresh = [player for player in players if player.pk not in known]
    back = [entry for entry in known.values() if entry.withdrawn_at]
    new = [player for player in players if player.pk not in known or known[player.pk].withdrawn_at]
    for player in players:
        if player.pk in known:
            known[player.pk].player = player
    if not new:
        return SeatedEntries([known[player.pk] for player in players], new)
    is_in = Q(withdrawn_at__isnull=True)
    counts = entries.aggregate(
        last=Max("number"),
        playing=Count("pk", filter=is_in & Q(waits=False)),
        waiting=Count("pk", filter=is_in & Q(waits=True)),
    )
    room = _count_places(event, len(new), playing=counts["playing"], waiting=counts["waiting"])
    waits = {player.pk: at >= room for at, player in enumerate(new)}
    for entry in back:
        entry.withdrawn_at, entry.entered_at, entry.waits = None, now, waits[entry.player_id]
    Entry.objects.bulk_update(back, ["withdrawn_at", "entered_at", "waits"])
    last = counts["last"] or 0
    made = Entry.objects.bulk_create(
        Entry(tournament=event, player=player, number=last + at, entered_at=now, waits=waits[player.pk])
        for at, player in enumerate(fresh, 1)
    )
    known.update({entry.player_id: entry for entry in made})
    changes.announce_change(event, now=now)
    return SeatedEntries([known[player.pk] for player in players], new)


def unseat_player(event: Tournament, player: Player, *, now: datetime) -> Entry:
    """Withdraw a player from an event that the caller has locked; the first of the waiting list moves up.

    :raises NotEntered: the player has never entered.
    """
    entry = Entry.objects.filter(tournament=event, player=player).first()
    if entry is None:
        raise NotEntered(name=player.public_name)
    if entry.withdrawn_at is None:
        # A reopened event still shows its places; a withdrawn entry has none.
        entry.withdrawn_at, entry.place, entry.waits, entry.checked_in_at = now, None, False, None
        entry.save(update_fields=["withdrawn_at", "place", "waits", "checked_in_at"])
        fill_free_places(event, now=now)
        changes.announce_change(event, now=now)
    return entry


PLACE_FREE: Final = NoticeKind(
    name="place_free",
    reader=Reader.ENTRANT,
    when=_("You move up from the waiting list."),
    text=_("There is a place for you in %(event)s now."),
)


def fill_free_places(event: Tournament, *, now: datetime) -> list[Entry]:
    """Give the free places to those who have waited longest, and notify them unless the event is a draft."""
    waiting = Entry.objects.filter(tournament=event, waits=True, withdrawn_at__isnull=True)
    most = capacity.find_most_players(event)
    free = max(0, min(most, event.capacity or most) - capacity.count_entered(event))
    lucky = list(waiting.select_related("player__user").order_by("entered_at", "number")[:free])
    Entry.objects.filter(pk__in=[entry.pk for entry in lucky]).update(waits=False)
    for entry in lucky:
        entry.waits = False
        if event.status != Status.DRAFT:
            once = f"event.{event.key}.place.{entry.pk}.{entry.entered_at:%Y%m%d%H%M%S}"
            changes.notify_player(PLACE_FREE, entry.player, event, once=once, now=now)
    return lucky


def check_in_entries(
    *, tournament_id: int, entries: Collection[int], by: User | HelperActor, now: datetime, here: bool = True
) -> int:
    """Check entries in, or out again; return the number of changed entries.

    :raises NotDirector, NotHelper, WrongStatus, UnknownEntrant: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_helper(tournament_id, by, now=now)
        changes.require_status(event, BEFORE_START)
        named = Entry.objects.filter(tournament=event, number__in=entries, withdrawn_at__isnull=True)
        if named.count() < len({*entries}):
            raise UnknownEntrant
        rows = named.filter(checked_in_at__isnull=here)
        numbers = sorted(rows.values_list("number", flat=True))
        rows.update(checked_in_at=now if here else None)
        if numbers:
            data = {"entries": numbers, "here": here}
            changes.record_ruling(event, RulingKind.CHECKED_IN, by=by, now=now, data=data)
            changes.announce_change(event, now=now)
        return len(numbers)


class Traits(TypedDict, total=False):
    """A player's attributes used by the draw."""

    rating: float | None
    club: str
    family: str
    seed: int | None
    pot: int | None


def set_traits(*, tournament_id: int, entry: int, by: User, now: datetime, **traits: Unpack[Traits]) -> Entry:
    """Set a player's rating, club, family, seed and pot, before the draw; those that are not given stay.

    :raises NotDirector, WrongStatus, UnknownEntrant: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        changes.require_status(event, BEFORE_START)
        row = UnknownEntrant.raise_if_none(Entry.objects.filter(tournament=event, number=entry).first())
        if not traits:
            return row
        for name, value in traits.items():
            setattr(row, name, value)
        row.save(update_fields=[*traits])
        data: dict[str, object] = {"entry": entry, **traits}
        changes.record_ruling(event, RulingKind.EDITED, by=by, now=now, data=data)
        changes.announce_change(event, now=now)
        return row


def withdraw_from_all(player: Player, *, now: datetime) -> None:
    """Withdraw a player whose account is deleted, from every event that is not over."""
    with transaction.atomic():
        open_entries = Entry.objects.filter(
            player=player, withdrawn_at__isnull=True, tournament__status__in=ADMITTING
        )
        for event_id in sorted(open_entries.values_list("tournament_id", flat=True)):
            _withdraw_deleted(changes.lock_event(event_id), player, now=now)


def withdraw_deleted_accounts(event: Tournament, *, now: datetime) -> None:
    """Withdraw the players whose accounts were deleted while this event, which the caller has locked, was over."""
    gone = Player.objects.filter(erased_at__isnull=False)
    for player in gone.filter(entries__tournament=event, entries__withdrawn_at__isnull=True):
        _withdraw_deleted(event, player, now=now)


def _withdraw_deleted(event: Tournament, player: Player, *, now: datetime) -> None:
    if is_drawn(event):
        departures.withdraw_deleted(event, player, now=now)
    else:
        unseat_player(event, player, now=now)


def is_drawn(event: Tournament) -> bool:
    """True if an event has stages and has begun: entries can no longer simply be added or removed."""
    return Status(event.status) not in BEFORE_START and event.stages.exists()


def lock_players(players: Sequence[Player]) -> None:
    """Lock the players until the end of the transaction, against merges.

    :raises PlayerGone: one was merged or erased.
    """
    held = people.lock_players(player.pk for player in players)
    if any(player.merged_into_id or player.erased_at for player in held.values()):
        raise PlayerGone


def _count_places(event: Tournament, newcomers: int, *, playing: int, waiting: int) -> int:
    """Return the number of places for the newcomers. The caller holds the event's lock.

    :raises EventFull: there are not enough places, and no waiting list.
    :raises TooManyPlayers: the format does not allow so many.
    """
    most = capacity.find_most_players(event)
    if event.capacity is None or most < event.capacity:
        # There is no waiting list for places beyond the format's limit.
        if playing + newcomers > most:
            raise TooManyPlayers(most=most, players=playing + newcomers)
        return newcomers
    room = max(0, event.capacity - playing)
    most_waiting = LARGEST_CAPACITY if event.has_waiting_list else 0
    if newcomers > room and (waiting + newcomers - room > most_waiting):
        raise EventFull(capacity=event.capacity)
    return room
