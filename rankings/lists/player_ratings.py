"""A player's ratings: their standing and history in each list, alone or compared with another player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone

from players.access import requests
from players.access.permissions import list_clubs_where
from players.models import Player, User
from rankings.ledger import order, rated_matches
from rankings.lists import graph
from rankings.models import LedgerEntry, PlayerRating, RatingList

Someone = User | AnonymousUser

# The periods in the URL, with their lengths.
PERIODS: Final[Mapping[str, timedelta | None]] = {
    "quarter": timedelta(days=92),
    "year": timedelta(days=366),
    "all": None,
}
USUAL: Final = "year"


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    row: PlayerRating
    place: int
    of: int
    is_provisional: bool
    best: float
    url: str


@dataclass(frozen=True, slots=True)
class RatingCard:
    """The ratings on a player's page: the list with most of their matches, and the others."""

    # The player's key.
    key: str
    standings: tuple[PlayerStanding, ...]
    graph: graph.Graph | None
    url: str


@dataclass(frozen=True, slots=True)
class History:
    standing: PlayerStanding
    graph: graph.Graph | None
    period: str
    page: requests.Page[LedgerEntry]


def list_visible(player: Player, viewer: Someone) -> QuerySet[PlayerRating]:
    """Return the ratings of a player that the viewer may see, the one with most matches first.

    A player hidden from search is visible to themselves and to directors of the list's club only.
    """
    rows = PlayerRating.objects.filter(player=player, player__erased_at__isnull=True)
    is_self = viewer.is_authenticated and player.user_id == viewer.pk
    if player.hidden_from_search and not is_self:
        rows = rows.filter(list__club__in=list_clubs_where(viewer, "players.find_hidden"))
    return rows.select_related("list__club", "player", "last").order_by("-matches", "list")


def load_card(player: Player, viewer: Someone, *, now: datetime) -> RatingCard | None:
    rows = list(list_visible(player, viewer))
    if not rows:
        return None
    standings = tuple(_load_standing(row, now=now) for row in rows)
    line = _draw_history(rows[0], PERIODS[USUAL], now=now)
    return RatingCard(player.key, standings, line, reverse("rankings:player", args=[player.key]))


def load_history(row: PlayerRating, *, period: str, number: int, now: datetime) -> History:
    """Return the graph of the period, and all matches, the latest first."""
    chosen = period if period in PERIODS else USUAL
    entries = _list_shown_entries(row).select_related("opponent")
    page = requests.paginate(entries.order_by("-at", "-match"), number, lambda entry: entry)
    return History(_load_standing(row, now=now), _draw_history(row, PERIODS[chosen], now=now), chosen, page)


def list_days(row: PlayerRating, since: datetime | None) -> list[tuple[date, float]]:
    """Return the rating at the end of each day with a rated match, and the last one before *since*."""
    entries = _list_shown_entries(row).order_by("at", "match")
    rating_by_day: dict[date, float] = {}
    if since is not None:
        before = entries.filter(at__lt=since).last()
        if before is not None:
            rating_by_day[timezone.localdate(since)] = before.after
        entries = entries.filter(at__gte=since)
    zone = timezone.get_current_timezone()
    for at, after in entries.values_list("at", "after"):
        rating_by_day[at.astimezone(zone).date()] = after
    return list(rating_by_day.items())


def _list_shown_entries(row: PlayerRating) -> QuerySet[LedgerEntry]:
    """Return the player's entries that lead to the displayed rating, during a rebuild those from before it."""
    before = rated_matches.find_rebuild_start(row.list)
    return rated_matches.list_shown_entries(row.list, before).filter(player=row.player_id)


def _draw_history(row: PlayerRating, back: timedelta | None, *, now: datetime) -> graph.Graph | None:
    return graph.draw_graph(list_days(row, now - back if back else None))


def _load_standing(row: PlayerRating, *, now: datetime) -> PlayerStanding:
    least = order.get_provisional_limit(row.list, now)
    entries = _list_shown_entries(row)
    page = reverse("rankings:player", args=[row.player.key])
    return PlayerStanding(
        row=row,
        place=order.compute_places(row.list, [row], least)[row.pk],
        of=PlayerRating.objects.filter(list=row.list).count(),
        is_provisional=row.experience < least,
        best=entries.order_by().aggregate(best=Max("after"))["best"],
        url=f"{page}?list={row.list.key}",
    )


@dataclass(frozen=True, slots=True)
class CommonList:
    """Two players in one list.

    `first` and `last` are the entries of one of them for their matches, None if the list has rated none.
    """

    list: RatingList
    first: LedgerEntry | None
    last: LedgerEntry | None
    one_now: float
    other_now: float


def list_common(one: Player, other: Player, viewer: Someone) -> tuple[CommonList, ...]:
    """Return the lists in which the viewer may see both players.

    The list with most matches of the first player comes first.
    """
    theirs = {row.list_id: row for row in list_visible(other, viewer)}
    found = []
    for row in list_visible(one, viewer):
        if against := theirs.get(row.list_id):
            met = _list_shown_entries(row).filter(opponent=other).order_by("at", "match")
            found.append(CommonList(row.list, met.first(), met.last(), row.rating, against.rating))
    return tuple(found)
