"""State of a page that waits for verdicts: its stream, polling interval, and reason of a delay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from records.base import live
from records.models import Submission
from records.submissions import visible_submissions
from runtime import nodes
from runtime.stream import TopicPositions

# Verdicts are usually faster; after this time the page explains the delay.
PATIENCE: Final = timedelta(seconds=8)
# Seconds between polls, which replace an interrupted stream; the interval grows with the waiting time.
FIRST_LOOK: Final = 4
LAST_LOOK: Final = 120


@dataclass(frozen=True, slots=True)
class WaitState:
    topic: str
    news: TopicPositions
    # Seconds until the next poll.
    look_after: int
    why: str


def find_wait_state(rows: Sequence[Submission], *, now: datetime) -> WaitState | None:
    """Find the waiting state of a batch's page; None if nothing is pending."""
    if not any(visible_submissions.is_waiting(row, now=now) for row in rows):
        return None
    waited = max(now - rows[0].at, timedelta())
    return WaitState(
        topic=live.get_topic(rows[0].batch),
        news=live.watch_batch(rows[0].batch, rows),
        look_after=compute_interval(int(waited.total_seconds())),
        why=_describe_reason(now=now) if waited >= PATIENCE else "",
    )


def compute_interval(waited: int) -> int:
    """Return the polling interval after this waiting time, both in seconds."""
    return min(max(waited, FIRST_LOOK), LAST_LOOK)


def _describe_reason(*, now: datetime) -> str:
    if nodes.has_worker(now=now):
        return _(
            "The referee is still checking earlier records. This page updates as soon as the "
            "verdict is ready."
        )
    return _(
        "Records cannot be checked at the moment, because no worker of this server is running. "
        "Your record is saved, and this page updates as soon as the verdict is ready."
    )
