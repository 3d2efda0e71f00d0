"""Queries for challenges: the player's own, and the open seats of the lobby."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from matches.models import Challenge, Habits, Match
from matches.models.challenges import Offer
from matches.models.matches import Due, State
from players.models import Club, Player

HABITS: Final = (
    "auto_roll",
    "auto_pass",
    "auto_play",
    "mails_turn",
    "mails_challenge",
    "mails_result",
    "mails_call",
)


def list_visible(player: Player) -> QuerySet[Challenge]:
    """Return the challenges visible to *player*: made, received, or a seat open to them."""
    clubs = Club.objects.filter(memberships__player=player)
    is_seat = Q(opponent__isnull=True, status=Offer.OPEN, challenger__user__is_active=True)
    is_seat &= Q(club__isnull=True) | Q(club__in=clubs)
    return (
        Challenge.objects.select_related("challenger", "opponent", "club", "match", "rematch_of")
        .filter(Q(challenger=player) | Q(opponent=player) | is_seat)
        .order_by("-created_at", "-pk")
    )


def list_own(player: Player) -> QuerySet[Challenge]:
    return list_visible(player).filter(Q(challenger=player) | Q(opponent=player))


def list_open_seats(player: Player, *, now: datetime) -> QuerySet[Challenge]:
    seats = list_visible(player).filter(opponent__isnull=True, status=Offer.OPEN, expires_at__gt=now)
    return seats.exclude(challenger=player)


def list_unjoined(player: Player) -> QuerySet[Challenge]:
    """Return the accepted offers of *player* whose match they have not joined yet."""
    is_awaited = Q(match__white=player, match__due__in=(Due.WHITE, Due.BOTH)) | Q(
        match__black=player, match__due__in=(Due.BLACK, Due.BOTH)
    )
    accepted = list_own(player).filter(challenger=player, status=Offer.ACCEPTED, match__has_bot=False)
    return accepted.filter(is_awaited, match__status=State.WAITING)


def find_rematch(match: Match) -> Challenge | None:
    people = ("challenger", "opponent", "club", "match", "rematch_of")
    return Challenge.objects.select_related(*people).filter(rematch_of=match).order_by("-pk").first()


def export_challenges(player: Player) -> list[dict[str, object]]:
    return [
        {
            "challenge": row.key,
            "challenger": row.challenger.public_name,
            "opponent": row.opponent.public_name if row.opponent else None,
            "club": row.club.name if row.club else None,
            "status": row.status,
            "created_at": row.created_at.isoformat(),
            "match": row.match.key if row.match else None,
        }
        for row in list_own(player)
    ]


def export_habits(player: Player) -> dict[str, object]:
    return dict(Habits.objects.filter(player=player).values(*HABITS).first() or {})
