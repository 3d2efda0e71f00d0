"""Filters of a list, by name or activity; all of them are in the URL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from players.access.permissions import list_clubs_where
from players.models import User
from players.models.folded_names import split_query
from players.people import people
from rankings.ledger import order
from rankings.models import PlayerRating, RatingList

Viewer = User | AnonymousUser

# The default until the list's policy is known.
MONTHS: Final = 12
FEW: Final = 500
# Two months in days, so that twelve months are 366 days.
TWO_MONTHS: Final = 61


@dataclass(frozen=True, slots=True)
class ListFilters:
    """The filters of a request; by default the whole list."""

    query: str = ""
    is_active: bool = False
    # Months without a rated match after which a player is inactive, by the list's policy; 0: never.
    months: int = MONTHS

    @property
    def words(self) -> tuple[str, ...]:
        return split_query(self.query)

    def since(self, now: datetime) -> datetime | None:
        """Return the time since which a player must have a rated match; None without the activity filter."""
        return compute_active_since(self.months, now) if self.is_active else None

    def __bool__(self) -> bool:
        return self.is_active or bool(self.words)


ALL: Final = ListFilters()


def compute_active_since(months: int, now: datetime) -> datetime | None:
    """Return the time since which an active player has a rated match; None if everybody is active."""
    return now - timedelta(days=months * TWO_MONTHS // 2) if months else None


def build_condition(wanted: ListFilters, viewer: Viewer, *, now: datetime) -> Q | None:
    """Return the condition on each rating; None without filters.

    Players hidden from search are in the list, but only they themselves and directors of their clubs find
    them by name.
    """
    begins = wanted.since(now)
    condition = Q(last_at__gte=begins) if begins else Q()
    if wanted.words:
        insider_of = list_clubs_where(viewer, "players.find_hidden")
        found = people.list_visible_players(query=wanted.query, insider_of=insider_of)
        if viewer.is_authenticated:
            found |= people.find_named_players(wanted.query).filter(user=viewer.pk)
        keys = found.order_by().values_list("pk", flat=True)
        # Names are searched once; if many match, the search is repeated as a subquery.
        few = list(keys[: FEW + 1])
        condition &= Q(player__in=few if len(few) <= FEW else keys)
    return condition or None


def find_own_rating(rating_list: RatingList, viewer: Viewer) -> PlayerRating | None:
    if not viewer.is_authenticated:
        return None
    return PlayerRating.objects.filter(list=rating_list, player__user=viewer.pk).first()


def find_page(
    row: PlayerRating, wanted: ListFilters, least: int, *, size: int, now: datetime
) -> tuple[int, ListFilters]:
    """Return the page with this row, and the filters for it.

    The name filter is dropped; the activity filter stays if the row passes it.
    """
    begins = wanted.since(now)
    kept = ListFilters(is_active=begins is not None and row.last_at >= begins, months=wanted.months)
    which = Q(last_at__gte=begins) if kept.is_active else None
    return 1 + order.OrderedPlayers(row.list, least, which, now=now).before(row) // size, kept
