"""A player's unfinished and finished matches."""

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
    """Unfinished matches by whose turn it is, the most urgent first."""

    mine: tuple[Match, ...]
    theirs: tuple[Match, ...]

    @property
    def saved(self) -> tuple[Match, ...]:
        """Matches without a clock, which can be left at any time."""
        return tuple(match for match in (*self.mine, *self.theirs) if not match.is_timed)


def list_turns(player: Player) -> Turns:
    """Return the unfinished matches of *player*."""
    mine: list[Match] = []
    theirs: list[Match] = []
    for match in _list_unfinished(player):
        side = Due.WHITE if match.white_id == player.pk else Due.BLACK
        (mine if match.due in {side, Due.BOTH} else theirs).append(match)
    return Turns(tuple(mine), tuple(theirs))


def _list_unfinished(player: Player) -> QuerySet[Match]:
    # The next deadline first; without a deadline, the longest waiting.
    return (
        Match.objects.select_related("white", "black", "club")
        .filter(Q(white=player) | Q(black=player), status__in=OPEN)
        .order_by(F("deadline_at").asc(nulls_last=True), "moved_at", "pk")
    )


def list_recent(player: Player) -> QuerySet[Match]:
    """Return the finished matches of *player*, the latest first."""
    return (
        Match.objects.select_related("white", "black", "club")
        .filter(Q(white=player) | Q(black=player), finished_at__isnull=False)
        .order_by("-finished_at", "-pk")
    )
