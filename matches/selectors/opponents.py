"""Whom one may challenge: the people of one's clubs, and whoever else is found by name. Who is online comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from players.models import Membership, Player
from players.models.folded import holding
from runtime import stream

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

# Every page of somebody who is signed in reads `user.ID`.
FAMILY: Final = "user"
MOST_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody in the list to choose from."""

    key: str
    name: str
    is_online: bool


def found(me: Player, *, query: str = "", now: datetime) -> tuple[Opponent, ...]:
    """Return the first whose name holds *query*; without one, of the people in one's clubs."""
    rows = _matching(_known(me, is_search=bool(query.strip())), query.strip())
    online = {int(topic.partition(".")[2]) for topic in stream.audiences(FAMILY, now=now)}
    here = list(rows.filter(user__in=online)[:MOST_SHOWN])
    rest = rows.exclude(user__in=online)[: MOST_SHOWN - len(here)]
    return tuple(Opponent(each.key, each.public_name, each.user_id in online) for each in [*here, *rest])


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
