"""Lists of public matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matches.models import Match
from matches.models.matches import State

if TYPE_CHECKING:
    from django.db.models import QuerySet


SIDES: Final = ("white", "black")
# The fields of the public name.
NAMES: Final = ("name", "alias", "shown_as", "erased_at")


def list_public() -> QuerySet[Match]:
    """Return the matches that everybody may see."""
    return Match.objects.filter(is_private=False)


def list_in_play() -> QuerySet[Match]:
    """Return the public matches between people in play, those with a clock first."""
    rows = list_public().filter(status=State.LIVE, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-is_timed", "-created_at", "-pk")


def list_finished() -> QuerySet[Match]:
    """Return the finished public matches between people, the latest first."""
    rows = list_public().filter(status=State.FINISHED, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-moved_at", "-pk")


def query_version_facts(rows: QuerySet[Match]) -> QuerySet[Match, tuple[Any, ...]]:
    """Return a queryset of the values that determine these matches' tiles."""
    return rows.values_list(
        "pk", "head", "club__name", *(f"{side}__{name}" for side in SIDES for name in NAMES)
    )


def compute_version_key(rows: QuerySet[Match]) -> tuple[object, ...]:
    """Return the version key of these matches' tiles."""
    return tuple(query_version_facts(rows))
