"""Which of a list somebody asks for: by name, or who plays; all of it is in the address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from players.models.folded import words_of
from players.permissions import clubs_where
from players.selectors import people
from rankings.models import PlayerRating
from rankings.selectors import order

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from players.models import User
    from rankings.models import RatingList

    Viewer = User | AnonymousUser

# Whoever has played no rated match for so long is not active.
MONTHS: Final = 12
FEW: Final = 500
BACK: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks for; without anything, all of the list."""

    query: str = ""
    is_active: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """What is looked for in names."""
        return words_of(self.query)

    def __bool__(self) -> bool:
        return self.is_active or bool(self.words)


ALL: Final = Wanted()


def condition(wanted: Wanted, viewer: Viewer, *, now: datetime) -> Q | None:
    """Return what is asked of each rating; nothing where all are wanted.

    Whoever hides from searches stands in the list, and is found by name by themselves and by directors of their clubs.
    """
    asked = Q(last_at__gte=now - BACK) if wanted.is_active else Q()
    if wanted.words:
        insider_of = clubs_where(viewer, "players.find_hidden")
        found = people.visible_players(query=wanted.query, insider_of=insider_of)
        if viewer.is_authenticated:
            found |= people.named(wanted.query).filter(user=viewer.pk)
        keys = found.order_by().values_list("pk", flat=True)
        # Names are looked through once; where many have it, by each of the questions.
        few = list(keys[: FEW + 1])
        asked &= Q(player__in=few if len(few) <= FEW else keys)
    return asked or None


def mine(rating_list: RatingList, viewer: Viewer) -> PlayerRating | None:
    """Return the rating of whoever is looking."""
    if not viewer.is_authenticated:
        return None
    return PlayerRating.objects.filter(list=rating_list, player__user=viewer.pk).first()


def page_with(
    row: PlayerRating, wanted: Wanted, least: int, *, size: int, now: datetime
) -> tuple[int, Wanted]:
    """Return the page that somebody stands on, and of what; where the filters leave them out it is all of the list."""
    kept = Wanted(is_active=wanted.is_active and row.last_at >= now - BACK)
    which = Q(last_at__gte=now - BACK) if kept.is_active else None
    return 1 + order.ordered(row.list, least, which, now=now).before(row) // size, kept
