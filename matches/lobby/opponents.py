"""Whom one may challenge: the people of one's clubs, and whoever else is found by name. Who is online comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from matches.models import Match
from matches.models.matches import Due
from matches.state.status import OPEN
from players.models import Membership, Player
from players.models.folded import holding
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from django.db.models import QuerySet

# Every page of somebody who is signed in reads `user.ID`, and at a board `seat.KEY.SIDE`.
FAMILY: Final = "user"
SEATS: Final = "seat"
MOST_SHOWN: Final = 6
MOST_HERE: Final = 24


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody in the list to choose from."""

    key: str
    name: str
    is_online: bool


def found(me: Player, *, query: str = "", now: datetime) -> tuple[Opponent, ...]:
    """Return the first whose name holds *query*; without one, of the people in one's clubs."""
    rows = _matching(_known(me, is_search=bool(query.strip())), query.strip())
    online = _online(now)
    here = list(rows.filter(user__in=online)[:MOST_SHOWN])
    rest = rows.exclude(user__in=online)[: MOST_SHOWN - len(here)]
    return tuple(Opponent(each.key, each.public_name, each.user_id in online) for each in [*here, *rest])


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody of one's clubs who is here now."""

    key: str
    name: str
    # They sit at a board.
    is_playing: bool
    # They have a challenge of one's own to answer.
    is_asked: bool


def present(me: Player, *, asked: Collection[int | None], now: datetime) -> tuple[Present, ...]:
    """Return who of one's clubs has a page open now, those first who are free; *asked* are those one has challenged."""
    people = _matching(_known(me, is_search=False), "").filter(user__in=_online(now))
    rows = list(people[:MOST_HERE])
    playing = _playing(now) if rows else set()
    found = [Present(each.key, each.public_name, each.pk in playing, each.pk in asked) for each in rows]
    return tuple(sorted(found, key=lambda one: one.is_playing))


def _online(now: datetime) -> set[int]:
    return {int(topic.partition(".")[2]) for topic in stream.audiences(FAMILY, now=now)}


def _playing(now: datetime) -> set[int]:
    """Return the players who sit at a board that is not over."""
    taken = {tuple(topic.split(".")[1:3]) for topic in stream.audiences(SEATS, now=now)}
    rows = Match.objects.filter(key__in={key for key, _side in taken}, status__in=OPEN)
    sides = rows.values_list("key", "white", "black")
    return {
        player
        for key, white, black in sides
        for side, player in ((Due.WHITE, white), (Due.BLACK, black))
        if (key, str(side)) in taken
    }


def challengeable(me: Player) -> QuerySet[Player]:
    """Return everybody with an account whom *me* may know of."""
    return _known(me, is_search=True)


def _known(me: Player, *, is_search: bool) -> QuerySet[Player]:
    clubs = Membership.objects.filter(player=me).values("club")
    mine = Q(pk__in=Membership.objects.filter(club__in=clubs).values("player"))
    people = Player.objects.filter(user__is_active=True, erased_at__isnull=True).exclude(pk=me.pk)
    return people.filter(mine | Q(hidden_from_search=False) if is_search else mine)


def _matching(rows: QuerySet[Player], query: str) -> QuerySet[Player]:
    """Narrow to names as everyone may read them, and sort by these."""
    return rows.filter(holding(query)).order_by("folded_name", "pk")
