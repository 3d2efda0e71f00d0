"""Finding the players meant by names at a club: members and guests in any spelling, or new guests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from players.clubs import clubs
from players.models import Club, Player, ShownAs, User
from players.models.folded_names import fold_name
from players.names import fold
from tournaments.base import pasted_lists


def find_or_add_players(club: Club, names: Sequence[str], *, by: User, now: datetime) -> list[Player]:
    """Find the player for each name; unknown names become guests.

    :raises NotAllowed: the user may not add guests.
    """
    book = _group_by_name(_list_members(club, names))
    found: list[Player] = []
    new: list[Player] = []
    for name in names:
        player = _find_player(book, name)
        if player is None and (other := pasted_lists.turn_round(name)):
            player = _find_player(book, other)
        if player is None:
            player = Player(name=name)
            new.append(player)
            book.setdefault(fold(name), []).append(player)
        found.append(player)
    if new:
        clubs.add_guests(club=club, guests=new, by=by, now=now)
    return found


def find_or_add_guest(club: Club, name: str, *, by: User, now: datetime) -> Player:
    trimmed = " ".join(name.split())
    book = _group_by_name(player for player in _list_members(club, [trimmed]) if player.user_id is None)
    return _find_player(book, trimmed) or clubs.add_guest(club=club, name=trimmed, by=by, now=now)


def _list_members(club: Club, names: Iterable[str]) -> Iterable[Player]:
    """List members who may have one of these names.

    All members who show an alias are listed, because their `folded_name` does not contain their name.
    """
    spelt = (each for name in names for each in (name, pasted_lists.turn_round(name)) if each)
    may_be_meant = Q(folded_name__in={fold_name(each) for each in spelt}) | Q(shown_as=ShownAs.ALIAS)
    return Player.objects.filter(
        may_be_meant, memberships__club=club, erased_at__isnull=True, merged_into__isnull=True
    ).order_by("pk")


def _group_by_name(players: Iterable[Player]) -> dict[str, list[Player]]:
    book: dict[str, list[Player]] = {}
    for player in players:
        book.setdefault(fold(player.name), []).append(player)
    return book


def _find_player(book: dict[str, list[Player]], name: str) -> Player | None:
    """Return the only member of that name; if there is none or there are several, the first guest."""
    alike = book.get(fold(name), [])
    spelt = [player for player in alike if player.name.casefold() == name.casefold()]
    for players in (spelt, alike):
        accounts = [player for player in players if player.user_id is not None]
        guests = [player for player in players if player.user_id is None]
        if len(accounts) == 1:
            return accounts[0]
        if guests:
            return guests[0]
    return None
