"""Events with more entries than the terms that SQLite parses: every request for one is answered."""

from __future__ import annotations

import contextlib

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from players.keys import new_key
from players.models import Player
from tests import access
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry, Pairing
from tournaments.pages.exports_api import FILES

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
    client.force_login(desk.director)
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


@pytest.mark.long
@pytest.mark.parametrize(("part", "name"), [("entries", "number"), ("standings", "entry")])
def test_a_large_event_is_read_page_by_page(desk: Desk, part: str, name: str) -> None:
    caller = Caller(desk.director)
    first = caller.get(f"events/{desk.event.key}/{part}/")
    assert (first["count"], len(first["results"])) == (MANY, 50)
    assert len(caller.get(f"events/{desk.event.key}/{part}/", page_size=5_000)["results"]) == 200
    assert sorted(row[name] for row in caller.list(f"events/{desk.event.key}/{part}/")) == [
        *range(1, MANY + 1)
    ]


@pytest.mark.long
def test_many_pairings_are_read_page_by_page(desk: Desk) -> None:
    one = Pairing.objects.filter(tournament=desk.event, opened_at__isnull=False).order_by("pk")[0]
    entries = iter(Entry.objects.filter(tournament=desk.event, number__gt=4).order_by("number"))
    Pairing.objects.bulk_create(
        Pairing(
            tournament=desk.event, stage=one.stage, round=one.round, key=f"extra.{number}", number=number,
            position=number, bracket=one.bracket, state=one.state, length=one.length, a=a, b=b,
        )
        for number, (a, b) in enumerate(zip(entries, entries, strict=True), start=100)
    )  # fmt: skip
    caller = Caller(desk.director)
    first = caller.get(f"events/{desk.event.key}/pairings/")
    assert len(first["results"]) == 50
    keys = [row["key"] for row in caller.list(f"events/{desk.event.key}/pairings/")]
    assert len(keys) == len(set(keys)) == first["count"] > MANY // 2 - 2
