"""Rating lists of a desk's club."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from rankings.lists import lists
from rankings.models import RatingList
from tests.deliveries import deliver
from tests.tournaments.event_desk import Desk, a_plan


def open_list(desk: Desk, system: str = "fibs", **said: Any) -> RatingList:
    """Open a list of the club that rates all that is played."""
    name = f"List {RatingList.objects.filter(club=desk.club).count() + 1}"
    return lists.open_list(club=desk.club, by=desk.director, name=name, system=system, now=desk.now, **said)


def history(
    desk: Desk, system: str = "fibs", *, each: timedelta = timedelta(minutes=1), **said: Any
) -> RatingList:
    """A list with an evening among four, the lower number always the winner."""
    kept = open_list(desk, system, **said)
    desk.start(a_plan("round-robin"), 4)
    while rows := desk.open():
        desk.now += each
        desk.play(rows[0].key)
    deliver(desk.now)
    return kept
