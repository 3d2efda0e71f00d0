"""Store taps on a score sheet, idempotent and under the lock of the event; update score and report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction

from records.base.errors import OnABoard
from records.models import ScoreSheet, SheetAct
from records.sheets import adjourning, sheet, sheet_pages, showing
from records.sheets.clock_words import to_milliseconds
from records.sheets.sheet import ADJOURN
from records.sheets.table_clock import PAUSE
from runtime import stream
from tournaments.models import ReportedBy
from tournaments.play import changes, claims, results
from tournaments.play.at_table import AtTable
from tournaments.play.changes import Helping
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from records.sheets.sheet import SheetState, Tap
    from tournaments.models import Entry, Pairing, Tournament


def store_tap(
    *,
    tournament_id: int,
    match: str,
    key: str,
    what: Tap,
    by: User | AtTable | Helping,
    now: datetime,
    device: str = "",
) -> SheetState:
    """Store a tap and return the sheet; idempotent by *key*.

    The last game reports the result, or enters it for a director or helper. *device* is the browser of an
    account.

    :raises NotYourSheet, NotHelper: `by` neither plays here nor directs or helps.
    :raises DirectorDecides: a helper would overrule a player.
    :raises CodeExpired, SeatsMoved, NotYourMatch, SameDevice, ReportedElsewhere: the match's code does not
        allow it.
    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, OnABoard: the match has no sheet now.
    :raises OtherGame, MatchWon, NotOffered, NothingToUndo: the tap does not fit the sheet.
    :raises Adjourned, NotAdjourned, BadPosition, OtherScore: it cannot be adjourned or resumed like this.
    :raises NoClock, ClockMoved, FlagFallen: the tap does not fit the clock.
    """
    with transaction.atomic():
        event = _hold(tournament_id, by, now=now)
        row = results.find(event, match)
        own = sheet_pages.find_keeper(event, row, by, now=now)
        kept = sheet_pages.find_sheet(row)
        if kept is not None and SheetAct.objects.filter(sheet=kept, key=key).exists():
            return sheet_pages.load_state(row, kept)
        if not (what.do == PAUSE and event.status == Status.RUNNING):
            # A clock may also be paused just after the director has paused the event.
            changes.running(event)
        claims.require_open(row)
        if row.match_id is not None:
            raise OnABoard
        before = sheet_pages.load_state(row, kept)
        if before.clock is not None:
            what = _timed(what, event, now=now)
        if what.do == ADJOURN:
            what = replace(what, position=adjourning.check_position(what.position, before))
        after = sheet.apply(before, what)
        if kept is None:
            # An open match has two entries.
            kept = ScoreSheet.objects.create(
                pairing=row, a=cast("Entry", row.a), b=cast("Entry", row.b), begun_at=now
            )
        seq = SheetAct.objects.filter(sheet=kept).count() + 1
        account = None if isinstance(by, AtTable | Helping) else by
        device = by.device if isinstance(by, AtTable) else device
        SheetAct.objects.create(
            sheet=kept, seq=seq, key=key, tap=what.to_json(), by=account, device=device, at=now
        )
        showing.store_flag_time(kept, after, now=now)
        if what.is_of_clock:
            stream.publish(sheet_pages.get_topic(row), "tapped", {}, now=now)
            showing.show_flag(event, row, after, now=now)
            return after
        showing.publish_state(event, row, after, now=now)
        if before.is_over and own is not None:
            results.take_back(row, own, cast("User | AtTable", by))
        if after.is_over:
            _report(event, row, after, by, own, device=device, now=now)
        return after


def _hold(tournament_id: int, by: User | AtTable | Helping, *, now: datetime) -> Tournament:
    """Lock the event; a helper is looked up under its lock."""
    if isinstance(by, Helping):
        return changes.assist(tournament_id, by, now=now)
    return changes.lock(tournament_id)


def _timed(what: Tap, event: Tournament, *, now: datetime) -> Tap:
    """Complete a tap with its time: the phone's, but not later than now."""
    moment = to_milliseconds(now)
    if what.do == PAUSE and event.paused_at is not None:
        moment = min(moment, to_milliseconds(event.paused_at))
    return replace(what, at=min(what.at or moment, moment))


def _report(
    event: Tournament,
    row: Pairing,
    state: SheetState,
    by: User | AtTable | Helping,
    own: Entry | None,
    *,
    device: str,
    now: datetime,
) -> None:
    said: dict[str, Any] = {
        "tournament_id": event.pk,
        "key": row.key,
        "now": now,
        "score": state.score,
        "games": [game.to_json() for game in state.games],
    }
    if own is None:
        results.enter(by=cast("User | Helping", by), **said)
    elif event.reporting != ReportedBy.DIRECTOR:
        results.report(user=cast("User | AtTable", by), device=device, **said)
