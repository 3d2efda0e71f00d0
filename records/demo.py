"""A score sheet of the demonstration, kept at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from records.services import keeping
from records.sheet import GAME, Tap

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Pairing, Tournament

GAMES: Final = (("a", "single", 1), ("b", "single", 2))


def keep_score(event: Tournament, row: Pairing, *, by: User, now: datetime) -> None:
    """Write down the first games of a match."""
    for number, (winner, end, cube) in enumerate(GAMES, start=1):
        keeping.tap(
            tournament_id=event.pk,
            match=row.key,
            key=f"demo-{number}",
            what=Tap(GAME, number, winner, end, cube),
            by=by,
            now=now,
        )
