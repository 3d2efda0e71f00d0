"""Pages that follow the news write nothing into the console when a part of them is replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.people import PHONE, listening, wear
from tests.browser.test_wall import hung
from tests.tournaments.event_desk import Desk, a_plan
from venue.models import CallMode, Show
from venue.rooms import room_settings, rooms

PAGES = ("desk/", "", "bracket/", "standings/", "schedule/", "players/", "matches/main/2.1/")
# Playwright hides the caret while it takes a screenshot and leaves style="" on every field. The other elements with an id get a
# style as extensions of browsers give it. htmx must not write either as an attribute, which the policy refuses.
STYLE = """() => {
  for (const each of document.querySelectorAll("body [id]")) each.style.setProperty("accent-color", "auto");
  window.swaps = 0;
  document.addEventListener("htmx:afterSettle", () => (window.swaps += 1));
}"""


@pytest.mark.long
@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_news_leave_the_console_of_every_page_empty(
    desk: Desk, site: str, another: Callable[..., Page], screen: dict[str, Any]
) -> None:
    event = desk.start(a_plan("single-elimination"), 8)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-4", now=desk.now)
    room_settings.set_room(event=event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now)
    refused: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(f"{message.location['url']} {message.text}")

    pages = [another(**screen) for _ in PAGES]
    for page, path in zip(pages, PAGES, strict=True):
        page.on("console", note)
        wear(page, site, desk.director)
        page.goto(f"{event.get_absolute_url()}{path}")
        listening(page)
        page.screenshot()
        page.evaluate(STYLE)
    wall = another()
    wall.on("console", note)
    hung(wall, site, desk, "Door", Show.BRACKET, Show.STANDINGS)
    expect(wall.locator(".tree__box")).to_have_count(7)
    wall.evaluate(STYLE)

    for match in desk.open()[:2]:
        desk.play(match.key)
        for page in (*pages, wall):
            page.wait_for_function("() => window.swaps > 0")
            page.screenshot()
            page.evaluate("window.swaps = 0")

    assert refused == []
