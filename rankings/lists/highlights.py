"""Highlights of a list's last thirty days: largest gain, longest winning streak, greatest upset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from players.models import Player
from rankings.ledger import rated_matches
from rankings.models import RatingList
from tournaments.pages import page_cache

DAYS: Final = 30
BACK: Final = timedelta(days=DAYS)
# Computing the highlights reads many matches of a long list, and time alone changes them slowly.
FRESH: Final = timedelta(minutes=5)
# Shorter streaks are not worth showing.
SHORTEST_RUN: Final = 3
# From this expectancy on a win is no upset.
NO_SURPRISE: Final = 0.45


class Appearance(NamedTuple):
    """A match from the side of one player, in the order of the ledger."""

    player: int
    opponent: int
    won: bool
    change: float
    expectancy: float
    match: UUID


class RatingGain(NamedTuple):
    player: int
    gained: float


class WinningStreak(NamedTuple):
    """A player's winning streak, and whether they have not lost since."""

    player: int
    wins: int
    goes_on: bool


def load_highlights(
    rating_list: RatingList, *, before: datetime | None = None, now: datetime
) -> dict[str, Any] | None:
    """Return the highlights of a list for its page, each can be None; None if there are none.

    During a rebuild the entries from *before* it are used.
    """
    climb, run, surprise = page_cache.get_or_compute(
        *("rankings.lately", rating_list.pk),
        mark=(rating_list.version, before),
        make=lambda: _find_highlights(rating_list, before=before, now=now),
        now=now,
        until=lambda: now + FRESH,
        size=lambda _found: 1,
    )
    if climb is None and run is None and surprise is None:
        return None
    named = {climb and climb.player, run and run.player, surprise and surprise.player}
    opponents = {surprise and surprise.opponent}
    people = Player.objects.in_bulk([pk for pk in named | opponents if pk])
    return {
        "climber": climb and {"player": people[climb.player], "gained": climb.gained},
        "runner": run and {"player": people[run.player], "wins": run.wins, "goes_on": run.goes_on},
        "surprise": surprise
        and {
            "player": people[surprise.player],
            "opponent": people[surprise.opponent],
            # The win chance before the match.
            "percent": round(100 * surprise.expectancy),
            "match": surprise.match,
        },
    }


def _find_highlights(
    rating_list: RatingList, *, before: datetime | None, now: datetime
) -> tuple[RatingGain | None, WinningStreak | None, Appearance | None]:
    rows = rated_matches.list_shown_entries(rating_list, before).filter(at__gt=now - BACK, at__lte=now)
    fields = ("player_id", "opponent_id", "won", "change", "expectancy", "match")
    appearances = [Appearance(*row) for row in rows.values_list(*fields)]
    return find_largest_gain(appearances), find_longest_streak(appearances), find_greatest_upset(appearances)


def find_largest_gain(appearances: Iterable[Appearance]) -> RatingGain | None:
    """Return the player with the largest total gain; None if no total is positive.

    >>> one = Appearance(1, 2, True, 6.0, 0.4, None)
    >>> find_largest_gain([one, one._replace(player=2, opponent=1, won=False, change=-6.0)])
    RatingGain(player=1, gained=6.0)
    """
    gained: defaultdict[int, float] = defaultdict(float)
    for one in appearances:
        gained[one.player] += one.change
    climb = max((RatingGain(*item) for item in gained.items()), key=lambda each: each.gained, default=None)
    return climb if climb and climb.gained > 0 else None


def find_longest_streak(appearances: Iterable[Appearance]) -> WinningStreak | None:
    """Return the longest winning streak, the later one if two are equal; None below three wins."""
    running: defaultdict[int, int] = defaultdict(int)
    longest: WinningStreak | None = None
    for one in appearances:
        running[one.player] = running[one.player] + 1 if one.won else 0
        if running[one.player] >= max(SHORTEST_RUN, longest.wins if longest else 0):
            longest = WinningStreak(one.player, running[one.player], goes_on=True)
        elif longest and longest.player == one.player and not one.won:
            longest = longest._replace(goes_on=False)
    return longest


def find_greatest_upset(appearances: Iterable[Appearance]) -> Appearance | None:
    """Return the win with the lowest expectancy, the later of equal ones; None if there is no upset."""
    wins = [one for one in appearances if one.won and one.expectancy < NO_SURPRISE]
    return min(reversed(wins), key=lambda each: each.expectancy, default=None)
