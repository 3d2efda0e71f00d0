"""Round robins and groups while they are played: players leave, come back or come late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.play import departures

if TYPE_CHECKING:
    from datetime import datetime

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(now: datetime) -> Desk:
    return Desk(now)


def results(desk: Desk, number: int) -> dict[str, str]:
    """Return how the matches of an entry ended, in order."""
    rows = desk.event.pairings.filter(a__number=number) | desk.event.pairings.filter(b__number=number)
    return {row.key: row.kind for row in rows.order_by("position")}


def test_a_player_who_leaves_after_this_match_plays_it(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.play("r1.1", 4)
    desk.play("r1.2")
    before = desk.pairs()
    assert before == {"r2.1": (4, 3), "r2.2": (1, 2)}

    desk.do(departures.withdraw_entry, entry=4, after=True)

    assert desk.pairs() == before
    desk.play("r2.1", 4)
    assert results(desk, 4) == {"r1.1": "played", "r2.1": "played", "r3.1": "withdrawal"}
    assert desk.row("r3.1").winner == desk.entry(2)
    desk.play_out()


def test_half_of_the_matches_are_counted_once_the_last_one_is_played(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.do(departures.withdraw_entry, entry=4, after=True)
    assert desk.pairs() == {"r1.1": (1, 4), "r1.2": (2, 3)}

    desk.play("r1.1")

    assert desk.row("r1.1").is_cancelled
    assert results(desk, 4) == {"r1.1": "played", "r2.1": "void", "r3.1": "void"}
    desk.play_out()
