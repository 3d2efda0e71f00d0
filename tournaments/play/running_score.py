"""The running score of a match played over a physical board, while its score sheet is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Pairing, Tournament
from tournaments.play import changes

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.hooks import ResumePosition


def set_score(
    event: Tournament,
    row: Pairing,
    score: tuple[int, int] | None,
    *,
    now: datetime,
    is_adjourned: bool = False,
    turn: str = "",
    flag: str = "",
) -> None:
    """Show this score for an open match of a locked event on all pages; None removes it.

    For an adjourned match the time of the adjournment is stored, and *turn*, the player on roll ("a" or "b").
    *flag* is the player whose flag has fallen. Pages are re-rendered; webhooks are not notified.
    """
    was_adjourned = "adjourned" in row.running
    row.running = {} if score is None else {"seats": [row.a_id, row.b_id], "score": [*score]}
    if is_adjourned:
        row.running["adjourned"] = now.isoformat()
        if turn:
            row.running["turn"] = turn
    if flag and row.running:
        row.running["flag"] = flag
    row.save(update_fields=["running"])
    if score is None or was_adjourned or is_adjourned:
        # Players and tables become free, or are needed again.
        changes.invalidate_pages(Tournament.objects.filter(pk=event.pk), now=now)
    else:
        changes.announce_running_score(event, now=now)


def set_resumed_score(row: Pairing, there: ResumePosition | None) -> None:
    """Show the score at which an open match of a locked event is played on; the caller notifies the pages.

    Without a score the former one is kept, unless it ends the match.
    """
    if there is not None:
        row.running |= {"seats": [row.a_id, row.b_id], "score": [*there.score]}
        # The ruling overrides the clock.
        row.running.pop("flag", None)
        if "adjourned" in row.running:
            row.running["turn"] = there.turn
    elif max(row.running.get("score", (0, 0))) >= row.length:
        row.running = {}
    row.save(update_fields=["running"])
