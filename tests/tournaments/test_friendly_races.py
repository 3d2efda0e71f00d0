"""A friendly that is agreed to and taken back in the same moment: one of the two is told that they were too late."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from fixtures import friendlies
from tests.tournaments.test_friendlies import Two
from tests.tournaments.test_races_in_events import together
from tournaments.models import Friendly, FriendlyOffer, Tournament

if TYPE_CHECKING:
    from collections import Counter
    from datetime import datetime

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def proposed(transactional_db: None, now: datetime, monkeypatch: pytest.MonkeyPatch) -> tuple[Two, Friendly]:
    # Nobody looks over everybody's shoulder after each act: two act at once.
    monkeypatch.undo()
    two = Two(now)
    return two, two.propose()


def race(two: Two, row: Friendly) -> Counter[str]:
    both = {"key": row.key, "now": two.now}
    return together(
        [
            lambda: friendlies.agree(player=two.bob.player, **both),
            lambda: friendlies.withdraw(player=two.ann.player, **both),
        ]
    )


def test_without_the_guard_it_is_agreed_to_and_taken_back(
    proposed: tuple[Two, Friendly], monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    two, row = proposed
    read = threading.Barrier(2)

    def unheld(key: str) -> Any:
        found = Friendly.objects.select_related("club", "proposer__user", "opponent__user").get(key=key)
        read.wait(60)
        return found

    monkeypatch.setattr(friendlies, "_held", unheld)
    assert race(two, row) == {"done": 2}


def test_with_the_guard_one_of_the_two_is_told(proposed: tuple[Two, Friendly]) -> None:
    two, row = proposed
    told = race(two, row)
    row.refresh_from_db()
    assert told == {"done": 1, "friendly_answered": 1}
    is_agreed = row.status == FriendlyOffer.AGREED
    assert Tournament.objects.filter(is_friendly=True).count() == is_agreed
