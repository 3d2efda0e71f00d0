"""A kept page that is given before the other middlewares are asked is the one that they would give."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from players.access import kept_pages, public_pages
from players.access.kept_pages import KeptPagesMiddleware
from players.accounts import accounts
from players.clubs import clubs
from tests.tournaments import onlookers
from tests.tournaments.event_desk import Desk, a_plan

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db

# Differs in every answer, or is told by the cookie.
OWN = {"X-Request-ID"}


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    public_pages.CACHE.clear()
    kept_pages.KEPT.clear()
    yield
    public_pages.CACHE.clear()
    kept_pages.KEPT.clear()


@pytest.fixture
def desk(now: datetime) -> Desk:
    desk = Desk(now)
    desk.announce(a_plan("swiss", rounds=3))
    return desk


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which way each answer came: "short" from what is kept, else "long"."""
    taken: list[str] = []
    give = KeptPagesMiddleware._give

    def noted(self: KeptPagesMiddleware, request: Any, reader: Any) -> Any:
        given = give(self, request, reader)
        taken.append("long" if given is None else "short")
        return given

    monkeypatch.setattr(KeptPagesMiddleware, "_give", noted)
    return taken


def told(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in OWN}


def without_secrets(answer: Any) -> str:
    text = gzip.decompress(answer.content) if answer.headers.get("Content-Encoding") else answer.content
    return onlookers.inside(HttpResponse(text))


@pytest.mark.parametrize("packed", [{}, {"Accept-Encoding": "gzip"}])
@pytest.mark.parametrize("address", ["/", "/clubs/", "/events/", "club", "diary", "/help/", "/help/terms/"])
@time_machine.travel(
    datetime(2026, 3, 5, 19, 0, tzinfo=UTC), tick=False
)  # a cookie ends a year after its second
def test_both_ways_give_the_same(desk: Desk, ways: list[str], address: str, packed: dict[str, str]) -> None:
    slug = desk.club.slug
    address = {"club": f"/clubs/{slug}/", "diary": f"/clubs/{slug}/events/"}.get(address, address)
    # The first makes the page; the second is given what is kept, the long way, since it asks for part of a range.
    Client().get(address, headers=packed)
    far = Client().get(address, headers={**packed, "Range": "bytes=0-"})
    near = Client().get(address, headers=packed)
    assert ways == ["long", "short"]
    assert told(near) == told(far)
    assert {name: dict(morsel) for name, morsel in near.cookies.items()} == {
        name: dict(morsel) for name, morsel in far.cookies.items()
    }
    assert without_secrets(near) == without_secrets(far)


def test_a_reader_presses_with_the_secret_that_the_short_way_gave(desk: Desk, ways: list[str]) -> None:
    address = f"/clubs/{desk.club.slug}/"
    secrets = set()
    Client().get(address)
    for _ in range(2):
        client = Client(enforce_csrf_checks=True)
        for _again in range(2):
            found = onlookers.SECRETS.search(client.get(address).text)
            assert found
            secrets.add(found[2])
        said = {"theme": "dark", "next": address, "csrfmiddlewaretoken": found[2]}
        assert client.post("/settings/appearance/", said).status_code == 302
        assert 'data-theme="dark"' in client.get(address).text
    assert len(secrets) == 2
    assert ways.count("short") == 5  # the first in dark is made for both


def test_a_change_is_seen_at_once(desk: Desk, ways: list[str]) -> None:
    address = f"/clubs/{desk.club.slug}/"
    for _ in range(3):
        Client().get(address)
    ada = accounts.register(email="ada@example.org", password=None, name="Ada Okafor", now=desk.now)
    clubs.join(club=desk.club, player=ada.player, now=desk.now)
    changed = Client().get(address)
    assert ways == ["long", "short", "short", "long"]
    assert without_secrets(changed) == without_secrets(onlookers.alone(Client(), address, {}))


def test_after_a_change_what_a_page_is_made_of_is_read_no_more_often_than_at_first(desk: Desk) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            Client().get("/clubs/")
        return len(asked)

    first = queries()
    desk.announce(a_plan("swiss", rounds=3))
    clubs.create(owner=desk.director, name="Another", now=desk.now)
    assert queries() <= first


@pytest.mark.parametrize(
    ("cookies", "headers"),
    [
        ({"session": "unknown"}, {}),
        ({"messages": "W10"}, {}),
        ({"anything": "x"}, {}),
        ({"theme": "d" * 100}, {}),
        ({}, {"Authorization": "Bearer x"}),
        ({}, {"If-None-Match": '"x"'}),
    ],
)
def test_somebody_of_whom_more_is_known_takes_the_long_way(
    ways: list[str], cookies: dict[str, str], headers: dict[str, str]
) -> None:
    for _ in range(2):
        client = Client()
        client.cookies.load(cookies)
        client.get("/clubs/", headers=headers)
    client.post("/clubs/")
    client.head("/clubs/")
    assert ways == []


def test_a_database_that_is_away_is_told_by_those_who_can(
    ways: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        Client().get("/clubs/")

    def away(*_: Any, **__: Any) -> bool:
        raise OperationalError

    monkeypatch.setattr(public_pages.Made, "is_right", away)
    assert Client().get("/clubs/").status_code == 200
    assert ways == ["long", "short", "long"]


def test_what_is_no_page_is_not_kept(rf: RequestFactory) -> None:
    middleware = KeptPagesMiddleware(lambda _request: HttpResponse("x"))
    middleware(rf.get("/somewhere/", SERVER_NAME="localhost"))
    assert len(kept_pages.KEPT) == 0
