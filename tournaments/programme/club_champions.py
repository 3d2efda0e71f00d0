"""The players with the most wins at a club, this year and in all years."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet
from django.urls import reverse

from players.models import Club
from tournaments.base import event_lines, local_times
from tournaments.models import Entry
from tournaments.status import Status

MOST: Final = 5


@dataclass(frozen=True, slots=True)
class ClubChampion:
    name: str
    url: str
    wins: int


@dataclass(frozen=True, slots=True)
class ClubYear:
    year: int
    champions: tuple[ClubChampion, ...]


def load_club_year(club: Club, *, now: datetime) -> ClubYear | None:
    """Load the players with the most wins this year, in the club's time zone.

    None before a finished event of this year has a winner.
    """
    year = local_times.convert_to_local(now, club.time_zone).year
    begins = datetime(year, 1, 1, tzinfo=ZoneInfo(club.time_zone))
    champions = _rank_champions(_query_wins(club).filter(tournament__starts_at__gte=begins))
    return ClubYear(year, champions[:MOST]) if champions else None


def list_champions(club: Club) -> tuple[ClubChampion, ...]:
    """List all winners of this club's events, most wins first; a shared first place counts for each."""
    return _rank_champions(_query_wins(club))


def _query_wins(club: Club) -> QuerySet[Entry]:
    return Entry.objects.filter(
        tournament__club=club,
        tournament__is_friendly=False,
        tournament__status=Status.FINISHED,
        place=1,
        # Erased players are not listed.
        player__erased_at__isnull=True,
    )


def _rank_champions(rows: QuerySet[Entry]) -> tuple[ClubChampion, ...]:
    of_player = (f"player__{name}" for name in ("key", "name", "alias", "shown_as", "erased_at"))
    counted = rows.order_by().values_list(*of_player).annotate(wins=Count("pk"))
    found = (
        ClubChampion(event_lines.format_public_name(*named), reverse("players:player", args=[key]), wins)
        for key, *named, wins in counted
    )
    return tuple(sorted(found, key=lambda each: (-each.wins, each.name.casefold())))
