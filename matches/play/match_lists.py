"""Lists of matches: public ones, and those that a viewer sees with a delay.

Order and filters of a list must not reveal what its lines do not show yet. Delayed matches under way are
few: each is loaded with its delay; all others are sorted and filtered by the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import Case, DateTimeField, F, Q, Value, When

from matches.models import Match
from matches.models.matches import State
from matches.play import match_access
from matches.state.status import ENDED

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from players.models import User


class VisibleMatches:
    """Matches as shown to one viewer."""

    def __init__(self, rows: QuerySet[Match], user: User | AnonymousUser, *, now: datetime) -> None:
        self._rows = rows
        later = rows.filter(terms__delay__gt=0).exclude(status__in=ENDED)
        seen = ((row, match_access.copy_as_shown(row, user, now=now)) for row in later)
        self._later = {row.pk: shown for row, shown in seen if shown is not row}

    def latest_first(self, *, status: str = "") -> QuerySet[Match]:
        """Return the matches, optionally by status, latest visible move first."""
        rows = self._rows
        if status:
            pks = [pk for pk, shown in self._later.items() if shown.status == status]
            rows = rows.filter(Q(status=status) & ~Q(pk__in=self._later.keys()) | Q(pk__in=pks))
        if not self._later:
            return rows.order_by("-moved_at", "-pk")
        times = [When(pk=pk, then=Value(shown.moved_at)) for pk, shown in self._later.items()]
        moved = Case(*times, default=F("moved_at"), output_field=DateTimeField())
        return rows.order_by(moved.desc(), "-pk")

    def line(self, row: Match) -> Match:
        """Return the row, or a copy, as the viewer may see it now; a copy must not be saved."""
        return self._later.get(row.pk, row)


SIDES: Final = ("white", "black")
# The fields of the public name.
NAMES: Final = ("name", "alias", "shown_as", "erased_at")


def list_public() -> QuerySet[Match]:
    """Return the matches that everybody may see without delay."""
    return Match.objects.filter(is_private=False).exclude(terms__delay__gt=0)


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
