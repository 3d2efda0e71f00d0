"""At 320 pixels, which is a wide window at 400 %, and at 200 %, every main page is read downwards alone (WCAG 1.4.4, 1.4.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from django.utils import timezone

from players.models import Membership, User
from tests.browser.people import overflow, snap, wear
from tests.browser.test_heads import addresses  # noqa: F401 - a fixture
from tests.matches.support import Table
from tournaments.models import Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What stands out of the window to the right, and in nothing that scrolls by itself.
BEYOND: Final = """() => {
  const edge = document.documentElement.clientWidth + 1;
  const scrolls = (each) => {
    for (let box = each; box && box !== document.body; box = box.parentElement)
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(box).overflowX)) return true;
    return false;
  };
  return [...document.querySelectorAll("main *")]
    .filter((each) => each.getBoundingClientRect().right > edge && each.offsetParent && !scrolls(each.parentElement))
    .map((each) => `${each.localName}.${each.className} ${each.textContent.trim().slice(0, 30)}`)
    .slice(0, 4);
}"""


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(320, 640), (640, 400)])
def test_no_main_page_scrolls_sideways(
    site: str,
    page: Page,
    addresses: dict[str, str],  # noqa: F811
    width: int,
    height: int,
) -> None:
    ada = User.objects.get(player__name="Ada Okafor")
    club = Membership.objects.get(player__user=ada).club
    running, coming = addresses["running"], addresses["coming"]
    table = Table(timezone.now(), seed=7)
    table.begin()
    pages = {
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
        "lobby": "/play/",
        "calendar": "/events/",
        "clubs": "/clubs/",
        "notices": "/notices/",
        "settings of an account": "/settings/",
    }
    assert Tournament.objects.count() == 3
    wear(page, site, ada)
    page.set_viewport_size({"width": width, "height": height})
    wide = {}
    for name, address in pages.items():
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, (name, address)
        beyond = page.evaluate(BEYOND)
        if overflow(page) > 0 or beyond:
            wide[name] = (overflow(page), beyond)
        snap(page, f"narrow-{width}-{name.replace(' ', '-')}")
    assert wide == {}
