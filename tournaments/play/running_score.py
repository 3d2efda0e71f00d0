"""How a match stands that is played over a board of wood, while somebody keeps its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Pairing, Tournament
from tournaments.play import changes

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.hooks import PlaysOn


def keep(
    event: Tournament,
    row: Pairing,
    score: tuple[int, int] | None,
    *,
    now: datetime,
    is_adjourned: bool = False,
    turn: str = "",
    flag: str = "",
) -> None:
    """Show this score wherever an open match of a locked event is shown; None: nobody keeps it any more.

    A match that is adjourned is not being played: the time tells since when, and *turn* whose turn it is, "a" or "b".
    *flag* is whose flag has fallen.

    Nothing has happened in the event: pages are made anew, and nobody outside is told.
    """
    row.running = {} if score is None else {"seats": [row.a_id, row.b_id], "score": [*score]}
    if is_adjourned:
        row.running["adjourned"] = now.isoformat()
        if turn:
            row.running["turn"] = turn
    if flag and row.running:
        row.running["flag"] = flag
    row.save(update_fields=["running"])
    changes.touch(Tournament.objects.filter(pk=event.pk), now=now)


def play_on(row: Pairing, there: PlaysOn | None) -> None:
    """Show the score of an open match of a locked event at which its two were told to play on; whoever calls tells the pages.

    Where no score was said that of before stays, but for one that ends a match: nobody plays on at that.
    """
    if there is not None:
        row.running |= {"seats": [row.a_id, row.b_id], "score": [*there.score]}
        # Whatever the clock says, they were told to play on.
        row.running.pop("flag", None)
        if "adjourned" in row.running:
            row.running["turn"] = there.turn
    elif max(row.running.get("score", (0, 0))) >= row.length:
        row.running = {}
    row.save(update_fields=["running"])
