"""Dated lists for pages, downloads and the API."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.dateparse import parse_date

from players.access import requests
from players.models import Player, User
from rankings.formulas.systems import SYSTEMS
from rankings.lists.recent_form import RecentForm
from rankings.models import DatedCorrection, DatedList, DatedRating, RatingList

# The colours of the checkers that mark the first three places.
METALS: Final = {1: "gold", 2: "silver", 3: "bronze"}


@dataclass(frozen=True, slots=True)
class Move:
    """A player's movement between two consecutive dated lists."""

    is_new: bool
    # Places gained; negative if lost.
    up: int

    @property
    def down(self) -> int:
        return -self.up


@dataclass(frozen=True, slots=True)
class Movement:
    """The movements of players between two dated lists, shown as arrows."""

    before: date
    after: date
    moves: dict[int, Move]


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player in a list, live or dated; provisional players rank below all others."""

    place: int
    is_provisional: bool
    name: str
    href: str
    rating: float
    deviation: float
    experience: int
    matches: int
    is_me: bool
    # Between the last two dated lists; None if the player was in neither.
    move: Move | None
    # No rated match for the number of months in the policy.
    is_inactive: bool = False
    # In the live list.
    form: RecentForm | None = None

    @property
    def metal(self) -> str:
        """The colour of the checker that marks the first three places."""
        return "" if self.is_provisional else METALS.get(self.place, "")


@dataclass(frozen=True, slots=True)
class DatedPage:
    dated_list: DatedList
    page: requests.Page[RankedPlayer]
    corrections: tuple[DatedCorrection, ...]
    earlier: date | None
    later: date | None

    @property
    def has_deviation(self) -> bool:
        return SYSTEMS[self.dated_list.list.system].has_deviation


def list_published(rating_list: RatingList) -> QuerySet[DatedList]:
    """Return the dated lists of a rating list, the latest first, with counts of players and corrections."""
    rows = DatedList.objects.filter(list=rating_list).order_by("-at")
    return rows.annotate(
        players=Count("ratings", distinct=True), corrected=Count("corrections", distinct=True)
    )


def get_dated_list(rating_list: RatingList, day: str) -> DatedList:
    """Return the dated list of a day given as text, or raise Http404."""
    try:
        date_wanted = parse_date(day)
    except ValueError:
        date_wanted = None
    return get_object_or_404(DatedList, list=rating_list, day=date_wanted)


def list_ratings(dated_list: DatedList) -> QuerySet[DatedRating]:
    rows = DatedRating.objects.filter(dated_list=dated_list).select_related("player")
    return rows.order_by("place", "-rating", "player")


def load_movement(rating_list: RatingList, players: Collection[int]) -> Movement | None:
    """Return the movements of these players between the last two dated lists; None unless there are two."""
    last = list(DatedList.objects.filter(list=rating_list).order_by("-at")[:2])
    if len(last) < 2:
        return None
    # Players merged since are in the list under their former row.
    merged = dict(Player.objects.filter(merged_into__in=players).values_list("pk", "merged_into"))
    rows = DatedRating.objects.filter(player__in=[*players, *merged], dated_list=last[0])
    moves: dict[int, Move] = {}
    # Sorted here: sorting in the database would scan the whole list by place.
    for place, player, was in sorted(rows.order_by().values_list("place", "player", "was_place")):
        moves.setdefault(merged.get(player) or player, _build_move(place, was))
    return Movement(last[1].day, last[0].day, moves)


def load_dated_page(dated_list: DatedList, viewer: User | AnonymousUser, *, number: int) -> DatedPage:
    others = DatedList.objects.filter(list=dated_list.list)
    earlier = others.filter(at__lt=dated_list.at).order_by("-at").values_list("day", flat=True).first()
    later = others.filter(at__gt=dated_list.at).order_by("at").values_list("day", flat=True).first()
    mine = viewer.player.pk if viewer.is_authenticated else None
    page = requests.paginate(
        list_ratings(dated_list), number, lambda row: _build_row(row, mine, has_move=earlier is not None)
    )
    return DatedPage(dated_list, page, tuple(list_corrections(dated_list)), earlier, later)


def _build_row(row: DatedRating, mine: int | None, *, has_move: bool) -> RankedPlayer:
    return RankedPlayer(
        place=row.place,
        move=_build_move(row.place, row.was_place) if has_move else None,
        is_provisional=row.is_provisional,
        name=row.player.public_name,
        href=row.player.get_absolute_url(),
        rating=row.rating,
        deviation=row.deviation,
        experience=row.experience,
        matches=row.matches,
        is_me=row.player_id == mine,
    )


def _build_move(place: int, was: int | None) -> Move:
    return Move(is_new=was is None, up=(was or place) - place)


def list_corrections(dated_list: DatedList) -> QuerySet[DatedCorrection]:
    rows = DatedCorrection.objects.filter(dated_list=dated_list)
    return rows.select_related("a", "b", "was_won_by", "won_by", "event").order_by("at", "match")
