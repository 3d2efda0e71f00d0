"""Pasted lists of players: entered as parsed, and undone in one go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from players.clubs import clubs
from players.models import Club, Membership, Player, User
from tournaments import hooks
from tournaments.base.errors import PlayerGone
from tournaments.base.pasted_lists import PastedLine
from tournaments.models import Entry
from tournaments.play import directing, player_names


@dataclass(frozen=True, slots=True)
class PastedEntries:
    """The result of a list: the player of each line, the new entries, the new guests, and the new ticks."""

    people: tuple[Player, ...]
    fresh: frozenset[str]
    made: frozenset[str]
    # The entries ticked by the list, by roster column.
    ticked: Mapping[str, Sequence[int]]


def enter_list(
    *,
    tournament_id: int,
    lines: Sequence[PastedLine],
    by: User,
    now: datetime,
    ticks: Sequence[frozenset[str]] = (),
) -> PastedEntries:
    """Enter the players of a list, with the ratings and clubs given in it.

    *ticks* are, for each line, the roster columns that are ticked (`hooks.list_roster_columns`).

    :raises NotDirector, WrongStatus, HasBegun, EventFull, TooManyPlayers, PlayerGone: no entries are made.
    """
    with transaction.atomic():
        event = directing.lock_admitting_event(tournament_id, by)
        before = set(Membership.objects.filter(club=event.club).values_list("player_id", flat=True))
        inside = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True)
        there = set(inside.values_list("player_id", flat=True))
        people = _find_or_add_players(event.club, lines, by=by, now=now)
        # In the order of the list, which decides who waits.
        directing.seat_players(event, list(dict.fromkeys(people)), by=by, now=now)
        for line, player in zip(lines, people, strict=True):
            given = {"rating": line.rating, "club": line.club}
            if filled := {name: value for name, value in given.items() if value}:
                inside.filter(player=player).update(**filled)
        ticked: dict[str, list[int]] = {}
        for name, column in hooks.list_roster_columns(event).items() if ticks else ():
            who = [player for player, filled in zip(people, ticks, strict=True) if name in filled]
            new = inside.filter(player__in=who).exclude(number__in=column.ticked(event)).order_by("number")
            ticked[name] = list(new.values_list("number", flat=True))
            column.tick(tournament_id=tournament_id, entries=ticked[name], by=by, now=now)
        fresh = frozenset(player.key for player in people if player.pk not in there)
        made = frozenset(player.key for player in people if player.pk not in before)
        return PastedEntries(tuple(people), fresh, made, ticked)


def _find_or_add_players(club: Club, lines: Sequence[PastedLine], *, by: User, now: datetime) -> list[Player]:
    """Return the player of each line: the chosen member, or the one found by name."""
    keys = {line.key for line in lines if line.key}
    members = Player.objects.filter(memberships__club=club, erased_at__isnull=True, merged_into__isnull=True)
    members_by_key = {player.key: player for player in members.filter(key__in=keys)}
    if len(members_by_key) < len(keys):
        raise PlayerGone
    names = [line.name for line in lines if not line.key]
    named = iter(player_names.find_or_add_players(club, names, by=by, now=now))
    return [members_by_key[line.key] if line.key else next(named) for line in lines]


def undo_list(
    *,
    tournament_id: int,
    fresh: Collection[str],
    made: Collection[str],
    by: User,
    now: datetime,
    ticked: Mapping[str, Collection[int]],
) -> None:
    """Withdraw the entries made by a list, and take its ticks back.

    Guests that it created are removed if they are in no other event.

    :raises NotDirector, WrongStatus, HasBegun: nothing changes.
    """
    with transaction.atomic():
        event = directing.lock_admitting_event(tournament_id, by)
        for name, column in hooks.list_roster_columns(event).items():
            column.untick(tournament_id=tournament_id, entries=ticked.get(name, ()), by=by, now=now)
        # Those who wait first: else they would move up as the others are taken out.
        theirs = Entry.objects.filter(tournament=event, player__key__in=fresh).order_by("-waits", "number")
        for key in list(theirs.values_list("player__key", flat=True)):
            directing.withdraw_player(tournament_id=tournament_id, player_key=key, by=by, now=now)
        alone = Player.objects.filter(key__in=made, user__isnull=True).exclude(
            entries__in=Entry.objects.exclude(tournament=event)
        )
        if Membership.objects.filter(club=event.club, player__in=alone).delete()[0]:
            clubs.announce_change([event.club.slug], now=now)
