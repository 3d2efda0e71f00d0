"""Rating lists of a desk's club."""

from __future__ import annotations

from typing import Any

from rankings.lists import lists
from rankings.models import RatingList
from tests.tournaments.event_desk import Desk


def open_list(desk: Desk, system: str = "fibs", **said: Any) -> RatingList:
    """Open a list of the club that rates all that is played."""
    name = f"List {RatingList.objects.filter(club=desk.club).count() + 1}"
    return lists.open_list(club=desk.club, by=desk.director, name=name, system=system, now=desk.now, **said)
