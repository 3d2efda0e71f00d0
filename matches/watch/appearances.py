"""Matches of players, as evidence for merging: two who have met are not one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max

from matches.models import Match
from matches.state.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection

    from players.hooks import Appearances


def collect(players: Collection[int], found: Appearances) -> None:
    """Collect the number of matches of these players, and who has met whom."""
    finished = Match.objects.filter(status=Status.FINISHED)
    for side in ("white", "black"):
        rows = finished.filter(**{f"{side}__in": players}).order_by()
        for player, matches, at in rows.values_list(side).annotate(Count("pk"), Max("finished_at")):
            found.see(player, at, matches=matches)
    # Unfinished matches count as well.
    both = Match.objects.filter(white__in=players, black__in=players).order_by()
    for one, other in both.values_list("white", "black").distinct():
        found.meet(one, other)
