"""Statistics of openings: each play of a roll, its frequency and results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, F, Q, QuerySet, Sum

from players.models import Club
from records.archive import archive
from records.archive.archive import Viewer
from records.models import ArchivedGame

# Opening rolls are no doubles (R10).
ROLLS: Final = tuple(10 * high + low for high in range(2, 7) for low in range(1, high))


@dataclass(frozen=True, slots=True)
class OpeningPlay:
    roll: int
    play: str
    games: int
    won: int
    # Points won minus lost by the player who opened.
    points: int

    @property
    def percent(self) -> float:
        return 100 * self.won / self.games

    @property
    def average(self) -> float:
        return self.points / self.games


def list_plays(user: Viewer, roll: int, club: Club | None = None) -> tuple[OpeningPlay, ...]:
    """Return the plays of an opening roll in matches whose facts the viewer may see, the most frequent first."""
    won = Q(winner=F("opener"))
    lost = Q(winner__isnull=False) & ~won
    rows = (
        _list_visible_games(user, club)
        .filter(roll=roll)
        .values("play")
        .annotate(
            number=Count("pk"),
            won=Count("pk", filter=won),
            up=Sum("points", filter=won),
            down=Sum("points", filter=lost),
        )
        .order_by("-number", "play")
    )
    return tuple(
        OpeningPlay(roll, each["play"], each["number"], each["won"], (each["up"] or 0) - (each["down"] or 0))
        for each in rows
    )


def find_latest_roll(user: Viewer, club: Club | None = None) -> int | None:
    """Return the opening roll of the latest archived game that the viewer may see; None without one."""
    return _list_visible_games(user, club).order_by("-pk").values_list("roll", flat=True).first()


def _list_visible_games(user: Viewer, club: Club | None) -> QuerySet[ArchivedGame]:
    """Return the games with a known opening play, of matches whose facts the viewer may see."""
    matches = archive.list_with_facts(user)
    if club is not None:
        matches = matches.filter(club=club)
    return ArchivedGame.objects.filter(archived__in=matches.values("pk")).exclude(play="")
