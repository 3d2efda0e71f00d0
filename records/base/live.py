"""Live updates for a batch of submissions: a new verdict or outcome.

Events are counted from the rows, so that nothing is written for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.db import transaction
from django.db.models import Count, Q

from records.models import Submission
from runtime import stream

FAMILY: Final = "verdicts"
IS_JUDGED: Final = Q(file__judged_at__isnull=False)
HAS_OUTCOME: Final = ~Q(outcome="")


def get_topic(batch: str) -> str:
    return f"{FAMILY}.{batch}"


def watch_batch(batch: str, rows: Iterable[Submission]) -> stream.TopicPositions:
    """Return the stream position of a page that shows these rows.

    It is counted from the rows that the page has read, so that no later event is missed.
    """
    count = sum((row.file is not None and row.file.judged_at is not None) + bool(row.outcome) for row in rows)
    return stream.TopicPositions(((get_topic(batch), count),))


class VerdictSource(stream.Source):
    """Source of the streams of batches, with one event per verdict and outcome."""

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return the number of verdicts and outcomes of each batch."""
        batches = [name.removeprefix(f"{FAMILY}.") for name in topics]
        rows = Submission.objects.filter(batch__in=batches).order_by().values_list("batch")
        known = Count("pk", filter=IS_JUDGED) + Count("pk", filter=HAS_OUTCOME)
        return {get_topic(batch): head for batch, head in rows.annotate(known=known)}

    def since(self, topic: str, seq: int, limit: int) -> list[stream.Event]:
        head = self.heads([topic]).get(topic, 0)
        return [_build_event(topic, number) for number in range(seq + 1, min(head, seq + limit) + 1)]


def notify_pages(batches: Iterable[str]) -> None:
    """Notify the pages of these batches after the transaction commits."""
    names = sorted({get_topic(batch) for batch in batches})
    if names:
        transaction.on_commit(lambda: _announce_heads(names), robust=True)


def _announce_heads(names: Sequence[str]) -> None:
    for name, head in VerdictSource().heads(names).items():
        stream.broadcast(_build_event(name, head))


def _build_event(name: str, number: int) -> stream.Event:
    return stream.Event(name, number, "told", {})
