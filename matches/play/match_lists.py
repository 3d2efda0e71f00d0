"""Lists of matches: public ones, and a player's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from matches.models import Match
from matches.models.matches import Due, State
from matches.state.status import OPEN
from players.models import Player

SIDES: Final = ("white", "black")
# The fields of the public name.
NAMES: Final = ("name", "alias", "shown_as", "erased_at")


def list_public() -> QuerySet[Match]:
    return Match.objects.filter(is_private=False)


def list_in_play() -> QuerySet[Match]:
    """Return the public matches between people in play, those with a clock first."""
    rows = list_public().filter(status=State.LIVE, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-is_timed", "-created_at", "-pk")


def list_finished() -> QuerySet[Match]:
    rows = list_public().filter(status=State.FINISHED, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-moved_at", "-pk")


def query_version_facts(rows: QuerySet[Match]) -> QuerySet[Match, tuple[Any, ...]]:
    """Return a queryset of the values that determine these matches' tiles."""
    return rows.values_list(
        "pk", "head", "club__name", *(f"{side}__{name}" for side in SIDES for name in NAMES)
    )


# -- of a player ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turns:
    """Unfinished matches by whose turn it is, the most urgent first."""

    mine: tuple[Match, ...]
    theirs: tuple[Match, ...]

    @property
    def saved(self) -> tuple[Match, ...]:
        """Matches without a clock."""
        return tuple(match for match in (*self.mine, *self.theirs) if not match.is_timed)


def list_turns(player: Player) -> Turns:
    mine: list[Match] = []
    theirs: list[Match] = []
    # The next deadline first; without a deadline, the longest waiting.
    unfinished = _list_matches(player).filter(status__in=OPEN)
    for match in unfinished.order_by(F("deadline_at").asc(nulls_last=True), "moved_at", "pk"):
        side = Due.WHITE if match.white_id == player.pk else Due.BLACK
        (mine if match.due in {side, Due.BOTH} else theirs).append(match)
    return Turns(tuple(mine), tuple(theirs))


def list_recent(player: Player) -> QuerySet[Match]:
    return _list_matches(player).filter(finished_at__isnull=False).order_by("-finished_at", "-pk")


def _list_matches(player: Player) -> QuerySet[Match]:
    rows = Match.objects.select_related("white", "black", "club")
    return rows.filter(Q(white=player) | Q(black=player))
