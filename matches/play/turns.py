"""A player's unfinished matches: where something is owed, and which can be taken up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Q

from matches.models import Match
from matches.models.matches import Due
from matches.state.status import OPEN

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from players.models import Player


@dataclass(frozen=True, slots=True)
class Turns:
    """What waits for somebody, the most urgent first, and what waits for the others."""

    mine: tuple[Match, ...]
    theirs: tuple[Match, ...]

    @property
    def saved(self) -> tuple[Match, ...]:
        """Those without a clock: to leave one costs nothing."""
        return tuple(match for match in (*self.mine, *self.theirs) if not match.is_timed)


def turns(player: Player) -> Turns:
    """Return the unfinished matches of *player*."""
    mine: list[Match] = []
    theirs: list[Match] = []
    for match in _unfinished(player):
        side = Due.WHITE if match.white_id == player.pk else Due.BLACK
        (mine if match.due in {side, Due.BOTH} else theirs).append(match)
    return Turns(tuple(mine), tuple(theirs))


def count(player: Player) -> int:
    """Return in how many matches *player* owes something, for the price of two look-ups in an index."""
    is_mine = Q(white=player, due__in=(Due.WHITE, Due.BOTH)) | Q(black=player, due__in=(Due.BLACK, Due.BOTH))
    return Match.objects.filter(is_mine).count()


def _unfinished(player: Player) -> QuerySet[Match]:
    # What falls due first is the most urgent; without a deadline, what has waited longest.
    return (
        Match.objects.select_related("white", "black", "club")
        .filter(Q(white=player) | Q(black=player), status__in=OPEN)
        .order_by(F("deadline_at").asc(nulls_last=True), "moved_at", "pk")
    )


def recent(player: Player) -> QuerySet[Match]:
    """Return the finished matches of *player*, the last one first."""
    return (
        Match.objects.select_related("white", "black", "club")
        .filter(Q(white=player) | Q(black=player), finished_at__isnull=False)
        .order_by("-finished_at", "-pk")
    )
