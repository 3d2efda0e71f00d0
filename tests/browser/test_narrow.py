"""At 320 pixels, which is a wide window at 400 %, and at 200 %, every main page is read downwards alone (WCAG 1.4.4, 1.4.10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserType, Page

from players.models import Membership, User
from tests.browser.people import overflow, snap, wear
from tests.browser.test_heads import addresses  # noqa: F401 - a fixture
from tests.matches.support import Table
from tournaments.models import Tournament

# Elements that extend beyond the right edge of the window and are not inside a scrolling element.
BEYOND: Final = """() => {
  const edge = document.documentElement.clientWidth + 1;
  const scrolls = (each) => {
    for (let box = each; box && box !== document.body; box = box.parentElement)
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(box).overflowX)) return true;
    return false;
  };
  return [...document.querySelectorAll("main *")]
    .filter((each) => each.getBoundingClientRect().right > edge && each.checkVisibility() && !scrolls(each.parentElement))
    .map((each) => `${each.localName}.${each.className} ${each.textContent.trim().slice(0, 30)}`)
    .slice(0, 4);
}"""
# The page of a match loads the styles of the parts around its board after the board.
STYLED: Final = """() => [...document.querySelectorAll("#share")]
  .every((each) => getComputedStyle(each).appearance === "none")"""
# Words that end in three dots, or that are cut at an edge, and cannot be scrolled to.
CUT: Final = """() => [...document.querySelectorAll("main *, header a")]
  .filter((each) => each.checkVisibility() && each.textContent.trim())
  .filter((each) => each.scrollWidth > each.clientWidth + 2)
  .filter((each) => ["hidden", "clip"].includes(getComputedStyle(each).overflowX))
  .filter((each) => getComputedStyle(each).clipPath === "none")
  .map((each) => `${each.localName}.${each.className} ${each.textContent.trim().slice(0, 30)}`)
  .slice(0, 4)
"""


@pytest.fixture
def pages(addresses: dict[str, str]) -> dict[str, str]:  # noqa: F811
    """The main pages by name, as Ada sees them."""
    ada = User.objects.get(player__name="Ada Okafor")
    club = Membership.objects.get(player__user=ada).club
    running, coming = addresses["running"], addresses["coming"]
    table = Table(timezone.now(), seed=7)
    table.begin()
    assert Tournament.objects.count() == 3
    return {
        **addresses,
        **{name: f"{running}{name}/" for name in ("standings", "players", "schedule", "desk", "rulings")},
        **{name: f"{coming}{name}/" for name in ("roster", "draw", "settings", "edit")},
        "standings of a finished one": f"{addresses['finished']}standings/",
        "announcing": f"/clubs/{club.slug}/events/new/",
        "club's events": f"/clubs/{club.slug}/events/",
        "members": f"/clubs/{club.slug}/members/",
        "club's settings": f"/clubs/{club.slug}/settings/",
        "rankings": f"/clubs/{club.slug}/rankings/",
        "player": f"/players/{ada.player.key}/",
        "board": f"/matches/{table.match.key}/",
        "chat of a match": f"/matches/{table.match.key}/chat/",
        "lobby": "/play/",
        "calendar": "/events/",
        "clubs": "/clubs/",
        "notices": "/notices/",
        "settings of an account": "/settings/",
    }


@pytest.fixture
def large_print(
    browser_type: BrowserType, browser_type_launch_args: dict[str, object], base_url: str
) -> Iterator[Page]:
    """A page of a browser whose owner reads letters twice as large."""
    arguments = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": arguments})
    yield browser.new_page(base_url=base_url)
    browser.close()


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(320, 640), (640, 400)])
def test_no_main_page_scrolls_sideways(
    site: str, page: Page, pages: dict[str, str], width: int, height: int
) -> None:
    wear(page, site, User.objects.get(player__name="Ada Okafor"))
    page.set_viewport_size({"width": width, "height": height})
    wide = {}
    for name, address in pages.items():
        answer = page.goto(address)
        assert answer.ok, (name, address)
        beyond = page.evaluate(BEYOND)
        if overflow(page) > 0 or beyond:
            wide[name] = (overflow(page), beyond)
        snap(page, f"narrow-{width}-{name.replace(' ', '-')}")
    assert wide == {}


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(375, 812), (1280, 900)])
def test_nothing_is_lost_where_the_text_alone_is_twice_as_large(
    site: str, large_print: Page, pages: dict[str, str], width: int, height: int
) -> None:
    wear(large_print, site, User.objects.get(player__name="Ada Okafor"))
    large_print.set_viewport_size({"width": width, "height": height})
    lost = {}
    for name, address in pages.items():
        answer = large_print.goto(address)
        assert answer.ok, (name, address)
        large_print.wait_for_function(STYLED)
        beyond, cut = large_print.evaluate(BEYOND), large_print.evaluate(CUT)
        if overflow(large_print) > 0 or beyond or cut:
            lost[name] = (overflow(large_print), beyond, cut)
        snap(large_print, f"large-print-{width}-{name.replace(' ', '-')}")
    assert not lost, "\n".join(f"{name}: {each}" for name, each in lost.items())
