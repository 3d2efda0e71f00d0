"""A front page that is open while two play outside events: their board comes, moves with the page's one stream, and goes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.side import Side
from matches.state.commands import Concede
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, wear
from tests.browser.test_lobby_alive import LOST, table_of

Others = Callable[..., Page]

SAME = """key => document.querySelector("#front-board .mini").innerHTML
  === document.querySelector(`[data-board='${key}'] .mini`).innerHTML"""


@pytest.mark.long
def test_a_board_outside_events_is_followed_by_strangers_and_members(
    site: str, page: Page, another: Others
) -> None:
    mia = account("Mia Sand")
    club_of(mia)
    phone = another(**PHONE)
    wear(phone, site, mia)
    for each in (page, phone):
        each.goto("/")
        listening(each)
        expect(each.locator(".night-boards .tile")).to_have_count(0)

    head = page.locator("#front-board .mini")
    table = table_of("Ann Lund", "Ben Osei")
    table.begin()
    for each in (page, phone):
        board = each.locator(f"[data-board='{table.match.key}'] .mini")
        expect(board).to_be_visible()
        # By the stream of the page, not by the clock.
        each.evaluate(
            "window.heard = []; document.addEventListener('live:event', (e) => heard.push(e.detail.topic))"
        )
        # The news may have replaced it since.
        board.evaluate("(each) => each.scrollIntoView()")
        before = board.inner_html()
        if each is page:
            # The board at the top shows the same position as the one below at every moment.
            expect(head).to_be_visible()
            expect(page.locator("#front-board .live-dot")).to_be_visible()
        while f"match.{table.match.key}" not in each.evaluate("heard"):
            table.now = timezone.now()
            table.act()
            each.wait_for_timeout(50)
        each.wait_for_function(LOST, arg=[table.match.key, before])
        if each is page:
            each.wait_for_function(SAME, arg=table.match.key)
        assert faults(each) == []
        assert overflow(each) <= 0
        snap(each, "front-free-board")
    table.now = timezone.now()
    table.give(Side.WHITE, Concede())
    for each in (page, phone):
        expect(each.locator(".night-boards .tile")).to_have_count(0)
    # The board at the top shows the end of the match.
    expect(page.locator("#front-board")).to_contain_text("Played last")
    expect(page.locator("#front-board .tile__score")).to_have_text(["0", "3"])
    expect(page.locator("#front-board[data-live]")).to_have_count(0)
