"""Storage of taps on a score sheet, idempotent and under the lock of the event, with score and report."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from django.db import transaction

from players.models import User
from records.base.errors import OnABoard, OtherGame
from records.models import ScoreSheet, SheetAct
from records.sheets import current_positions, sheet, sheet_publishing, stored_sheets
from records.sheets.clock_words import to_milliseconds
from records.sheets.sheet import ADJOURN, SheetState, Tap
from records.sheets.table_clock import PAUSE
from runtime import stream
from runtime.idempotency import KeyReused
from tournaments.models import Entry, Pairing, ReportedBy, Tournament
from tournaments.play import changes, claims, results
from tournaments.play.changes import HelperActor
from tournaments.play.code_holders import CodeHolder
from tournaments.status import Status


def store_tap(
    *,
    tournament_id: int,
    match: str,
    key: str,
    what: Tap,
    by: User | CodeHolder | HelperActor,
    now: datetime,
    device: str = "",
    seats: str = "",
) -> SheetState:
    """Store a tap and return the sheet; idempotent by *key*.

    The last game reports the result, or enters it for a director or helper. *device* is the browser of an
    account. *seats* are those of the sheet that the tap was made on (`stored_sheets.format_seats`), "" if unknown.

    :raises NotYourSheet, NotHelper: `by` neither plays here nor directs or helps.
    :raises DirectorDecides: a helper would overrule a player.
    :raises CodeExpired, SeatsMoved, NotYourMatch, SameDevice, ReportedElsewhere: the match's code does not
        allow it.
    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, OnABoard: the match has no sheet now.
    :raises KeyReused: the key belongs to another tap.
    :raises OtherGame: others play this match by now.
    :raises OtherGame, MatchWon, NotOffered, NothingToUndo: the tap does not fit the sheet.
    :raises Adjourned, NotAdjourned, BadPosition, OtherScore: it cannot be adjourned or resumed like this.
    :raises NoClock, ClockMoved, FlagFallen: the tap does not fit the clock.
    """
    with transaction.atomic():
        event = _lock_event(tournament_id, by, now=now)
        row = results.get_match(event, match)
        own = stored_sheets.find_entry(event, row, by, now=now)
        stored = stored_sheets.find_sheet(row)
        acts = [] if stored is None else stored_sheets.list_acts(stored)
        before = stored_sheets.build_state(row, acts)
        if (earlier := next((act for used, act, _at in acts if used == key), None)) is not None:
            _require_same(what, Tap.from_json(earlier))
            return before
        if seats and seats != stored_sheets.format_seats(row):
            raise OtherGame(number=before.number)
        _require_open(event, row, what)
        if before.clock is not None:
            what = _set_time(what, event, now=now)
        if what.do == ADJOURN:
            what = replace(what, position=current_positions.check_position(what.position, before))
        after = sheet.apply_tap(before, what)
        if stored is None:
            # An open match has two entries.
            stored = ScoreSheet.objects.create(
                pairing=row, a=cast("Entry", row.a), b=cast("Entry", row.b), begun_at=now
            )
        account = None if isinstance(by, CodeHolder | HelperActor) else by
        device = by.device if isinstance(by, CodeHolder) else device
        SheetAct.objects.create(
            sheet=stored, seq=len(acts) + 1, key=key, tap=what.to_json(), by=account, device=device, at=now
        )
        sheet_publishing.store_flag_time(stored, after, now=now)
        if what.is_of_clock:
            stream.publish(stored_sheets.get_topic(row), "tapped", {}, now=now)
            sheet_publishing.publish_flag(event, row, after, now=now)
            return after
        sheet_publishing.publish_state(event, row, after, now=now)
        if before.is_over and own is not None:
            results.drop_own_report(row, own, cast("User | CodeHolder", by))
        if after.is_over:
            _report_result(event, row, after, by, own, device=device, now=now)
        return after


def _lock_event(tournament_id: int, by: User | CodeHolder | HelperActor, *, now: datetime) -> Tournament:
    """Lock the event; a helper is looked up under its lock."""
    if isinstance(by, HelperActor):
        return changes.lock_for_helper(tournament_id, by, now=now)
    return changes.lock_event(tournament_id)


def _require_same(what: Tap, earlier: Tap) -> None:
    """Require that a tap is the earlier one again; their times differ, since the earlier one is stored as it counted.

    :raises KeyReused: it is another.
    """
    position = current_positions.normalize_position(what.position)
    if replace(what, at=0, position=position).to_json() != replace(earlier, at=0).to_json():
        raise KeyReused


def _require_open(event: Tournament, row: Pairing, what: Tap) -> None:
    """Require that the match can be played at a table now.

    :raises WrongStatus, Paused, NotOpen, ResultStands, OnABoard: it cannot.
    """
    if not (what.do == PAUSE and event.status == Status.RUNNING):
        # Only a pause is also accepted just after the director has paused the event.
        changes.require_running(event)
    claims.require_open(row)
    if row.match_id is not None:
        raise OnABoard


def _set_time(what: Tap, event: Tournament, *, now: datetime) -> Tap:
    """Complete a tap with its time: the phone's, but not later than now."""
    moment = to_milliseconds(now)
    if what.do == PAUSE and event.paused_at is not None:
        moment = min(moment, to_milliseconds(event.paused_at))
    return replace(what, at=min(what.at or moment, moment))


def _report_result(
    event: Tournament,
    row: Pairing,
    state: SheetState,
    by: User | CodeHolder | HelperActor,
    own: Entry | None,
    *,
    device: str,
    now: datetime,
) -> None:
    report: dict[str, Any] = {
        "tournament_id": event.pk,
        "key": row.key,
        "now": now,
        "score": state.score,
        "games": [game.to_json() for game in state.games],
    }
    if own is None:
        results.enter_result(by=cast("User | HelperActor", by), **report)
    elif event.reporting != ReportedBy.DIRECTOR:
        results.report_result(user=cast("User | CodeHolder", by), device=device, **report)
