"""Boards that are only looked at, and boards on phones: a wall, a frame on another site, and no scrolling while playing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from engine.board import STANDARD
from engine.layout import Layout
from engine.side import Side
from engine.situation import Situation
from engine.svg import svg_board
from players.models import User
from tests.browser import tables
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, listening, overflow, snap, wear
from tests.matches.support import Table, club_terms

WALL: Final = {"viewport": {"width": 1920, "height": 1080}}
# What a thumb needs.
LEAST: Final = 44
# 5 m before a screen of 1.2 m: what is to be read has to be so high.
READABLE: Final = 34
SHOWN_TEXT: Final = """() => [...document.querySelectorAll(".screen__side :is(h2, p, span, li)")]
  .filter(each => each.checkVisibility() && [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .filter(each => !each.closest(".visually-hidden"))
  .map(each => [parseFloat(getComputedStyle(each).fontSize), each.textContent.trim()])"""
HEAD: Final = "JSON.parse(document.getElementById('match-data').textContent).whole.snapshot.head"


def laid(**agreed: Any) -> tuple[Table, User, User]:
    """A match under way between two whose browsers keep no dice; driven from here."""
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    table = Table(timezone.now(), agreed=club_terms(7, **agreed), chained=(), players=(ada.player, bo.player))
    table.begin()
    return table, ada, bo


def act(table: Table, times: int = 1) -> None:
    """Let one of them do something, now."""
    for _ in range(times):
        table.now = timezone.now()
        table.act()


def box(found: Locator) -> tuple[float, float, float, float]:
    """The left, top, right and bottom edges of an element."""
    rect = found.bounding_box()
    return rect["x"], rect["y"], rect["x"] + rect["width"], rect["y"] + rect["height"]


# On a wall


@pytest.mark.long
def test_a_wall_follows_a_match_and_finds_back_after_a_cut(site: str, another: Callable[..., Page]) -> None:
    table, _ada, _bo = laid()
    wall = another(**WALL)
    wall.goto(f"/matches/{table.match.key}/tv/")
    listening(wall)
    act(table, 4)
    expect(wall.locator("#last li").first).to_be_visible()
    snap(wall, "wall-1")
    assert faults(wall) == []
    assert overflow(wall) <= 0
    assert wall.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
    # Nothing to press but the places that tell what lies on them.
    assert wall.locator(":is(button, a, input):visible:not(.place)").count() == 0
    assert [each for each in wall.evaluate(SHOWN_TEXT) if each[0] < READABLE - 2] == []
    size = wall.locator(".seat__name").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 60

    wall.context.set_offline(True)
    # Going out of reach does not end what is open; a router that restarts does.
    wall.evaluate("window.dispatchEvent(new Event('online'))")
    expect(wall.locator("html[data-stream=off]")).to_be_attached()
    expect(wall.locator("#line")).to_be_visible()
    # All frames sent before the disconnection have arrived by now.
    said = wall.locator("#last").inner_text()
    act(table, 10)
    assert wall.locator("#last").inner_text() == said
    wall.context.set_offline(False)
    expect(wall.locator("#last")).not_to_have_text(said, use_inner_text=True, timeout=20_000)
    listening(wall)
    expect(wall.locator("#line")).to_be_hidden()
    pips = [table.state.match.game.board.pips(side) for side in Side]
    expect(wall.locator("#seat-white .seat__pips")).to_have_text(f"pips {pips[0]}")
    expect(wall.locator("#seat-black .seat__pips")).to_have_text(f"pips {pips[1]}")


def test_a_wall_asks_the_screen_to_stay_awake(site: str, another: Callable[..., Page]) -> None:
    table, _ada, _bo = laid()
    wall = another(**WALL)
    wall.add_init_script(
        "navigator.wakeLock.request = kind => { window.awake = kind; return Promise.resolve(); }"
    )
    wall.goto(f"/matches/{table.match.key}/tv/")

    wall.wait_for_function("() => window.awake === 'screen'")


# In a frame


@contextmanager
def blog_with(body: str) -> Iterator[str]:
    """Another site, with one page: give its address."""

    class Blog(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's name
            text = f"<!doctype html><title>A blog</title>{body}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Blog)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def test_a_board_lives_in_another_sites_frame(site: str, page: Page) -> None:
    table, _ada, _bo = laid()
    address = f"{site}/matches/{table.match.key}/embed/"
    with blog_with(f'<iframe src="{address}" title="A match" width="640" height="690"></iframe>') as blog:
        page.goto(blog)
        look_into_the_frame(page, table)


def look_into_the_frame(page: Page, table: Table) -> None:
    """The board is there, lives, and fits."""
    inside = page.frame_locator("iframe")
    expect(inside.locator("html[data-stream=on]")).to_be_attached()
    expect(inside.locator("#seat-white .seat__name")).to_have_text("Ada Okafor")
    before = inside.locator("#seat-white .seat__pips, #seat-black .seat__pips").all_inner_texts()
    act(table, 8)
    expect(inside.locator("#seat-white .seat__pips, #seat-black .seat__pips")).not_to_have_text(before)
    snap(page, "embed-1")
    last = page.frames[-1]
    assert last.evaluate("document.scrollingElement.scrollHeight <= innerHeight + 1")
    assert overflow(last) <= 0
    assert inside.locator(":is(form, input, dialog, button:not(.place)):visible").count() == 0


# On a phone


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (812, 375),
        (568, 320),
        (375, 812),
        (375, 553),
        *(
            pytest.param(*size, marks=pytest.mark.long)
            for size in ((932, 430), (667, 375), (390, 664), (375, 667))
        ),
    ],
)
def test_nobody_scrolls_while_playing(
    site: str, another: Callable[..., Page], width: int, height: int
) -> None:
    table, ada, bo = laid()
    turn = table.state.match.game.turn
    phone = another(**PHONE | {"viewport": {"width": width, "height": height}})
    wear(phone, site, bo if turn else ada)
    phone.goto(f"/matches/{table.match.key}/")
    listening(phone)
    expect(phone.locator("[data-act=confirm]")).to_be_visible()
    snap(phone, f"phone-{width}x{height}", full=False)

    assert phone.evaluate("scrollY") == 0
    assert overflow(phone) <= 0
    below = phone.locator(".seat--below")
    acts = phone.locator("[data-act]:visible").all()
    for each in (phone.locator("#table"), phone.locator(".seat--above"), below, *acts):
        left, top, right, bottom = box(each)
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height, each
    for each in acts:
        _left, top, _right, bottom = box(each)
        assert bottom - top >= LEAST
    # Nothing covers anything: board, seat and buttons have their own places.
    table_box, seat = box(phone.locator("#table")), box(below)
    first = box(acts[0])
    if width > height:
        assert table_box[2] <= min(seat[0], first[0])
    else:
        assert table_box[3] <= seat[1] + 1
        assert seat[3] <= first[1] + 1
    assert faults(phone) == []


# The drawing


def test_points_have_the_tones_and_the_shape_of_the_still_picture(site: str, page: Page) -> None:
    tables.serve(page, site)
    tables.lay(page, tables.state())
    still = svg_board(Situation(board=STANDARD), Layout(Side.WHITE))
    for tone in ("light", "dark"):
        drawn = page.locator(f".point--{tone}").get_attribute("d")
        wanted = re.search(rf'<path class="{tone}" d="([^"]+)"', still)
        assert drawn
        assert numbers(drawn) == numbers(wanted[1])


def numbers(path: str) -> list[float]:
    """The figures of a path, in its order of triangles by their left corner."""
    corners = [
        tuple(round(float(each), 1) for each in re.findall(r"[\d.]+", part)) for part in path.split("z")
    ]
    return [each for corner in sorted(corners) for each in corner]
