"""Which of a list somebody asks for: by name, or who plays; all of it is in the address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from players.access.permissions import clubs_where
from players.models.folded import words_of
from players.people import people
from rankings.ledger import order
from rankings.models import PlayerRating

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from players.models import User
    from rankings.models import RatingList

    Viewer = User | AnonymousUser

# Where a list has no policy yet.
MONTHS: Final = 12
FEW: Final = 500
# So many days are two months: twelve are 366, whatever the year.
TWO_MONTHS: Final = 61


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks for; without anything, all of the list."""

    query: str = ""
    is_active: bool = False
    # Whoever has played no rated match for so long is inactive, as the list's policy says; 0: nobody is.
    months: int = MONTHS

    @property
    def words(self) -> tuple[str, ...]:
        """What is looked for in names."""
        return words_of(self.query)

    def since(self, now: datetime) -> datetime | None:
        """Return since when somebody has to have played to be shown; nothing where it does not matter."""
        return since(self.months, now) if self.is_active else None

    def __bool__(self) -> bool:
        return self.is_active or bool(self.words)


ALL: Final = Wanted()


def since(months: int, now: datetime) -> datetime | None:
    """Return since when somebody has to have played a rated match to be active; nothing where everybody is."""
    return now - timedelta(days=months * TWO_MONTHS // 2) if months else None


def condition(wanted: Wanted, viewer: Viewer, *, now: datetime) -> Q | None:
    """Return what is asked of each rating; nothing where all are wanted.

    Whoever hides from searches stands in the list, and is found by name by themselves and by directors of their clubs.
    """
    begins = wanted.since(now)
    asked = Q(last_at__gte=begins) if begins else Q()
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
    begins = wanted.since(now)
    kept = Wanted(is_active=begins is not None and row.last_at >= begins, months=wanted.months)
    which = Q(last_at__gte=begins) if kept.is_active else None
    return 1 + order.ordered(row.list, least, which, now=now).before(row) // size, kept
