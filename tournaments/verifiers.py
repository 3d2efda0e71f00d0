"""What must be true of events, asked of all rows: each is what its results lead to, and nobody sits twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Tournament
from tournaments.play import inspection

if TYPE_CHECKING:
    from collections.abc import Iterator


def events() -> Iterator[str]:
    """Propose every event that is played here anew, and compare."""
    played = Tournament.objects.filter(stages__isnull=False).distinct().order_by("pk")
    for pk in played.values_list("pk", flat=True).iterator():
        yield from _problems(pk)


def _problems(pk: int) -> list[str]:
    """Return what is wrong with an event, unless it has only gone on while we looked."""
    event = Tournament.objects.get(pk=pk)
    problems = list(inspection.problems(event))
    while problems:
        now = Tournament.objects.get(pk=pk)
        if now.version == event.version:
            break
        event, problems = now, list(inspection.problems(now))
    return problems
