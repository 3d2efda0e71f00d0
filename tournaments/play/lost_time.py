"""Times of open matches and reports, moved on after an event was paused, ended or cancelled."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F, Q

from tournaments.models import Pairing, PairingState, Report, RulingKind
from tournaments.play import timing

if TYPE_CHECKING:
    from tournaments.models import Tournament

# Rows per statement.
BATCH: Final = 100


def give_back(event: Tournament, *, since: datetime, now: datetime) -> None:
    """Move on the times of a locked event that was interrupted from *since* to *now*.

    A match that was called in between counts as called now; a time agreed for later stays.
    """
    rows = Pairing.objects.filter(
        Q(called_at__isnull=False) | Q(deadline_at__isnull=False),
        tournament=event,
        state=PairingState.READY,
        opened_at__isnull=False,
    )
    waiting = list(rows)
    for row in waiting:
        if row.called_at is not None:
            row.called_at += _compute_loss(row.called_at, since, now)
        if row.deadline_at is not None and row.opened_at is not None:
            row.deadline_at += _compute_loss(row.opened_at, since, now)
        row.due_at = timing.find_next_due(event, row)
    Pairing.objects.bulk_update(waiting, ["called_at", "deadline_at", "due_at"], batch_size=BATCH)
    Report.objects.filter(pairing__tournament=event, confirms_at__isnull=False).update(
        confirms_at=F("confirms_at") + (now - since)
    )


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
