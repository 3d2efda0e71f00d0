"""A club with a desk and a rating list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import count
from typing import Any

import pytest

from rankings.ledger import rebuilding
from rankings.lists import lists
from rankings.models import RatingList
from runtime.models import Outbox
from runtime.work import outbox
from tests.tournaments.event_desk import Desk


@pytest.fixture
def keep(desk: Desk) -> Callable[..., RatingList]:
    """Return a list of the club that rates all that is played: keep("glicko2")."""

    numbers = count(1)

    def _keep(system: str = "fibs", **said: Any) -> RatingList:
        name = f"List {next(numbers)}"
        return lists.open_list(
            club=desk.club, by=desk.director, name=name, system=system, now=desk.now, **said
        )

    return _keep


@pytest.fixture
def deliver() -> Callable[[datetime], int]:
    """Carry out everything the outbox holds, and every rebuild."""

    def _deliver(now: datetime) -> int:
        done = 0
        while found := list(outbox.list_due(now=now).values_list("pk", flat=True)):
            done += sum(outbox.deliver(outbox_id=pk, now=now) for pk in found)
        while rebuilding.sweep(now):
            pass
        assert not list(Outbox.objects.exclude(last_error="").values_list("kind", "last_error"))
        return done

    return _deliver
