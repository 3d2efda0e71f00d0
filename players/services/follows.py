"""Following a friend, and ending it; who is followed is not told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from players.errors import NotAllowed
from players.models import Follow

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Player, User


def follow(*, user: User, player: Player, now: datetime) -> None:
    """Follow a player whom everybody may look up; to do so again changes nothing.

    :raises NotAllowed: it is the account's own player, or one who hides from searches or has left.
    """
    if player.user_id == user.pk or player.hidden_from_search or player.erased_at is not None:
        raise NotAllowed
    Follow.objects.get_or_create(user=user, player=player, defaults={"since": now})


def unfollow(*, user: User, player: Player) -> None:
    """Follow a player no more, nor who was merged into them."""
    Follow.objects.filter(Q(player=player) | Q(player__merged_into=player), user=user).delete()
