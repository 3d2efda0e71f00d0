"""Queries for challenges: the player's own, and the open seats of the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Q

from matches.models import Challenge, Habits
from matches.models.challenges import Offer
from matches.models.matches import Due, State
from players.models import Club

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from matches.models import Match
    from players.models import Player

HABITS: Final = (
    "auto_roll",
    "auto_pass",
    "auto_play",
    "mails_turn",
    "mails_challenge",
    "mails_result",
    "mails_call",
)


def known_to(player: Player) -> QuerySet[Challenge]:
    """Return the challenges visible to *player*: made, received, or a seat open to them."""
    clubs = Club.objects.filter(memberships__player=player)
    is_seat = Q(opponent__isnull=True, status=Offer.OPEN) & (Q(club__isnull=True) | Q(club__in=clubs))
    return (
        Challenge.objects.select_related("challenger", "opponent", "club", "match", "rematch_of")
        .filter(Q(challenger=player) | Q(opponent=player) | is_seat)
        .order_by("-created_at", "-pk")
    )


def mine(player: Player) -> QuerySet[Challenge]:
    """Return the challenges that *player* made or was sent."""
    return known_to(player).filter(Q(challenger=player) | Q(opponent=player))


def lobby(player: Player, *, now: datetime) -> QuerySet[Challenge]:
    """Return the open seats that *player* may take."""
    seats = known_to(player).filter(opponent__isnull=True, status=Offer.OPEN, expires_at__gt=now)
    return seats.exclude(challenger=player)


def begun(player: Player) -> QuerySet[Challenge]:
    """Return the accepted offers of *player* whose match they have not joined yet."""
    is_awaited = Q(match__white=player, match__due__in=(Due.WHITE, Due.BOTH)) | Q(
        match__black=player, match__due__in=(Due.BLACK, Due.BOTH)
    )
    accepted = mine(player).filter(challenger=player, status=Offer.ACCEPTED, match__has_bot=False)
    return accepted.filter(is_awaited, match__status=State.WAITING)


def rematch_of(match: Match) -> Challenge | None:
    """Return the latest rematch offer for this match."""
    people = ("challenger", "opponent", "club", "match", "rematch_of")
    return Challenge.objects.select_related(*people).filter(rematch_of=match).order_by("-pk").first()


def own(player: Player) -> list[dict[str, object]]:
    """Return all challenges of a player, for the data export."""
    return [
        {
            "challenge": row.key,
            "challenger": row.challenger.public_name,
            "opponent": row.opponent.public_name if row.opponent else None,
            "club": row.club.name if row.club else None,
            "rated": row.is_rated,
            "status": row.status,
            "created_at": row.created_at.isoformat(),
            "match": row.match.key if row.match else None,
        }
        for row in mine(player)
    ]


def habits(player: Player) -> dict[str, object]:
    """Return the player's habits, for the data export."""
    return dict(Habits.objects.filter(player=player).values(*HABITS).first() or {})
