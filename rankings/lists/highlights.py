"""What happened in a list lately: who climbed most, who won most matches in a row, and the greatest surprise."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.urls import reverse

from players.models import Player
from rankings.ledger import rateable
from tournaments.pages import kept

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from rankings.models import RatingList

DAYS: Final = 30
BACK: Final = timedelta(days=DAYS)
# In a long list many matches are read for it; by time alone it changes that slowly.
FRESH: Final = timedelta(minutes=5)
# One win is no run, and two are hardly one.
SHORTEST_RUN: Final = 3
# From here on the winner was the favourite, or as good as.
NO_SURPRISE: Final = 0.45


class Appearance(NamedTuple):
    """One player in one match, in the order of the ledger."""

    player: int
    opponent: int
    won: bool
    change: float
    expectancy: float
    match: UUID


class Climb(NamedTuple):
    """How much somebody gained."""

    player: int
    gained: float


class Run(NamedTuple):
    """How many matches somebody won in a row, and whether they have not lost since."""

    player: int
    wins: int
    goes_on: bool


@dataclass(frozen=True, slots=True)
class Stood:
    """Somebody who stands out, with a link to their page."""

    name: str
    href: str


@dataclass(frozen=True, slots=True)
class Climber(Stood):
    gained: float


@dataclass(frozen=True, slots=True)
class Runner(Stood):
    wins: int
    goes_on: bool


@dataclass(frozen=True, slots=True)
class Surprise(Stood):
    """Somebody who won a match that few would have given them."""

    opponent: str
    expectancy: float
    url: str

    @property
    def percent(self) -> int:
        """The chance before, in whole percent."""
        return round(100 * self.expectancy)


@dataclass(frozen=True, slots=True)
class Lately:
    """The last thirty days of a list; nothing where nobody stands out."""

    climber: Climber | None
    runner: Runner | None
    surprise: Surprise | None


def of(rating_list: RatingList, slug: str, *, before: datetime | None = None, now: datetime) -> Lately | None:
    """Return who stands out in a list of the club with that *slug*; nothing where nobody does.

    While the list is computed again, what stood *before* is counted.
    """
    climb, run, surprise = kept.value(
        *("rankings.lately", rating_list.pk),
        mark=(rating_list.version, before),
        make=lambda: _stand_out(rating_list, before=before, now=now),
        now=now,
        until=lambda: now + FRESH,
        size=lambda _found: 1,
    )
    if climb is None and run is None and surprise is None:
        return None
    named = {climb and climb.player, run and run.player, surprise and surprise.player}
    opponents = {surprise and surprise.opponent}
    people = Player.objects.in_bulk([pk for pk in named | opponents if pk])

    def stood(pk: int) -> tuple[str, str]:
        return people[pk].public_name, people[pk].get_absolute_url()

    return Lately(
        climb and Climber(*stood(climb.player), climb.gained),
        run and Runner(*stood(run.player), run.wins, run.goes_on),
        surprise
        and Surprise(
            *stood(surprise.player),
            people[surprise.opponent].public_name,
            surprise.expectancy,
            reverse("rankings:match", args=[slug, surprise.match]),
        ),
    )


def _stand_out(
    rating_list: RatingList, *, before: datetime | None, now: datetime
) -> tuple[Climb | None, Run | None, Appearance | None]:
    rows = rateable.shown(rating_list, before).filter(at__gt=now - BACK, at__lte=now)
    fields = ("player_id", "opponent_id", "won", "change", "expectancy", "match")
    appearances = [Appearance(*row) for row in rows.values_list(*fields)]
    return most_gained(appearances), longest_run(appearances), least_expected(appearances)


def most_gained(appearances: Iterable[Appearance]) -> Climb | None:
    """Return who gained most over all their matches; nothing where nobody gained.

    >>> one = Appearance(1, 2, True, 6.0, 0.4, None)
    >>> most_gained([one, one._replace(player=2, opponent=1, won=False, change=-6.0)])
    Climb(player=1, gained=6.0)
    """
    gained: defaultdict[int, float] = defaultdict(float)
    for one in appearances:
        gained[one.player] += one.change
    climb = max((Climb(*item) for item in gained.items()), key=lambda each: each.gained, default=None)
    return climb if climb and climb.gained > 0 else None


def longest_run(appearances: Iterable[Appearance]) -> Run | None:
    """Return who won most matches in a row, the later run where two are as long; nothing under three."""
    running: defaultdict[int, int] = defaultdict(int)
    longest: Run | None = None
    for one in appearances:
        running[one.player] = running[one.player] + 1 if one.won else 0
        if running[one.player] >= max(SHORTEST_RUN, longest.wins if longest else 0):
            longest = Run(one.player, running[one.player], goes_on=True)
        elif longest and longest.player == one.player and not one.won:
            longest = longest._replace(goes_on=False)
    return longest


def least_expected(appearances: Iterable[Appearance]) -> Appearance | None:
    """Return the win with the smallest chance before, the later where two are alike; nothing where favourites won."""
    wins = [one for one in appearances if one.won and one.expectancy < NO_SURPRISE]
    return min(reversed(wins), key=lambda each: each.expectancy, default=None)
