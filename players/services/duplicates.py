"""A director says that two of a name are two people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from players.errors import CannotMerge, NotMember
from players.models import Membership, TwoPeople
from players.services import clubs

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Club, Player, User


@transaction.atomic
def tell_apart(*, club: Club, one: Player, other: Player, by: User, now: datetime) -> None:
    """Remember that two members are two people; saying it again changes nothing.

    :raises NotAllowed: the account may not.
    :raises NotMember: one of them is none of the club's.
    :raises CannotMerge: they are one already.
    """
    clubs.require(by, "players.merge_players", club)
    if one.pk == other.pk:
        raise CannotMerge
    if Membership.objects.filter(club=club, player__in=(one, other)).count() != 2:
        raise NotMember
    first, second = sorted((one, other), key=lambda each: each.pk)
    TwoPeople.objects.get_or_create(one=first, other=second, defaults={"by": by, "at": now})
    clubs.hint([club.slug], now=now)
