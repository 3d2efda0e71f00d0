"""What a director has just entered, and may take back without saying why."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from tournaments.models import Ruling, RulingKind

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament

# A slip is seen at once; what is found later is corrected, with a reason.
WITHIN: Final = timedelta(seconds=30)


class JustEntered(NamedTuple):
    """A result, and for how many seconds more it may be taken back."""

    ruling: int
    seconds: float
    score: tuple[int, int] | None
    # The number of the winner, where no score was entered.
    winner: int


def last(event: Tournament, by: User, *, now: datetime) -> JustEntered | None:
    """Return the last result that somebody has entered themselves and may still take back."""
    own = Ruling.objects.filter(tournament=event, by=by, act=RulingKind.ENTERED_RESULT)
    fresh = own.filter(restored_by__isnull=True, at__gte=now - WITHIN).order_by("-at", "-pk")
    found = fresh.values_list("pk", "at", "data").first()
    if found is None:
        return None
    ruling, at, data = found
    score = None if data["score"] is None else (data["score"][0], data["score"][1])
    return JustEntered(ruling, (at + WITHIN - now).total_seconds(), score, data.get("winner", 0))
