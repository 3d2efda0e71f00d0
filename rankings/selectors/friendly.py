"""What the lists that rate some clubs say of friendlies: which of them count, where any do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rankings.models import Policy
from rankings.selectors import reach

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from rankings.models import RatingList


class Counting(NamedTuple):
    """A list, and the version of its policy that is in force where it takes friendlies."""

    list: RatingList
    policy: Policy | None


def of(clubs: Collection[int], *, now: datetime) -> tuple[Counting, ...]:
    """Return the lists that rate these clubs, each with the policy by which friendlies count; None where they do not."""
    lists = list(reach.rating(clubs).select_related("club").order_by("club", "pk"))
    rows = Policy.objects.filter(list__in=lists, from_at__lte=now).order_by("from_at")
    # The last one that has begun.
    in_force = {row.list_id: row for row in rows}
    return tuple(
        Counting(each, row if (row := in_force.get(each.pk)) is not None and row.friendlies else None)
        for each in lists
    )
