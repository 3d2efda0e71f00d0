"""Boards that need no event: who sees them on the front page, and that a page that is kept knows of every move at them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.side import Side
from matches.journal import live
from matches.models import Match
from matches.models.matches import State
from matches.play import match_lists
from matches.state.commands import Concede
from players.access import public_pages
from players.accounts import accounts
from players.clubs import clubs
from players.models import User
from runtime.stream import tokens
from tests.calls import calls_of
from tests.clients import signed_in
from tests.matches.support import Table, person
from tests.tournaments import onlookers
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_boards import laid_out, seated
from tests.tournaments.support import text
from tournaments.models import Tournament
from tournaments.pages import live_boards, page_versions
from tournaments.plan import setup

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_clock"), pytest.mark.today]

TILE = re.compile(r'data-board="(\w+)"')
PAGES = ("/", "/for/players/")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    public_pages.CACHE.clear()
    yield
    public_pages.CACHE.clear()


@pytest.fixture
def club(now: datetime) -> Any:
    return clubs.create(owner=person("Olga", now), name="Here", now=now)


@pytest.fixture
def table(club: Any, now: datetime) -> Table:
    """A live match of two players without a club, which belongs to no event."""
    table = Table(now)
    table.begin()
    return table


def pair(now: datetime, names: str, **how: Any) -> Table:
    one, other = (person(name, now).player for name in names.split())
    return Table(now, players=(one, other), **how)


def member(now: datetime, name: str = "Mia") -> Client:
    return signed_in(person(name, now))


def seen(client: Client, address: str = "/") -> list[str]:
    """Return the boards that a page shows as being played at."""
    return TILE.findall(text(client.get(address)))


def hero(client: Client) -> str:
    """Return the board at the head of a stranger's page."""
    page = text(client.get("/"))
    return page.partition("front__board")[2].partition('id="tonight"')[0]


def streams(page: str) -> dict[str, int]:
    token = re.search(r'<meta name="live" content="([^"]+)"', page)
    return tokens.verify_token(token[1]).positions


# Who sees what


def test_a_match_outside_events_is_there_from_its_beginning_to_its_end(club: Any, now: datetime) -> None:
    table = Table(now)
    readers = [(Client(), "/"), (member(now), "/"), (Client(), "/boards/"), (member(now, "Max"), "/boards/")]
    assert [seen(*reader) for reader in readers] == [[]] * 4

    table.begin()
    assert [seen(*reader) for reader in readers] == [[table.match.key]] * 4
    for reader, _address in readers[:2]:
        page = text(reader.get("/"))
        topic = live.get_topic(table.match.key)
        assert streams(page)[topic] == table.head
        assert live.LOBBY in streams(page)
        assert re.search(rf'data-live="{topic}"[^>]+hx-get="/boards/"', page)
        assert re.search(rf'id="(tonight|home)"\s+data-live="{live.LOBBY}', page)

    table.give(Side.WHITE, Concede())
    assert [seen(*reader) for reader in readers] == [[]] * 4
    # The page shows the end of the match.
    assert f"/matches/{table.match.key}/" in hero(Client())


def test_a_private_match_is_never_there(club: Any, now: datetime) -> None:
    table = Table(now, is_private=True)
    table.begin()
    readers = [Client(), member(now)]
    for address in ("/", "/boards/", "/for/players/"):
        assert not any(table.match.key in text(reader.get(address)) for reader in readers)
    table.give(Side.WHITE, Concede())
    assert table.row.status == State.FINISHED
    for address in ("/", "/boards/", "/for/players/"):
        assert not any(table.match.key in text(reader.get(address)) for reader in readers)


def test_matches_with_a_bot_are_nobodys_show(table: Table) -> None:
    Match.objects.update(has_bot=True)
    assert seen(Client()) == []
    table.give(Side.WHITE, Concede())
    assert "img/opening" in hero(Client())


def test_of_two_that_are_over_the_last_one_stands_at_the_head(table: Table) -> None:
    later = pair(table.now + timedelta(minutes=5), "Cleo Dan")
    later.begin()
    for each in (later, table):
        each.give(Side.WHITE, Concede())
    assert f"/matches/{later.match.key}/" in hero(Client())
    Match.objects.filter(pk=later.match.pk).update(is_private=True)
    assert f"/matches/{table.match.key}/" in hero(Client())


def test_a_match_of_an_event_is_not_shown_a_second_time(
    desk: Desk, users: dict[int, User], now: datetime
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    table = pair(now, "Cleo Dan")
    table.begin()

    assert seen(Client()) == [match.key, table.match.key]
    # A member sees events of the member's clubs, and all public boards.
    assert seen(member(now)) == [table.match.key]
    assert seen(Client(), "/boards/") == [table.match.key]


def test_so_many_are_shown_and_as_many_are_followed_as_a_stream_carries(club: Any, now: datetime) -> None:
    for number in range(live_boards.MOST + 1):
        pair(now + timedelta(minutes=number), f"White{number} Black{number}").begin()
    for number in range(tokens.MOST_TOPICS):
        owner = person(f"Owner{number}", now)
        here = clubs.create(owner=owner, name=f"Club {number}", now=now)
        said = setup.Details(name=f"Night {number}", starts_at=now)
        setup.announce(
            club=here, by=owner, key=f"night{number:05}", details=said, now=now, plan=a_plan("swiss")
        )
    assert Tournament.objects.count() == tokens.MOST_TOPICS
    client = Client()
    page = text(client.get("/"))

    assert len(TILE.findall(page)) == live_boards.MOST
    followed = streams(page)
    assert sum(name.startswith("match.") for name in followed) == live_boards.MOST
    assert len(followed) == tokens.MOST_TOPICS - 1  # a member has their own news


def test_without_a_club_too_what_is_played_is_shown(now: datetime) -> None:
    table = Table(now)
    table.begin()
    page = text(Client().get("/"))
    assert "No clubs here yet" in page
    assert TILE.findall(page) == [table.match.key]


# Pages that are kept


def a_move(table: Table) -> None:
    table.act()


def the_end(table: Table) -> None:
    table.give(Side.WHITE, Concede())


def another_match(table: Table) -> None:
    pair(table.now, "Cleo Dan").begin()


def another_name(table: Table) -> None:
    assert table.white.user is not None
    accounts.change(user=table.white.user, name="Anna", now=table.now)


def an_account_erased(table: Table) -> None:
    assert table.white.user is not None
    accounts.erase(user=table.white.user, now=table.now)


def a_secret(table: Table) -> None:
    Match.objects.filter(pk=table.match.pk).update(is_private=True)


CHANGES: dict[str, Callable[[Table], None]] = {
    "a move": a_move,
    "the end": the_end,
    "another match": another_match,
    "another name": another_name,
    "an account erased": an_account_erased,
    "no spectators any more": a_secret,
}


def visit() -> None:
    """Have pages kept, the long way and the short one."""
    for address in PAGES:
        for _ in range(2):
            Client().get(address)


def hold() -> list[str]:
    """Return the pages on which a visitor is given something else than what would be made for them now."""
    return [
        address
        for address in (*PAGES, "/boards/")
        if onlookers.inside(Client().get(address)) != onlookers.inside(onlookers.alone(Client(), address, {}))
    ]


@pytest.mark.parametrize("change", CHANGES)
def test_a_page_that_is_kept_is_dropped_by(table: Table, change: str) -> None:
    visit()
    before = [text(Client().get(address)) for address in PAGES]
    CHANGES[change](table)
    assert hold() == []
    assert text(Client().get("/")) != before[0]


@pytest.mark.parametrize("change", ["another name", "no spectators any more"])
def test_so_is_one_with_the_last_board(table: Table, change: str) -> None:
    the_end(table)
    visit()
    assert table.match.key in hero(Client())
    CHANGES[change](table)
    assert hold() == []


@pytest.mark.parametrize("change", CHANGES)
def test_without_their_mark_old_pages_are_noticed(
    table: Table, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_boards, "compute_version_key", lambda: ())
    # Changes of names are announced to clubs, and these two players are in none.
    visit()
    CHANGES[change](table)
    assert "/" in hold()


def test_the_page_of_a_club_has_none_of_it(table: Table, club: Any) -> None:
    before = page_versions.compute_evenings_key(club=club.slug), page_versions.compute_evenings_key()
    table.act()
    after = page_versions.compute_evenings_key(club=club.slug), page_versions.compute_evenings_key()
    assert before[0] == after[0]
    assert before[1] != after[1]
    assert seen(Client(), f"/clubs/{club.slug}/") == []


def test_boards_alone_are_not_sent_again_before_somebody_moves(table: Table) -> None:
    for browser in (Client(), member(table.now, "Cleo")):
        mark = browser.get("/boards/")["ETag"]
        assert browser.get("/boards/", headers={"If-None-Match": mark}).status_code == 304
        table.act()
        assert browser.get("/boards/", headers={"If-None-Match": mark}).status_code == 200


# What it costs


def test_a_page_that_is_kept_asks_for_them_in_two_questions(table: Table) -> None:
    visit()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        live_boards.compute_version_key()
    assert len(asked) == 2
    # A fifth of what such a page cost before there were any: 1,072 calls. PostgreSQL's driver is Python, for the most part.
    assert calls_of(live_boards.compute_version_key) < (200 if connection.vendor == "sqlite" else 400)


@pytest.mark.parametrize("rows", [match_lists.list_finished, match_lists.list_in_play])
def test_practice_matches_are_not_looked_through_for_them(rows: Callable[[], Any]) -> None:
    if connection.vendor == "sqlite":
        assert "match_shown_moved" in rows()[:1].explain()
