"""A command that the server refuses: the page says why, and leads to the rule."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.eyes import faults
from tests.browser.test_match_journey import seated

Others = Callable[..., Page]


def empty(route: Route) -> None:
    """Send a play without steps in place of the one that was made."""
    body = json.loads(route.request.post_data or "{}")
    if body["command"]["type"] == "move":
        body["command"]["steps"] = []
    route.continue_(post_data=json.dumps(body))


@pytest.mark.long
def test_a_refused_play_leads_to_the_rule(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, length=3)
    table.begin()
    side = table.state.match.game.turn
    assert side is not None
    mine = table.pages[side]
    mine.route("**/commands/", empty)
    table.play(side)

    said = mine.locator(".toast--error")
    expect(said).to_contain_text("There is a legal play, so you must make it.")
    expect(said.get_by_role("link", name="Why?")).to_have_attribute("href", "/help/rules/#R24")
    assert faults(mine) == []
