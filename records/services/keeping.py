"""A score sheet being kept: each tap once, under the event's lock; the running score and the report follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.db import transaction

from records import sheet
from records.errors import OnABoard
from records.models import ScoreSheet, SheetAct
from records.selectors import sheets
from tournaments.models import ReportedBy
from tournaments.services import changes, results, running_score
from tournaments.services.at_table import AtTable

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from records.sheet import SheetState, Tap
    from tournaments.models import Entry, Pairing, Tournament


def tap(
    *,
    tournament_id: int,
    match: str,
    key: str,
    what: Tap,
    by: User | AtTable,
    now: datetime,
    device: str = "",
) -> SheetState:
    """Write a tap down and return the sheet; the same key again changes nothing.

    With the last game the result is reported, or entered by a director. *device* is where an account taps.

    :raises NotYourSheet: `by` neither plays here nor directs.
    :raises CodeExpired, SeatsMoved, NotYourMatch, SameDevice, ReportedElsewhere: the match's code does not let them.
    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, OnABoard: nothing is kept of this match now.
    :raises OtherGame, MatchWon, NotOffered, NothingToUndo: the sheet has no place for it.
    """
    with transaction.atomic():
        event = changes.lock(tournament_id)
        row = results.find(event, match)
        own = sheets.keeper(event, row, by, now=now)
        kept = sheets.find(row)
        if kept is not None and SheetAct.objects.filter(sheet=kept, key=key).exists():
            return sheets.read(row, kept)
        changes.running(event)
        results.require_open(row)
        if row.match_id is not None:
            raise OnABoard
        before = sheets.read(row, kept)
        after = sheet.apply(before, what)
        if kept is None:
            # An open match has two.
            kept = ScoreSheet.objects.create(
                pairing=row, a=cast("Entry", row.a), b=cast("Entry", row.b), begun_at=now
            )
        seq = SheetAct.objects.filter(sheet=kept).count() + 1
        account = None if isinstance(by, AtTable) else by
        device = by.device if isinstance(by, AtTable) else device
        SheetAct.objects.create(
            sheet=kept, seq=seq, key=key, tap=what.said(), by=account, device=device, at=now
        )
        running_score.keep(event, row, after.score if after.games else None, now=now)
        if before.is_over and own is not None:
            results.take_back(row, own, by)
        if after.is_over:
            _report(event, row, after, by, own, device=device, now=now)
        return after


def _report(
    event: Tournament,
    row: Pairing,
    state: SheetState,
    by: User | AtTable,
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
        "games": [game.said() for game in state.games],
    }
    if own is None:
        results.enter(by=cast("User", by), **said)
    elif event.reporting != ReportedBy.DIRECTOR:
        results.report(user=by, device=device, **said)
