"""Publishing of a match's state at a table on its event's pages, also when a flag falls without a tap."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from records.models import ScoreSheet
from records.sheets import current_positions, stored_sheets
from records.sheets.clock_words import to_milliseconds
from records.sheets.sheet import SheetState
from runtime.work import failures
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.play import changes, table_play
from tournaments.status import Status

# Flags per sweep, each in its own transaction, so that taps do not wait for the others.
PORTION: Final = 50


def publish_state(event: Tournament, row: Pairing, state: SheetState, *, now: datetime) -> None:
    if state.is_adjourned:
        # The players leave the table, and lateness does not count for an adjourned match.
        table_play.cancel_call(event, row)
    flag = find_fallen_flag(state, now=now)
    score = state.won if state.games or state.is_adjourned or flag else None
    turn = current_positions.find_turn(state) if state.is_adjourned else ""
    table_play.set_score(event, row, score, now=now, is_adjourned=state.is_adjourned, turn=turn, flag=flag)


def publish_flag(event: Tournament, row: Pairing, state: SheetState, *, now: datetime) -> None:
    """Publish a change of the fallen flag; a running clock alone is not published."""
    if find_fallen_flag(state, now=now) != row.running.get("flag", ""):
        publish_state(event, row, state, now=now)


def store_flag_time(sheet: ScoreSheet, state: SheetState, *, now: datetime) -> None:
    """Store when the flag will fall without a tap; None if it will not."""
    deadline = None
    if state.clock is not None and not find_fallen_flag(state, now=now):
        deadline = state.clock.clock.deadline()
    flag_at = None if deadline is None else datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=deadline)
    if sheet.flag_at != flag_at:
        sheet.flag_at = flag_at
        sheet.save(update_fields=["flag_at"])


def find_fallen_flag(state: SheetState, *, now: datetime) -> str:
    """Find the side whose flag has fallen, "a" or "b"; "" if none."""
    return state.clock.fallen(to_milliseconds(now)) if state.clock is not None else ""


def query_due(at: Any) -> Iterator[QuerySet[ScoreSheet]]:
    """Yield the sheets whose flag fell by *at* without being published, except in paused events."""
    yield ScoreSheet.objects.filter(
        flag_at__lte=at,
        pairing__state=PairingState.READY,
        pairing__tournament__status=Status.RUNNING,
        pairing__tournament__paused_at__isnull=True,
    )


def sweep(now: datetime) -> int:
    """Publish flags that fell since the last run; return their number."""
    [waiting] = query_due(now)
    found = waiting.order_by("flag_at").values_list("pairing__tournament", "pk")[:PORTION]
    return failures.process_each(
        "records.flags",
        found,
        lambda each: _publish_fallen_flag(*each, now=now),
        key=lambda each: each[1],
        now=now,
    )


def _publish_fallen_flag(tournament_id: int, pk: int, *, now: datetime) -> bool:
    """Publish a fallen flag, unless the sheet was tapped in the meantime or the players changed."""
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        [waiting] = query_due(now)
        sheet = waiting.filter(pk=pk).select_related("pairing").first()
        if sheet is None:
            return False
        row = sheet.pairing
        state = stored_sheets.load_state(row, sheet)
        if (row.a_id, row.b_id) == (sheet.a_id, sheet.b_id) and row.match_id is None:
            publish_flag(event, row, state, now=now)
            store_flag_time(sheet, state, now=now)
        else:
            ScoreSheet.objects.filter(pk=pk).update(flag_at=None)
        return True
