"""Who stands where in a list: established ratings first, then provisional ones, each by the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Case, IntegerField, When

from rankings.models import PlayerRating

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from rankings.models import Policy, RatingList

# Two figures that look the same are a tie.
DIGITS: Final = 2
HALF: Final = 0.005


def policy_at(rating_list: RatingList, now: datetime) -> Policy | None:
    """Return the version of a list's policy that is in force."""
    return rating_list.policies.filter(from_at__lte=now).order_by("-from_at").first()


def least_at(rating_list: RatingList, now: datetime) -> int:
    """Return below how much experience a rating is provisional."""
    policy = policy_at(rating_list, now)
    return policy.provisional_under if policy else 0


def ordered(rating_list: RatingList, least: int) -> QuerySet[PlayerRating]:
    """Return everybody in a list in their order; with less experience than the *least* they are provisional."""
    # Few matches say little: who is provisional stands below everybody else, whatever the figure.
    is_ranked = Case(When(last__experience__gte=least, then=1), default=0, output_field=IntegerField())
    rows = PlayerRating.objects.filter(list=rating_list).select_related("player", "last")
    return rows.annotate(is_ranked=is_ranked).order_by("-is_ranked", "-rating", "player")


def places(rating_list: RatingList, rows: Sequence[PlayerRating], least: int) -> dict[int, int]:
    """Number rows that follow one another in the order of the list."""
    everybody = PlayerRating.objects.filter(list=rating_list)
    ranked = everybody.filter(last__experience__gte=least)
    found = _places(ranked, [row for row in rows if row.last.experience >= least])
    if below := [row for row in rows if row.last.experience < least]:
        provisional = everybody.filter(last__experience__lt=least)
        found |= _places(provisional, below, after=ranked.count())
    return found


def _places(among: QuerySet[PlayerRating], rows: Sequence[PlayerRating], *, after: int = 0) -> dict[int, int]:
    """Number rows, from the first place *after* others; who shows the same figure shares it."""
    if not rows:
        return {}
    # Half of the last digit: from there on a figure is rounded up to the one above.
    top = round(rows[0].rating, DIGITS)
    above = after + among.filter(rating__gte=top + HALF).count()
    level = among.filter(rating__lt=top + HALF, rating__gt=rows[0].rating).count()
    found: dict[int, int] = {}
    shared, last = above + 1, top
    for number, row in enumerate(rows, above + level + 1):
        if (figure := round(row.rating, DIGITS)) != last:
            shared, last = number, figure
        found[row.pk] = shared
    return found
