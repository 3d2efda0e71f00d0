"""Quick pairing: take an open seat, else open one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from matches.lobby import challenges, offers
from matches.models.challenges import Offer
from matches.state.errors import Refused
from matches.state.terms import Terms

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from matches.models import Challenge
    from players.models import Player


def play(*, player: Player, terms: Terms, now: datetime) -> Challenge:
    """Take the open seat that has waited longest; if there is none, open one with these terms.

    If the player's own seat is already open, it is returned. Correspondence seats are never taken here.

    :raises Refused: the player has too many offers or matches.
    """
    for row in _live(offers.lobby(player, now=now)):
        # The seat may have been taken, or its owner may have too many matches by now: try the next.
        with suppress(Refused):
            return challenges.accept(challenge_id=row.pk, player=player, now=now)
    own = offers.mine(player).filter(opponent__isnull=True, status=Offer.OPEN, expires_at__gt=now)
    return next(iter(_live(own)), None) or challenges.offer(challenger=player, terms=terms, now=now)


def _live(seats: QuerySet[Challenge]) -> list[Challenge]:
    """Return the seats of real-time matches, the oldest first."""
    rows = seats.order_by("created_at", "pk")
    return [row for row in rows if challenges.is_live(Terms.from_json(row.terms))]
