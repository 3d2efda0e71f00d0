"""What was handed in, for those who may see it: who handed it in, the two who play the match, the club's directors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q

from players.permissions import clubs_where
from records.models import RecordMatch, Submission

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from players.models import User


def visible(user: User) -> QuerySet[Submission]:
    """Return the submissions that the account may see, without the bytes."""
    mine = (
        Q(by=user)
        | Q(pairing__a__player__user=user)
        | Q(pairing__b__player__user=user)
        | Q(club__in=clubs_where(user, "tournaments.direct").values("pk"))
    )
    return (
        Submission.objects.filter(pk__in=Submission.objects.filter(mine).values("pk"))
        .select_related("club", "file", "by__player")
        .defer("file__content")
        .prefetch_related(Prefetch("file__matches", RecordMatch.objects.order_by("number")))
    )
