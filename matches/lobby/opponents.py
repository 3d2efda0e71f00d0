"""Possible opponents: members of the player's clubs, and others by name. Players online come first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from matches.models import Match
from matches.models.matches import Due
from matches.state.status import OPEN
from players.models import Membership, Player
from players.models.folded_names import build_name_filter
from runtime import stream

# Every page of a signed-in user watches `user.ID`, and a board also `seat.KEY.SIDE`.
FAMILY: Final = "user"
SEATS: Final = "seat"
MOST_SHOWN: Final = 6
MOST_HERE: Final = 24


@dataclass(frozen=True, slots=True)
class Opponent:
    key: str
    name: str
    is_online: bool


def search_opponents(me: Player, *, query: str = "", now: datetime) -> tuple[Opponent, ...]:
    """Return the first players whose name contains *query*; without one, members of the player's clubs."""
    rows = _filter_by_name(_list_candidates(me, is_search=bool(query.strip())), query.strip())
    online = _list_online_users(now)
    here = list(rows.filter(user__in=online)[:MOST_SHOWN])
    rest = rows.exclude(user__in=online)[: MOST_SHOWN - len(here)]
    return tuple(Opponent(each.key, each.public_name, each.user_id in online) for each in [*here, *rest])


@dataclass(frozen=True, slots=True)
class PresentPlayer:
    """A member of the player's clubs who is online."""

    key: str
    name: str
    # True at the board of an unfinished match.
    is_playing: bool
    # True with an open challenge from the viewer.
    is_asked: bool


def list_present(me: Player, *, chosen: Collection[int | None], now: datetime) -> tuple[PresentPlayer, ...]:
    """Return online members of the player's clubs, idle ones first; *chosen* are those already challenged."""
    people = _filter_by_name(_list_candidates(me, is_search=False), "").filter(
        user__in=_list_online_users(now)
    )
    rows = list(people[:MOST_HERE])
    playing = _list_players_at_boards(now) if rows else set()
    found = [
        PresentPlayer(each.key, each.public_name, each.pk in playing, each.pk in chosen) for each in rows
    ]
    return tuple(sorted(found, key=lambda one: one.is_playing))


def _list_online_users(now: datetime) -> set[int]:
    return {int(topic.partition(".")[2]) for topic in stream.count_readers_by_topic(FAMILY, now=now)}


def _list_players_at_boards(now: datetime) -> set[int]:
    taken = {tuple(topic.split(".")[1:3]) for topic in stream.count_readers_by_topic(SEATS, now=now)}
    rows = Match.objects.filter(key__in={key for key, _side in taken}, status__in=OPEN)
    sides = rows.values_list("key", "white", "black")
    return {
        player
        for key, white, black in sides
        for side, player in ((Due.WHITE, white), (Due.BLACK, black))
        if (key, str(side)) in taken
    }


def list_challengeable(me: Player) -> QuerySet[Player]:
    return _list_candidates(me, is_search=True)


def _list_candidates(me: Player, *, is_search: bool) -> QuerySet[Player]:
    clubs = Membership.objects.filter(player=me).values("club")
    mine = Q(pk__in=Membership.objects.filter(club__in=clubs).values("player"))
    people = Player.objects.filter(user__is_active=True, erased_at__isnull=True).exclude(pk=me.pk)
    return people.filter(mine | Q(hidden_from_search=False) if is_search else mine)


def _filter_by_name(rows: QuerySet[Player], query: str) -> QuerySet[Player]:
    return rows.filter(build_name_filter(query)).order_by("folded_name", "pk")
