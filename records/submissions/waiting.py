"""What a page says while the referee has not read everything: where its news come from, and why it takes so long."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from records.base import live
from records.submissions import submitted
from runtime import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from records.models import Submission
    from runtime.stream import Watch

# A worker at work needs less; who waits longer is told why.
PATIENCE: Final = timedelta(seconds=8)
# News come by the stream. Where it is cut the page asks by itself, each time after as long again as it has waited.
FIRST_LOOK: Final = 4
LAST_LOOK: Final = 120


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page that waits for verdicts."""

    topic: str
    news: Watch
    # After so many seconds it looks for itself.
    look_after: int
    why: str


def of(rows: Sequence[Submission], *, now: datetime) -> Waiting | None:
    """Return how a page of what was handed in together waits, None where nothing is to come."""
    if not any(submitted.waits(row, now=now) for row in rows):
        return None
    waited = max(now - rows[0].at, timedelta())
    return Waiting(
        topic=live.topic(rows[0].batch),
        news=live.seen(rows[0].batch, rows),
        look_after=look_after(int(waited.total_seconds())),
        why=_reason(now=now) if waited >= PATIENCE else "",
    )


def look_after(waited: int) -> int:
    """Return after how many seconds a page asks again that has waited for so many."""
    return min(max(waited, FIRST_LOOK), LAST_LOOK)


def _reason(*, now: datetime) -> str:
    if nodes.work_is_done(now=now):
        return _(
            "The referee still works on what came before. This page changes as soon as the verdict is there."
        )
    return _(
        "Nobody judges records at the moment: no worker of this server is at work. What you handed in is kept, and "
        "this page changes as soon as the verdict is there."
    )
