"""Matches that were left as they stand, to go on another time, for the page of their club."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tournaments.base import lines
from tournaments.models import Pairing, Stand
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.base.lines import EventLine


class AdjournedMatch(NamedTuple):
    """One of them: who plays, how it stands, where, and since when."""

    event: EventLine
    a: str
    b: str
    score: tuple[int, int]
    length: int
    since: datetime
    # Whose turn it is, "" where nobody wrote it down.
    on_roll: str = ""


def of(events: Sequence[EventLine]) -> tuple[AdjournedMatch, ...]:
    """Return the adjourned matches of those of these events that are running, the latest first."""
    running = {event.key: event for event in events if event.status is Status.RUNNING}
    if not running:
        return ()
    rows = Pairing.objects.select_related("tournament", "a__player", "b__player").filter(
        tournament__key__in=running, state=Stand.READY, match=None, running__has_key="adjourned"
    )
    found = []
    for row in rows.exclude(a=None).exclude(b=None):
        if row.a is None or row.b is None or row.running["seats"] != [row.a_id, row.b_id]:
            continue
        a, b = row.running["score"]
        names = {"a": lines.shown_name(row.a.player), "b": lines.shown_name(row.b.player)}
        found.append(
            AdjournedMatch(
                running[row.tournament.key],
                names["a"],
                names["b"],
                (a, b),
                row.length,
                datetime.fromisoformat(row.running["adjourned"]),
                names.get(row.running.get("turn", ""), ""),
            )
        )
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))
