"""Thumbnails of boards on an event's page: they show live matches, with public information only."""

from __future__ import annotations

import re
import zlib
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from engine.board import Board
from engine.cube import Cube
from engine.dice import Dice
from engine.side import Side
from engine.situation import Situation
from engine.svg_mini import MOST, render_mini_board, render_mini_table
from matches.journal import live
from matches.models import Match
from matches.models.matches import State
from matches.state import commands
from players.models import User
from runtime.stream import events, tokens
from tests.tournaments.event_desk import Desk
from tests.tournaments.play.test_boards import laid_out, seated, submit
from tests.tournaments.support import text, url

pytestmark = pytest.mark.today


def position(seed: int) -> Situation:
    """Return fifteen checkers a side at random, on points that the other does not hold, the bar and home."""
    draw = Random(seed)
    places = draw.sample(range(1, 25), 24)
    cut = draw.randint(1, 23)
    sides = []
    for own in (places[:cut], [25 - point for point in places[cut:]]):
        # One side at most has borne off everything.
        spots = draw.choices([*own, 25], k=draw.randint(1 if sides else 0, 15))
        sides.append({spot: spots.count(spot) for spot in spots})
    dice = draw.choice([None, Dice(draw.randint(1, 6), draw.randint(1, 6))])
    cube = Cube(2 ** draw.randint(1, 6), draw.choice([*Side]))
    return Situation(Board.from_counts(*sides), turn=draw.choice([*Side]), dice=dice, cube=cube)


@given(seed=st.integers(0, 2**32))
@budget(max_examples=60)
def test_a_thumbnail_shows_every_checker_and_stays_small(seed: int) -> None:
    scene = position(seed)
    drawing = render_mini_board(scene, table="/static/img/mini.0123456789ab.svg#table")

    for side, name in ((Side.WHITE, "white"), (Side.BLACK, "black")):
        numbers = [scene.board.bar(side), *(scene.board.count(side, point) for point in range(1, 25))]
        shown = drawing.partition(f'class="mini__face mini--{name}" d="')[2].partition('"')[0]
        assert shown.count("h0") == sum(min(number, MOST) for number in numbers)
        for number in numbers:
            if number > MOST:
                assert f">{number}</text>" in drawing
    assert len(zlib.compress(drawing.encode())) < 2000
    assert "style=" not in drawing


def test_the_table_of_all_thumbnails_is_the_one_that_is_drawn() -> None:
    assert (settings.BASE_DIR / "static/img/mini.svg").read_text() == render_mini_table()


def test_a_board_that_is_played_at_is_seen_by_everybody(
    desk: Desk,
    users: dict[int, User],
    client: Client,
) -> None:
    event = desk.fresh()
    assert "event-boards" not in text(client.get(event.get_absolute_url()))

    match = laid_out(desk, users)
    seated(desk, match, users)
    page = text(client.get(event.get_absolute_url()))
    tile = page.partition(f'data-board="{match.key}"')[2].partition("</li>")[0]

    assert f'data-live="match.{match.key}"' in page
    assert 'class="mini"' in tile
    for player in (match.white, match.black):
        assert player.name in tile
    assert tile.count('<strong class="tile__score">0</strong>') == 2
    # The name is read once and shown once: the same match is not listed a second time.
    # Once in words and once for who hears the page; a token may hold any three letters.
    names = re.findall(
        rf"\b{match.white.name}\b", re.sub(r'="[^"]*"', "", page.partition('id="event-tab"')[2])
    )
    assert len(names) == 2


def test_what_others_may_not_see_now_has_no_board(
    desk: Desk,
    users: dict[int, User],
    client: Client,
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    address = url("boards", desk.fresh().key)
    assert match.key in text(client.get(address))

    Match.objects.filter(pk=match.pk).update(is_private=True, head=match.head + 90)
    assert match.key not in text(client.get(address))


def test_a_move_makes_the_boards_new_and_nothing_else_does(
    desk: Desk,
    users: dict[int, User],
    client: Client,
    django_assert_max_num_queries: Any,
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    address = url("boards", desk.fresh().key)
    first = client.get(address, headers={"HX-Request": "true"})

    with django_assert_max_num_queries(2):
        again = client.get(address, headers={"HX-Request": "true", "If-None-Match": first["ETag"]})
    assert again.status_code == 304

    submit(desk, match, users[match.black_id], commands.Concede(), "concede")
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


def granted(page: str) -> set[str]:
    """Return the topics that the part of a page asks to follow instead of those of the page."""
    found = re.findall(r'data-token="([^"]+)"', page)
    return set(tokens.verify_token(found[0]).positions) if found else set()


@pytest.mark.long
@pytest.mark.parametrize("who", ["visitor", "member"])
def test_a_part_follows_what_its_reader_may_see_and_no_more(
    desk: Desk, users: dict[int, User], client: Client, who: str
) -> None:
    event = desk.fresh()
    match = laid_out(desk, users)
    seated(desk, match, users)
    own = set()
    if who == "member":
        user = users[match.white_id]
        client.force_login(user)
        own = {f"user.{user.pk}"}
    club, board = f"club.{event.club.slug}", f"match.{match.key}"
    parts = {
        (url("club_events", event.club.slug), "part"): {club, board},
        (url("club_events", event.club.slug), "page"): {club, board},
        ("/", "page"): {club, board, live.LOBBY},
        (event.get_absolute_url(), "part"): {f"event.{event.key}", board},
        (event.get_absolute_url(), "page"): {f"event.{event.key}", board},
    }
    for (address, how), topics in parts.items():
        headers = {"HX-Request": "true"} if how == "part" else {}
        assert granted(text(client.get(address, headers=headers))) == topics | own, (address, how)

    # A private or delayed position cannot be followed by other users.
    Match.objects.filter(pk=match.pk).update(is_private=True, head=match.head + 90)
    for address, how in parts:
        headers = {"HX-Request": "true"} if how == "part" else {}
        page = text(client.get(address, headers=headers))
        assert board not in granted(page) | set(re.findall(r'data-(?:live|follows)="([^"]*)"', page))


def test_pages_are_told_when_play_begins_at_a_board(
    desk: Desk, users: dict[int, User], django_capture_on_commit_callbacks: Any
) -> None:
    event = desk.fresh()
    match = laid_out(desk, users)
    topics = [f"event.{event.key}", f"club.{event.club.slug}"]
    before = events.load_heads(topics)
    with django_capture_on_commit_callbacks(execute=True):
        seated(desk, match, users)
    assert Match.objects.get(pk=match.pk).status == State.LIVE
    assert events.load_heads(topics) == {topic: head + 1 for topic, head in before.items()}


def test_the_only_board_that_is_played_at_is_on_the_front_page_once(
    desk: Desk, users: dict[int, User], client: Client
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)

    page = text(client.get("/"))

    assert page.count('<li class="tile"') == 1
    assert page.count(f'data-board="{match.key}"') == 1
    assert "Being played right now" not in page
