"""Undoing a result that a director has just entered, without a reason and without losing other results."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.base.errors import AlreadyDone, NotJustEntered, NotRestorable
from tournaments.models import OPEN_REPORTS, Pairing, PairingState, Report, Ruling, RulingKind
from tournaments.play import claims, corrections, results, running_event, snapshots

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

    from players.models import User
    from tournaments.models import Tournament


def undo_result(*, tournament_id: int, ruling_id: int, by: User, now: datetime) -> Ruling:
    """Undo a result that this director entered within the last 30 seconds; the match is open again.

    :raises NotDirector, WrongStatus: nothing changes.
    :raises AlreadyDone: it has been undone already.
    :raises NotJustEntered: it is too late, another user entered it, or a following match has begun.
    :raises NotRestorable: the result has changed since.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        entered = Ruling.objects.filter(
            pk=ruling_id, tournament=event, act=RulingKind.ENTERED_RESULT, by=by
        ).first()
        if entered is None:
            raise NotJustEntered
        if entered.restored_by_id is not None:
            raise AlreadyDone
        if now - entered.at > WITHIN:
            raise NotJustEntered
        row = _get_unchanged_match(event, entered)
        opened = corrections.build_open_columns()
        if row.called_at is not None:
            # With a later call than the one that has ended, it is at its table again, if that is still free.
            opened["called_at"] = row.called_at + (now - entered.at)
        data, why = {"ruling": entered.pk, "act": entered.act}, _("Taken back at once")
        with running_event.perform_correction(
            event, RulingKind.RESTORED, by=by, now=now, reason=why, data=data, told_of=row.key
        ) as made:
            Pairing.objects.filter(pk=row.pk).update(**opened)
        # The change is already applied; if it affects a begun match, the exception rolls it back.
        _require_nothing_begun(row, made.before or {})
        Ruling.objects.filter(pk=entered.pk).update(restored_by=made)
        return made


def _get_unchanged_match(event: Tournament, entered: Ruling) -> Pairing:
    """Load the match, if its result is the one entered.

    :raises NotRestorable: the result has changed.
    """
    row = results.get_match(event, entered.data["key"])
    if not _is_unchanged(row, entered.data):
        raise NotRestorable
    return row


def _is_unchanged(row: Pairing, entered: Mapping[str, Any]) -> bool:
    """True if the result of a match is the one that a ruling entered: a correction may have changed it."""
    if row.state != PairingState.DECIDED or row.winner_id is None:
        return False
    return {"key": row.key, **claims.build_recorded_claim(row).to_json(row)} == entered


def _require_nothing_begun(row: Pairing, changed: Mapping[str, Any]) -> None:
    """Require that the change has not touched a match that has begun."""
    before = snapshots.map_former_rows("pairings", changed)
    before.pop(row.pk, None)
    reported = Report.objects.filter(pairing__in=before, status__in=OPEN_REPORTS).exists()
    dropped = changed.get("reports", {}).get("gone", {})
    if reported or dropped or any(_has_begun(old) for old in before.values()):
        raise NotJustEntered


def _has_begun(old: Mapping[str, Any]) -> bool:
    has_result = bool(old["kind"]) and not old["is_derived"]
    return has_result or bool(old["running"]) or old["match_id"] is not None


# A slip is noticed at once; later it takes a correction, with a reason.
WITHIN: Final = timedelta(seconds=30)


class UndoableResult(NamedTuple):
    """A result that can still be undone, and the remaining seconds."""

    ruling: int
    # The key of the match.
    match: str
    seconds: float
    score: tuple[int, int] | None
    # The number of the winner, if no score was entered.
    winner: int


def find_undoable_result(event: Tournament, by: User, *, now: datetime) -> UndoableResult | None:
    """Return the last result entered by this user that is unchanged and can still be undone."""
    own = Ruling.objects.filter(tournament=event, by=by, act=RulingKind.ENTERED_RESULT)
    fresh = own.filter(restored_by__isnull=True, at__gte=now - WITHIN).order_by("-at", "-pk")
    found = list(fresh.values_list("pk", "at", "data"))
    keys = [data["key"] for _pk, _at, data in found]
    rows = Pairing.objects.filter(tournament=event, key__in=keys).select_related("a", "b") if keys else ()
    matches = {row.key: row for row in rows}
    for ruling, at, data in found:
        if (row := matches.get(data["key"])) is not None and _is_unchanged(row, data):
            score = None if data["score"] is None else (data["score"][0], data["score"][1])
            return UndoableResult(
                ruling, data["key"], (at + WITHIN - now).total_seconds(), score, data.get("winner", 0)
            )
    return None
