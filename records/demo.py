"""The score sheet of the demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from players.models import User
from records.sheets import tap_storage
from records.sheets.sheet import GAME, Tap
from tournaments.models import Pairing, Tournament

GAMES: Final = (("a", "single", 1), ("b", "single", 2))
MOST_POINTS: Final = 2


def fill_score_sheet(
    *, event: Tournament, waiting: Sequence[Pairing], by: User, now: datetime, **_signal: object
) -> None:
    """Write the first games of the first match that is not decided by them."""
    row = next((one for one in waiting if one.length > MOST_POINTS), None)
    if row is None:
        return
    for number, (winner, end, cube) in enumerate(GAMES, start=1):
        tap_storage.store_tap(
            tournament_id=event.pk,
            match=row.key,
            key=f"demo-{number}",
            what=Tap(GAME, number, winner, end, cube),
            by=by,
            now=now,
        )
