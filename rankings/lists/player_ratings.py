"""A player's ratings: where they stand in each list, and how they came there, alone and beside another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from players.access import paging
from players.access.permissions import clubs_where
from rankings.ledger import order, rateable
from rankings.lists import graph
from rankings.models import PlayerRating

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from players.models import Player, User
    from rankings.models import LedgerEntry, RatingList

    Someone = User | AnonymousUser

# What the address may ask for, and how far back that is.
PERIODS: Final[Mapping[str, timedelta | None]] = {
    "quarter": timedelta(days=92),
    "year": timedelta(days=366),
    "all": None,
}
USUAL: Final = "year"


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a player stands in one list."""

    list: RatingList
    place: int
    of: int
    is_provisional: bool
    rating: float
    deviation: float
    best: float
    experience: int
    matches: int
    url: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a player's page says of their ratings: the list they have played most in, and the others."""

    # The player's.
    key: str
    stands: tuple[Stand, ...]
    graph: graph.Graph | None
    url: str


@dataclass(frozen=True, slots=True)
class Played:
    """A rated match, as the player's history tells it."""

    at: datetime
    opponent: str
    opponent_url: str
    url: str
    won: bool
    length: int
    before: float
    change: float
    after: float


@dataclass(frozen=True, slots=True)
class History:
    """How a player came to their rating in one list."""

    stand: Stand
    graph: graph.Graph | None
    period: str
    page: paging.Page[Played]


def visible(player: Player, viewer: Someone) -> QuerySet[PlayerRating]:
    """Return the ratings of a player that somebody may see on the player's own pages, the one with most matches first.

    Who hides from searches shows them to themselves and to those clubs' directors, as with their clubs.
    """
    rows = PlayerRating.objects.filter(player=player, player__erased_at__isnull=True)
    is_self = viewer.is_authenticated and player.user_id == viewer.pk
    if player.hidden_from_search and not is_self:
        rows = rows.filter(list__club__in=clubs_where(viewer, "players.find_hidden"))
    return rows.select_related("list__club", "player", "last").order_by("-matches", "list")


def card(player: Player, viewer: Someone, *, now: datetime) -> Card | None:
    """Return what the player's page says; nothing where no list knows them."""
    rows = list(visible(player, viewer))
    if not rows:
        return None
    stands = tuple(_stand(row, now=now) for row in rows)
    line = _graph(rows[0], PERIODS[USUAL], now=now)
    return Card(player.key, stands, line, reverse("rankings:player", args=[player.key]))


def history(row: PlayerRating, *, period: str, number: int, now: datetime) -> History:
    """Return how a player came to a rating: the line of the period, and all matches, the latest first."""
    chosen = period if period in PERIODS else USUAL
    entries = rateable.entered(row.list).filter(player=row.player_id).select_related("opponent")
    slug = row.list.club.slug
    page = paging.cut(entries.order_by("-at", "-match"), number, lambda entry: _played(entry, slug))
    return History(_stand(row, now=now), _graph(row, PERIODS[chosen], now=now), chosen, page)


def days(row: PlayerRating, since: datetime | None) -> list[tuple[date, float]]:
    """Return the rating at the end of each day on which the player was rated; of the days before *since*, the last."""
    entries = rateable.entered(row.list).filter(player=row.player_id).order_by("at", "match")
    told: dict[date, float] = {}
    if since is not None:
        before = entries.filter(at__lt=since).last()
        if before is not None:
            told[timezone.localdate(since)] = before.after
        entries = entries.filter(at__gte=since)
    zone = timezone.get_current_timezone()
    for at, after in entries.values_list("at", "after"):
        told[at.astimezone(zone).date()] = after
    return list(told.items())


def _graph(row: PlayerRating, back: timedelta | None, *, now: datetime) -> graph.Graph | None:
    return graph.draw(days(row, now - back if back else None))


def _stand(row: PlayerRating, *, now: datetime) -> Stand:
    least = order.least_at(row.list, now)
    entries = rateable.entered(row.list).filter(player=row.player_id)
    page = reverse("rankings:player", args=[row.player.key])
    return Stand(
        list=row.list,
        place=order.places(row.list, [row], least)[row.pk],
        of=PlayerRating.objects.filter(list=row.list).count(),
        is_provisional=row.experience < least,
        rating=row.rating,
        deviation=row.last.deviation,
        best=entries.order_by().aggregate(best=Max("after"))["best"],
        experience=row.experience,
        matches=row.matches,
        url=f"{page}?list={row.list.key}",
    )


def _played(entry: LedgerEntry, slug: str) -> Played:
    return Played(
        at=entry.at,
        opponent=entry.opponent.public_name,
        opponent_url=entry.opponent.get_absolute_url(),
        url=reverse("rankings:match", args=[slug, entry.match]),
        won=entry.won,
        length=entry.length,
        before=entry.before,
        change=entry.change,
        after=entry.after,
    )


@dataclass(frozen=True, slots=True)
class BothRatings:
    """Both ratings before a match of the two."""

    at: datetime
    one: float
    other: float


@dataclass(frozen=True, slots=True)
class InList:
    """Two players in one list; the moments are missing where it has rated no match between them."""

    list: RatingList
    first: BothRatings | None
    last: BothRatings | None
    one_now: float
    other_now: float


def of_two(one: Player, other: Player, viewer: Someone) -> tuple[InList, ...]:
    """Return the lists in which this person may see both, the one with most matches of the first on top."""
    theirs = {row.list_id: row for row in visible(other, viewer)}
    found = []
    for row in visible(one, viewer):
        if row.list_id in theirs:
            against = theirs[row.list_id]
            met = rateable.entered(row.list).filter(player=one, opponent=other).order_by("at", "match")
            found.append(
                InList(
                    list=row.list,
                    first=_moment(met.first()),
                    last=_moment(met.last()),
                    one_now=row.rating,
                    other_now=against.rating,
                )
            )
    return tuple(found)


def _moment(entry: LedgerEntry | None) -> BothRatings | None:
    return BothRatings(entry.at, entry.before, entry.opponent_before) if entry else None
