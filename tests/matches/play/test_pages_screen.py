"""Boards that are only looked at: framed by another site, or on a wall."""

from __future__ import annotations

import html
import re
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from engine.side import Side
from matches.state.commands import Concede
from players.clubs import clubs
from runtime.stream import tokens
from tests.matches.support import Table, person
from tests.matches.test_pages import data, signed_in, text

pytestmark = pytest.mark.today


@pytest.fixture
def table(db: None, now: datetime) -> Table:
    found = Table(now)
    found.begin()
    return found


def embed(table: Table) -> str:
    return f"/matches/{table.match.key}/embed/"


def tv(table: Table) -> str:
    return f"/matches/{table.match.key}/tv/"


def heard(answer: Any) -> set[str]:
    """The streams that a page may read."""
    found = re.search(r'<meta name="live" content="([^"]+)"', text(answer))
    return {*tokens.verify_token(found[1]).positions}


# In another site's frame


def test_any_site_may_frame_the_embedded_board_and_nothing_else(table: Table) -> None:
    client = Client()
    framed = client.get(embed(table))

    assert framed.status_code == 200
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "script-src 'self'" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    for address in (f"/matches/{table.match.key}/", tv(table), "/play/", "/"):
        answer = client.get(address)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address
        assert answer["X-Frame-Options"] == "DENY", address


def test_an_embedded_board_is_everybodys_whoever_looks(table: Table) -> None:
    assert table.white.user is not None
    mine = signed_in(table.white.user).get(embed(table))
    told = data(mine)

    assert told["me"] is None
    assert told["whole"]["you"] is None
    assert told["whole"]["turn"] is None
    assert told["topics"]["chat"] == []
    assert "csrf" not in text(mine).lower()
    assert "<form" not in text(mine)
    assert not mine.cookies
    # The frame's stream has no data of the signed-in player either.
    assert heard(mine) == heard(Client().get(embed(table)))


def test_an_embedded_board_shows_names_score_and_board_without_a_script(table: Table) -> None:
    page = text(Client().get(embed(table)))

    assert "Ann" in page
    assert "Ben" in page
    assert "+13-14-15-16-17-18-+" in page


def test_it_looks_as_its_address_asks_and_never_otherwise(table: Table) -> None:
    asked = text(Client().get(f"{embed(table)}?theme=dark&board=night"))
    nonsense = text(Client().get(f'{embed(table)}?theme="x&board=<b>'))

    assert 'data-theme="dark"' in asked
    assert 'data-board="night"' in asked
    assert 'data-theme="auto"' in nonsense
    assert 'data-board="club"' in nonsense


def test_the_match_page_has_the_snippet_to_copy(table: Table) -> None:
    page = text(Client().get(f"/matches/{table.match.key}/"))
    found = re.search(r'id="snippet" readonly value="([^"]+)"', page)
    snippet = html.unescape(found[1])

    assert snippet.startswith(f'<iframe src="http://testserver{embed(table)}"')
    assert snippet.endswith("</iframe>")


def test_a_private_match_is_framed_by_nobody(db: None, now: datetime) -> None:
    table = Table(now, is_private=True)
    assert table.white.user is not None
    player = signed_in(table.white.user)

    assert Client().get(embed(table)).status_code == 404
    assert player.get(embed(table)).status_code == 404
    assert 'id="snippet"' not in text(player.get(f"/matches/{table.match.key}/"))


# On a wall


def test_a_private_match_is_put_on_a_wall_by_its_own_people_alone(db: None, now: datetime) -> None:
    table = Table(now, is_private=True)
    assert table.white.user is not None

    assert Client().get(tv(table)).status_code == 404
    assert signed_in(person("Cleo", now)).get(tv(table)).status_code == 404
    assert signed_in(table.white.user).get(tv(table)).status_code == 200


def test_a_wall_shows_the_last_moves_and_how_it_ended(table: Table) -> None:
    for _ in range(12):
        table.act()
    shown = data(Client().get(tv(table)))

    assert [each["line"]["seq"] for each in shown["frames"]] == [
        *range(max(1, shown["whole"]["snapshot"]["head"] - 29), shown["whole"]["snapshot"]["head"] + 1)
    ]
    assert shown["frames"][-1]["state"]["board"] == shown["whole"]["snapshot"]["board"]
    table.give(Side.WHITE, Concede())
    assert "Ben won the match" in text(Client().get(tv(table)))


def test_a_wall_put_up_by_a_director_or_a_player_is_everybodys(db: None, now: datetime) -> None:
    ann = person("Ann", now)
    club = clubs.create(owner=ann, name="Harbour", now=now)
    players = (person("Ben", now).player, person("Cleo", now).player)
    table = Table(now, players=players, club=club)
    table.begin()
    key = table.match.key

    for user in (ann, table.white.user):
        assert user is not None
        answer = signed_in(user).get(tv(table))
        assert heard(answer) == {f"match.{key}", f"presence.{key}", f"gallery.{key}"}
        assert data(answer)["me"] is None
