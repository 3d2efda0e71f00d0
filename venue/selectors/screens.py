"""A club's screens, as directors and programs see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Tournament
from tournaments.status import Status
from venue.models import Room, Screen

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from players.models import Club


def of_club(club: Club) -> QuerySet[Screen]:
    """Return the screens of a club by their names."""
    return Screen.objects.filter(club=club).select_related("room", "event").order_by("name", "pk")


def rooms(club: Club) -> QuerySet[Room]:
    """Return the rooms a screen can be in."""
    return Room.objects.filter(club=club).order_by("name")


def events(club: Club) -> QuerySet[Tournament]:
    """Return the events a screen can be told to show, the latest first."""
    return (
        Tournament.objects.filter(club=club, is_friendly=False)
        .exclude(status=Status.DRAFT)
        .order_by("-starts_at", "-pk")
    )
