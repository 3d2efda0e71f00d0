"""Playing whoever comes first: an open seat that somebody waits at, else a seat of one's own."""

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
    """Sit down at the open seat that has waited longest; if there is none, open one under these terms.

    To ask again while one's own seat is open changes nothing. Seats of matches that take days are left to be chosen.

    :raises Refused: the player has too much to do already.
    """
    for row in _live(offers.lobby(player, now=now)):
        # Somebody else may have sat down meanwhile, or the other may have begun too much: then the next.
        with suppress(Refused):
            return challenges.accept(challenge_id=row.pk, player=player, now=now)
    own = offers.mine(player).filter(opponent__isnull=True, status=Offer.OPEN, expires_at__gt=now)
    return next(iter(_live(own)), None) or challenges.offer(challenger=player, terms=terms, now=now)


def _live(seats: QuerySet[Challenge]) -> list[Challenge]:
    """Return the seats at which both play at the same time, the oldest first."""
    rows = seats.order_by("created_at", "pk")
    return [row for row in rows if challenges.is_live(Terms.from_json(row.terms))]
