"""Who has won most of a club's events this year."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from django.urls import reverse

from tournaments import hours
from tournaments.models import Entry
from tournaments.selectors import lines
from tournaments.status import Status

if TYPE_CHECKING:
    from players.models import Club

MOST: Final = 5


@dataclass(frozen=True, slots=True)
class ClubChampion:
    """Somebody who has won here this year."""

    name: str
    url: str
    wins: int


@dataclass(frozen=True, slots=True)
class ClubYear:
    """A year of a club."""

    year: int
    champions: tuple[ClubChampion, ...]


def of(club: Club, *, now: datetime) -> ClubYear | None:
    """Return who has won most events of this club this year, by its own clock; None before the first is over."""
    year = hours.wall(now, club.time_zone).year
    begins = datetime(year, 1, 1, tzinfo=ZoneInfo(club.time_zone))
    rows = Entry.objects.filter(
        tournament__club=club,
        tournament__is_friendly=False,
        tournament__status=Status.FINISHED,
        tournament__starts_at__gte=begins,
        place=1,
        # Who has left for good is nobody's champion.
        player__erased_at__isnull=True,
    )
    of_player = (f"player__{name}" for name in ("key", "name", "alias", "shown_as", "erased_at"))
    wins = Counter((key, lines.named(*named)) for key, *named in rows.values_list(*of_player))
    ranked = sorted(wins.items(), key=lambda each: (-each[1], each[0][1].casefold()))
    champions = tuple(
        ClubChampion(name, reverse("players:player", args=[key]), count)
        for (key, name), count in ranked[:MOST]
    )
    return ClubYear(year, champions) if champions else None
