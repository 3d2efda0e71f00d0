"""A club's hall of fame: most events won, champions of seasons, leaders of dated lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from players.models import Club, Player
from rankings.models import DatedRating, RatingList
from rankings.seasons import season_pages as seasons
from rankings.seasons.season_pages import SeasonLink
from tournaments.programme import club_champions

MOST: Final = 10


@dataclass(frozen=True, slots=True)
class HighestRating:
    """The highest rating of a leader of a dated list, with the first list that had it."""

    name: str
    url: str
    rating: float
    day: date


@dataclass(frozen=True, slots=True)
class FameLine:
    """A row of a table of the hall of fame; players with equal figures share the place."""

    place: int
    name: str
    url: str
    times: int


@dataclass(frozen=True, slots=True)
class FameTable:
    lines: tuple[FameLine, ...]
    # The number of further players who share the last place shown.
    more: int


@dataclass(frozen=True, slots=True)
class ListFame:
    list: RatingList
    dated: int
    leaders: FameTable
    highest: HighestRating


@dataclass(frozen=True, slots=True)
class Fame:
    winners: FameTable
    seasons: tuple[SeasonLink, ...]
    lists: tuple[ListFame, ...]

    def __bool__(self) -> bool:
        """True if there is anything to show."""
        return bool(self.winners.lines or self.seasons or self.lists)


def load_fame(club: Club, *, now: datetime) -> Fame:
    ended = tuple(each for each in seasons.list_seasons(club, now=now) if each.is_over and each.first)
    found_fame = (_find_list_fame(each) for each in RatingList.objects.filter(club=club).order_by("pk"))
    winners = [(one.name, one.url, one.wins) for one in club_champions.list_champions(club)]
    return Fame(_build_table(winners), ended, tuple(each for each in found_fame if each))


def _find_list_fame(rating_list: RatingList) -> ListFame | None:
    """Return the fame of a list; None if no dated list has had a leader."""
    rows = DatedRating.objects.filter(
        dated_list__list=rating_list, place=1, is_provisional=False, player__erased_at__isnull=True
    )
    firsts = list(
        rows.select_related("dated_list", "player__merged_into").order_by("dated_list__day", "player")
    )
    if not firsts:
        return None
    # A set, as two players who shared the first place can be merged.
    led: dict[Player, set[int]] = defaultdict(set)
    for row in firsts:
        led[_get_player(row)].add(row.dated_list_id)
    leaders = [(who.public_name, who.get_absolute_url(), len(lists)) for who, lists in led.items()]
    leaders.sort(key=lambda one: (-one[2], one[0].casefold()))
    top = max(firsts, key=lambda row: row.rating)
    highest = _get_player(top)
    return ListFame(
        rating_list,
        len({row.dated_list_id for row in firsts}),
        _build_table(leaders),
        HighestRating(highest.public_name, highest.get_absolute_url(), top.rating, top.dated_list.day),
    )


def _get_player(row: DatedRating) -> Player:
    """Return the player of a row, who may have been merged since."""
    return row.player.merged_into or row.player


def _build_table(ordered: Sequence[tuple[str, str, int]]) -> FameTable:
    """Return the first rows of a sorted list with their places, and how many more share the last place.

    A row is a player's name and address, and how often they were first.

    >>> table = _build_table([("", "", times) for times in (7, 3, 3, 1, *[1] * 9)])
    >>> [line.place for line in table.lines], table.more
    ([1, 2, 2, 4, 4, 4, 4, 4, 4, 4], 3)
    """
    figures = [times for _name, _url, times in ordered]
    lines = tuple(FameLine(1 + figures.index(one[2]), *one) for one in ordered[:MOST])
    more = figures[MOST:].count(lines[-1].times) if lines else 0
    return FameTable(lines, more)
