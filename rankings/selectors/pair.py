"""Two players in the lists that know both: where they stood when they met, and where they stand now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankings.selectors import rateable
from rankings.selectors.player import visible

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from players.models import Player, User
    from rankings.models import LedgerEntry, RatingList


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


def of(one: Player, other: Player, viewer: User | AnonymousUser) -> tuple[InList, ...]:
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
