"""News of what was handed in together: one more verdict is there, or what one does to its match.

Counted from the rows themselves, so that nothing is written to tell it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Count, Q

from records.models import Submission
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FAMILY: Final = "verdicts"
IS_JUDGED: Final = Q(file__judged_at__isnull=False)
HAS_OUTCOME: Final = ~Q(outcome="")


def topic(batch: str) -> str:
    """Return the name of the stream of what was handed in together."""
    return f"{FAMILY}.{batch}"


def seen(batch: str, rows: Iterable[Submission]) -> stream.Watch:
    """Return where a page stands that shows these rows, as they were read: nothing after that is missed."""
    count = sum((row.file is not None and row.file.judged_at is not None) + bool(row.outcome) for row in rows)
    return stream.Watch(((topic(batch), count),))


class Verdicts:
    """The source of these streams: as many events as there are verdicts and outcomes."""

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return how much has become known of each."""
        batches = [name.removeprefix(f"{FAMILY}.") for name in topics]
        rows = Submission.objects.filter(batch__in=batches).order_by().values_list("batch")
        known = Count("pk", filter=IS_JUDGED) + Count("pk", filter=HAS_OUTCOME)
        return {topic(batch): head for batch, head in rows.annotate(known=known)}

    def since(self, name: str, seq: int, limit: int) -> list[stream.Event]:
        """Return what became known after *seq*."""
        head = self.heads([name]).get(name, 0)
        return [_event(name, number) for number in range(seq + 1, min(head, seq + limit) + 1)]


def tell(batches: Iterable[str]) -> None:
    """Tell those who follow, once all is safely stored, that more is known of these."""
    names = sorted({topic(batch) for batch in batches})
    if names:
        transaction.on_commit(lambda: _announce(names), robust=True)


def _announce(names: Sequence[str]) -> None:
    for name, head in Verdicts().heads(names).items():
        stream.announce(_event(name, head))


def _event(name: str, number: int) -> stream.Event:
    return stream.Event(name, number, "told", {})
