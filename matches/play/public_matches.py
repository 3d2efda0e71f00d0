"""Which matches everybody may see as they are, and what their boards are drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matches.models import Match
from matches.models.matches import State

if TYPE_CHECKING:
    from django.db.models import QuerySet

SIDES: Final = ("white", "black")
# Of these the name is made that everybody may read.
NAMES: Final = ("name", "alias", "shown_as", "erased_at")


def seen_by_all() -> QuerySet[Match]:
    """Return the matches that everybody may see as they are."""
    return Match.objects.filter(is_private=False).exclude(terms__delay__gt=0)


def in_play() -> QuerySet[Match]:
    """Return the matches between people that are being played and everybody may see, those with a clock first."""
    rows = seen_by_all().filter(status=State.LIVE, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-is_timed", "-created_at", "-pk")


def over() -> QuerySet[Match]:
    """Return the matches between people that were played out and everybody may see, the last one first."""
    rows = seen_by_all().filter(status=State.FINISHED, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-moved_at", "-pk")


def facts(rows: QuerySet[Match]) -> QuerySet[Match, tuple[Any, ...]]:
    """Return what the tiles of these matches are made of: while it stays the same, so do they."""
    return rows.values_list(
        "pk", "head", "club__name", *(f"{side}__{name}" for side in SIDES for name in NAMES)
    )


def mark(rows: QuerySet[Match]) -> tuple[object, ...]:
    """Return the same, read."""
    return tuple(facts(rows))
