"""How openings are played: each play of a roll, how often, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Count, F, Q, Sum

from records.archive import archive
from records.models import ArchivedGame

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from players.models import Club
    from records.archive.archive import Viewer

# Nobody opens with a double (R10).
ROLLS: Final = tuple(10 * high + low for high in range(2, 7) for low in range(1, high))


@dataclass(frozen=True, slots=True)
class OpeningPlay:
    """One way to play an opening roll."""

    roll: int
    play: str
    games: int
    won: int
    # Won less lost, by whoever opened.
    points: int

    @property
    def percent(self) -> float:
        """The share of games that were won."""
        return 100 * self.won / self.games

    @property
    def average(self) -> float:
        """The points that each game brought."""
        return self.points / self.games


def plays(user: Viewer, roll: int, club: Club | None = None) -> tuple[OpeningPlay, ...]:
    """Return how a roll was played in the matches whose facts this person may see, the most frequent first."""
    won = Q(winner=F("opener"))
    lost = Q(winner__isnull=False) & ~won
    rows = (
        _seen(user, club)
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


def latest_roll(user: Viewer, club: Club | None = None) -> int | None:
    """Return the roll that the game archived last began with, if there is a game that this person may see."""
    return _seen(user, club).order_by("-pk").values_list("roll", flat=True).first()


def _seen(user: Viewer, club: Club | None) -> QuerySet[ArchivedGame]:
    """The games that show how they were opened, of matches whose facts this person may see."""
    matches = archive.with_facts(user)
    if club is not None:
        matches = matches.filter(club=club)
    return ArchivedGame.objects.filter(archived__in=matches.values("pk")).exclude(play="")
