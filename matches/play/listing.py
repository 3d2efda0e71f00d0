"""Lists of matches for viewers who see some of them with a delay.

Order and filters of a list must not reveal what its lines do not show yet. Delayed matches under way are
few: each is loaded with its delay; all others are sorted and filtered by the database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Case, DateTimeField, F, Q, Value, When

from matches.play import watching
from matches.state.status import ENDED

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from matches.models import Match
    from players.models import User


class Shown:
    """Matches as shown to one viewer."""

    def __init__(self, rows: QuerySet[Match], user: User | AnonymousUser, *, now: datetime) -> None:
        self._rows = rows
        later = rows.filter(terms__delay__gt=0).exclude(status__in=ENDED)
        seen = ((row, watching.as_shown(row, user, now=now)) for row in later)
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
        """Return a copy of a row as the viewer may see it now; it must not be saved."""
        return self._later.get(row.pk, row)
