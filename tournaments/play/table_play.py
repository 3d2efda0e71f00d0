"""A match at its table: the call to it, and the running score while its score sheet is kept.

A match is called when it is opened, unless its event waits for a call to a table
(`Tournament.waits_for_call`). From the call on, missing players are late.
"""

from __future__ import annotations

from datetime import datetime

from matches.play import notices
from players.models import User
from tournaments.base import bracket_cache, formats
from tournaments.hooks import ResumePosition
from tournaments.models import Pairing, PairingState, RulingKind, Tournament
from tournaments.play import changes, timing
from tournaments.play.changes import HelperActor


def record_call(
    event: Tournament, row: Pairing, *, table: str, by: User | HelperActor | None, now: datetime
) -> None:
    """Call an open match of a locked event; the caller broadcasts the change."""
    row.table = table.strip()[:12]
    row.running.pop("waits", None)
    _expect_players(event, row, now=now)
    _save_call(event, row, "table", "running")
    changes.record_ruling(event, RulingKind.CALLED, by=by, now=now, data={"key": row.key, "table": row.table})
    # Once for the two who meet, though they may be called again, or to another table.
    players = [entry.player for entry in (row.a, row.b) if entry is not None]
    key = "-".join([str(row.uid), *(str(pk) for pk in sorted(player.pk for player in players))])
    notices.notify_called(players, dedupe_key=key, url=event.get_absolute_url(), now=now)


def broadcast_calls(event: Tournament, *, now: datetime) -> None:
    """Broadcast calls in a locked event; its bracket does not change and stays cached."""
    sheet = bracket_cache.pop_bracket(event)
    changes.announce_to_pages(event, now=now)
    if sheet is not None:
        bracket_cache.cache_bracket(event, sheet)


def cancel_call(event: Tournament, row: Pairing) -> None:
    """Cancel the call of an open match of a locked event; with a score it waits to be called again."""
    row.called_at, row.table, row.a_here_at, row.b_here_at = None, "", None, None
    drop_no_show(row)
    if row.running and "adjourned" not in row.running:
        row.running["waits"] = True
    _save_call(event, row, "table", "a_here_at", "b_here_at", "running")


def set_wait_for_calls(event: Tournament, *, waits: bool, now: datetime) -> None:
    """Set whether matches of a locked event wait for a call to a table, including those already open.

    Matches at a table, or with a player present, are left alone.
    """
    event.waits_for_call = waits
    event.save(update_fields=["waits_for_call"])
    rows = Pairing.objects.filter(
        tournament=event, state=PairingState.READY, opened_at__isnull=False, table="", match__isnull=True
    )
    nobody_is_here = rows.filter(a_here_at__isnull=True, b_here_at__isnull=True, called_at__isnull=not waits)
    for row in nobody_is_here.select_related("stage"):
        # Matches played by appointment are not called.
        if not formats.is_over_days(row.stage):
            if waits:
                row.called_at = None
                drop_no_show(row)
            else:
                _expect_players(event, row, now=now)
            _save_call(event, row)


def drop_no_show(row: Pairing) -> None:
    """Call the director no longer for a missing player: both have come, or neither is expected. The caller saves it."""
    if row.needs_director == timing.DueReason.NO_SHOW:
        row.needs_director = ""


def _expect_players(event: Tournament, row: Pairing, *, now: datetime) -> None:
    row.called_at = now
    if row.needs_director != timing.DueReason.DISPUTE:
        row.needs_director = ""
    timing.renew_passed_deadline(event, row, now=now)


def _save_call(event: Tournament, row: Pairing, *columns: str) -> None:
    row.due_at = timing.find_next_due(event, row)
    row.save(update_fields=["called_at", "due_at", "deadline_at", "reminded_at", "needs_director", *columns])


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

    *score* is without penalty points (`Pairing.sheet_score` adds them). For an adjourned match the time of the
    adjournment is stored, and *turn*, the player on roll ("a" or "b"). *flag* is the player whose flag has
    fallen. Pages are re-rendered; webhooks are not notified.
    """
    was_adjourned, waits = "adjourned" in row.running, "waits" in row.running
    row.running = {} if score is None else {"seats": [row.a_id, row.b_id], "score": [*score]}
    if is_adjourned:
        row.running["adjourned"] = now.isoformat()
        if turn:
            row.running["turn"] = turn
    elif waits and row.running:
        # It still has no table.
        row.running["waits"] = True
    if flag and row.running:
        row.running["flag"] = flag
    if row.running:
        # Both are there.
        drop_no_show(row)
        row.due_at = timing.find_next_due(event, row)
    row.save(update_fields=["running", "needs_director", "due_at"])
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
        a, b = there.score
        row.running |= {"seats": [row.a_id, row.b_id], "score": [a - row.b_late, b - row.a_late]}
        # The ruling overrides the clock.
        row.running.pop("flag", None)
        if "adjourned" in row.running:
            row.running["turn"] = there.turn
    elif row.is_over_on_sheet:
        row.running = {}
    row.save(update_fields=["running"])
