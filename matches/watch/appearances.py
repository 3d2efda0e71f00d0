"""Whom players have met on boards of this site: what speaks against two of them being one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max

from matches.models import Match
from matches.state.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection

    from players.hooks import Appearances


def collect(players: Collection[int], found: Appearances) -> None:
    """Note the matches of some players, and who has met whom."""
    finished = Match.objects.filter(status=Status.FINISHED)
    for side in ("white", "black"):
        rows = finished.filter(**{f"{side}__in": players}).order_by()
        for player, matches, at in rows.values_list(side).annotate(Count("pk"), Max("finished_at")):
            found.see(player, at, matches=matches)
    # Begun is enough: nobody sits down with themselves.
    both = Match.objects.filter(white__in=players, black__in=players).order_by()
    for one, other in both.values_list("white", "black").distinct():
        found.meet(one, other)
