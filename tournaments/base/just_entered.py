"""What a director has just entered, and may take back without saying why."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from tournaments.models import Pairing, Ruling, RulingKind, Stand

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament

# A slip is seen at once; what is found later is corrected, with a reason.
WITHIN: Final = timedelta(seconds=30)


class JustEntered(NamedTuple):
    """A result, and for how many seconds more it may be taken back."""

    ruling: int
    # The key of the match.
    match: str
    seconds: float
    score: tuple[int, int] | None
    # The number of the winner, where no score was entered.
    winner: int


def last(event: Tournament, by: User, *, now: datetime) -> JustEntered | None:
    """Return the last result that somebody has entered themselves, that still stands, and that they may still take back."""
    own = Ruling.objects.filter(tournament=event, by=by, act=RulingKind.ENTERED_RESULT)
    fresh = own.filter(restored_by__isnull=True, at__gte=now - WITHIN).order_by("-at", "-pk")
    found = list(fresh.values_list("pk", "at", "data"))
    standing = _standing(event, [data["key"] for _pk, _at, data in found])
    for ruling, at, data in found:
        # A correction may have opened the match again, or ended it otherwise.
        if standing.get(data["key"]) == (data["score"], data.get("winner", 0)):
            score = None if data["score"] is None else (data["score"][0], data["score"][1])
            return JustEntered(
                ruling, data["key"], (at + WITHIN - now).total_seconds(), score, data.get("winner", 0)
            )
    return None


def _standing(event: Tournament, keys: list[str]) -> dict[str, tuple[list[int] | None, int]]:
    """Return how these matches stand, as rulings say it: the score, or else the winner's number."""
    if not keys:
        return {}
    rows = Pairing.objects.filter(tournament=event, key__in=keys, state=Stand.DECIDED, winner__isnull=False)
    return {
        key: (None, number) if a is None or b is None else ([a, b], 0)
        for key, a, b, number in rows.values_list("key", "score_a", "score_b", "winner__number")
    }
