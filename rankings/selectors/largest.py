"""The list of a club that rates most players, for packages that know nothing of lists (`players.selectors.ratings`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count

from players.selectors.ratings import Listed
from rankings.models import PlayerRating, RatingList

if TYPE_CHECKING:
    from players.models import Club


def of_club(club: Club) -> Listed | None:
    """Return it; None where no list of the club rates anybody."""
    rows = RatingList.objects.filter(club=club).annotate(rated=Count("ratings")).filter(rated__gt=0)
    row = rows.order_by("-rated", "pk").first()
    if row is None:
        return None
    return Listed(row.name, dict(PlayerRating.objects.filter(list=row).values_list("player", "rating")))
