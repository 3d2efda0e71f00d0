"""Times of open matches and reports, moved on after an event was paused, ended or cancelled."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F, Q

from tournaments.models import Pairing, PairingState, Report, RulingKind
from tournaments.play import timing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from tournaments.models import Tournament

# Rows per statement.
BATCH: Final = 100


def give_back(event: Tournament, *, since: datetime, now: datetime) -> None:
    """Move on the times of a locked event that was interrupted from *since* to *now*.

    A match that was called in between counts as called now; a time agreed for later stays.
    """
    _move_times(event, _query_open(event), since=since, now=now)


def give_back_after_undo(
    event: Tournament, change: Mapping[str, Any], *, since: datetime, now: datetime
) -> None:
    """Move on the times of the matches that an act had ended at *since* and that are open again.

    *change* is the `snapshots.compute_difference` of the act, which has been undone. Its other open matches
    keep the times that they have now.
    """
    restored, reopened = _list_restored(change)
    rows = _query_open(event)
    # In a pause, the time since its beginning is given back when it ends.
    until = max(since, event.paused_at or now)
    _move_times(event, rows.filter(pk__in=reopened), since=since, now=until)
    _move_times(event, rows.filter(pk__in=restored - reopened), since=now, now=now)


def _query_open(event: Tournament) -> QuerySet[Pairing]:
    return Pairing.objects.filter(tournament=event, state=PairingState.READY, opened_at__isnull=False)


def _move_times(event: Tournament, rows: QuerySet[Pairing], *, since: datetime, now: datetime) -> None:
    waiting = list(rows.filter(Q(called_at__isnull=False) | Q(deadline_at__isnull=False)))
    for row in waiting:
        if row.called_at is not None:
            row.called_at += _compute_loss(row.called_at, since, now)
        if row.deadline_at is not None and row.opened_at is not None:
            row.deadline_at += _compute_loss(row.opened_at, since, now)
        row.due_at = timing.find_next_due(event, row)
    Pairing.objects.bulk_update(waiting, ["called_at", "deadline_at", "due_at"], batch_size=BATCH)
    Report.objects.filter(pairing__in=rows, confirms_at__isnull=False).update(
        confirms_at=F("confirms_at") + (now - since)
    )


def _list_restored(change: Mapping[str, Any]) -> tuple[set[int], set[int]]:
    """Return the matches whose rows an undone act restores, and those that could not be played since the act."""
    part = change.get("pairings", {})
    pairs = {int(pk): (old, new) for pk, (old, new) in part.get("changed", {}).items()}
    pairs |= {int(pk): (old, None) for pk, old in part.get("gone", {}).items()}
    reopened = {pk for pk, (old, new) in pairs.items() if new is None or not _is_same_match(old, new)}
    return {*pairs}, reopened


def _is_same_match(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """True if the match was open after the act too, with the same players."""
    is_open = new["state"] == PairingState.READY and new["opened_at"] is not None
    return is_open and (old["a_id"], old["b_id"]) == (new["a_id"], new["b_id"])


def describe_pause(event: Tournament) -> dict[str, Any]:
    """Return the data about the current pause, if any, for a ruling that ends the event."""
    return {} if event.paused_at is None else {"paused_at": event.paused_at.isoformat()}


def find_end(event: Tournament) -> datetime:
    """Return the time at which an event was ended early or cancelled, or at which the pause before that began."""
    ending = event.rulings.filter(act__in=(RulingKind.ENDED_EARLY, RulingKind.CANCELLED)).latest("pk")
    paused_at: str | None = ending.data.get("paused_at")
    return ending.at if paused_at is None else datetime.fromisoformat(paused_at)


def _compute_loss(began: datetime, since: datetime, now: datetime) -> timedelta:
    """Return the lost part of the time since *began*."""
    return max(now - max(began, since), timedelta(0))
