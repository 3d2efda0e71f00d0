"""Consistency checks of all events."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import Tournament
from tournaments.play import inspection


def check_events() -> Iterator[str]:
    """Propose every event with stages again, and compare the rows with the proposal."""
    played = Tournament.objects.filter(stages__isnull=False).distinct().order_by("pk")
    for pk in played.values_list("pk", flat=True).iterator():
        yield from _list_problems(pk)


def _list_problems(pk: int) -> list[str]:
    """List the inconsistencies of an event; check again if it has changed during the check."""
    event = Tournament.objects.get(pk=pk)
    problems = list(inspection.find_problems(event))
    while problems:
        now = Tournament.objects.get(pk=pk)
        if now.version == event.version:
            break
        event, problems = now, list(inspection.find_problems(now))
    return problems
