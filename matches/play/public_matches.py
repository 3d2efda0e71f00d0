"""Matches that everybody may see without delay, and the version keys of their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matches.models import Match
from matches.models.matches import State

if TYPE_CHECKING:
    from django.db.models import QuerySet

SIDES: Final = ("white", "black")
# The fields of the public name.
NAMES: Final = ("name", "alias", "shown_as", "erased_at")


def seen_by_all() -> QuerySet[Match]:
    """Return the matches that everybody may see without delay."""
    return Match.objects.filter(is_private=False).exclude(terms__delay__gt=0)


def in_play() -> QuerySet[Match]:
    """Return the public matches between people in play, those with a clock first."""
    rows = seen_by_all().filter(status=State.LIVE, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-is_timed", "-created_at", "-pk")


def over() -> QuerySet[Match]:
    """Return the finished public matches between people, the latest first."""
    rows = seen_by_all().filter(status=State.FINISHED, has_bot=False).select_related("white", "black", "club")
    return rows.order_by("-moved_at", "-pk")


def facts(rows: QuerySet[Match]) -> QuerySet[Match, tuple[Any, ...]]:
    """Return the version keys of these matches' tiles."""
    return rows.values_list(
        "pk", "head", "club__name", *(f"{side}__{name}" for side in SIDES for name in NAMES)
    )


def mark(rows: QuerySet[Match]) -> tuple[object, ...]:
    """Return the evaluated version keys."""
    return tuple(facts(rows))
