"""Times of open matches and reports, moved by as long as the event stood still."""

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
    """Move the times of a locked event that has stood still *since* then and goes on now.

    What began in between, such as a call, moves to now; a time agreed for later stays.
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
    """Return what a ruling that ends the event says about the pause it ends."""
    return {} if event.paused_at is None else {"paused_at": event.paused_at.isoformat()}


def find_end(event: Tournament) -> datetime:
    """Return when an event that was ended early or cancelled began to stand still: then, or with the pause before."""
    ending = event.rulings.filter(act__in=(RulingKind.ENDED_EARLY, RulingKind.CANCELLED)).latest("pk")
    paused_at: str | None = ending.data.get("paused_at")
    return ending.at if paused_at is None else datetime.fromisoformat(paused_at)


def _compute_loss(began: datetime, since: datetime, now: datetime) -> timedelta:
    """Return how much of the time since *began* was lost."""
    return max(now - max(began, since), timedelta(0))
