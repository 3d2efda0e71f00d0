"""How a match at a table stands, on the pages of its event: as it was tapped, and also when nobody taps and a flag falls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from records.models import ScoreSheet
from records.sheets import adjourning, sheet_pages
from records.sheets.clock_words import milliseconds
from runtime.work import failures
from tournaments.models import Stand
from tournaments.play import calls, changes, running_score
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from records.sheets.sheet import SheetState
    from tournaments.models import Pairing, Tournament

# Each is a transaction of its own: whoever taps waits for none of the others.
PORTION: Final = 50


def show(event: Tournament, row: Pairing, state: SheetState, *, now: datetime) -> None:
    """Have everybody see how the match stands."""
    if state.is_adjourned:
        # They leave the table, and nobody is late for what goes on another time.
        calls.take_back(event, row)
    flag = fallen(state, now=now)
    score = state.score if state.games or state.is_adjourned or flag else None
    turn = adjourning.turn(state) if state.is_adjourned else ""
    running_score.keep(event, row, score, now=now, is_adjourned=state.is_adjourned, turn=turn, flag=flag)


def show_flag(event: Tournament, row: Pairing, state: SheetState, *, now: datetime) -> None:
    """Have everybody see whose flag has fallen, or that none has any more; a clock that just runs is not told."""
    if fallen(state, now=now) != row.running.get("flag", ""):
        show(event, row, state, now=now)


def wait_for_flag(kept: ScoreSheet, state: SheetState, *, now: datetime) -> None:
    """Note when the flag falls if nobody taps."""
    deadline = None
    if state.clock is not None and not fallen(state, now=now):
        deadline = state.clock.clock.deadline()
    flag_at = None if deadline is None else datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=deadline)
    if kept.flag_at != flag_at:
        kept.flag_at = flag_at
        kept.save(update_fields=["flag_at"])


def fallen(state: SheetState, *, now: datetime) -> str:
    """Return whose flag has fallen, "a" or "b"; "" if nobody's."""
    return state.clock.fallen(milliseconds(now)) if state.clock is not None else ""


def due(at: Any) -> Iterator[QuerySet[ScoreSheet]]:
    """Ask whether a flag has fallen that nobody has seen; while an event is paused none does."""
    yield ScoreSheet.objects.filter(
        flag_at__lte=at,
        pairing__state=Stand.READY,
        pairing__tournament__status=Status.RUNNING,
        pairing__tournament__paused_at__isnull=True,
    )


def sweep(now: datetime) -> int:
    """Show the flags that have fallen since somebody looked; return how many there were."""
    [waiting] = due(now)
    found = waiting.order_by("flag_at").values_list("pairing__tournament", "pk")[:PORTION]
    return failures.do_each(
        "records.flags", found, lambda each: _let_fall(*each, now=now), key=lambda each: each[1], now=now
    )


def _let_fall(tournament_id: int, pk: int, *, now: datetime) -> bool:
    """Show one, unless somebody has tapped meanwhile or others sit there."""
    with transaction.atomic():
        event = changes.lock(tournament_id)
        [waiting] = due(now)
        kept = waiting.filter(pk=pk).select_related("pairing").first()
        if kept is None:
            return False
        row = kept.pairing
        state = sheet_pages.read(row, kept)
        if (row.a_id, row.b_id) == (kept.a_id, kept.b_id) and row.match_id is None:
            show_flag(event, row, state, now=now)
            wait_for_flag(kept, state, now=now)
        else:
            ScoreSheet.objects.filter(pk=pk).update(flag_at=None)
        return True
