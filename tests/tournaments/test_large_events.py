"""Events of more entries than SQLite parses terms: whatever is asked of one is answered."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from players.keys import new_key
from players.models import Player
from tests import access
from tests.matches.http import BACKEND
from tests.tournaments.desk import Desk, a_plan
from tournaments.api.exports import FILES
from tournaments.models import Entry

if TYPE_CHECKING:
    from django.http import HttpResponse

# SQLite parses expressions of at most 1,000 terms.
MANY = 1_100


@pytest.fixture
def desk(db: None) -> Desk:
    desk = Desk(timezone.now())
    desk.start(a_plan("swiss", rounds=3), 4)
    people = Player.objects.bulk_create(Player(key=new_key(), name=f"Guest {n}") for n in range(5, MANY + 1))
    Entry.objects.bulk_create(
        Entry(tournament=desk.event, player=one, number=number, entered_at=desk.now, is_absent=True)
        for number, one in enumerate(people, start=5)
    )
    return desk


def get(desk: Desk, path: str) -> HttpResponse:
    client = Client(raise_request_exception=False)
    client.force_login(desk.director, backend=BACKEND)
    return client.get(path)  # type: ignore[return-value]


@pytest.mark.long
def test_every_file_of_a_large_event_is_written(desk: Desk) -> None:
    for name, *_ in FILES:
        answer = get(desk, f"/api/v1/events/{desk.event.key}/{name}")
        assert answer.status_code == 200, (name, answer.content[:200])
    assert b"Guest 1100" in get(desk, f"/api/v1/events/{desk.event.key}/event.json").content


@pytest.mark.long
def test_every_address_of_a_large_event_answers(desk: Desk) -> None:
    asked = set()
    for name in access.addresses():
        with contextlib.suppress(NoReverseMatch):
            asked.add(reverse(name, kwargs={"key": desk.event.key}))
    asked = {path for path in asked if "events/" in path}
    assert len(asked) > 50
    assert {path: status for path in asked if (status := get(desk, path).status_code) >= 500} == {}
