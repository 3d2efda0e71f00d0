"""The page that asks before a result is corrected, in a browser: the bracket shows what would change."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import overflow, snap
from tests.browser.test_pages import look_at, sign_in
from tests.tournaments.event_desk import Desk, a_plan

pytestmark = pytest.mark.long
# How much of the picture cannot be seen without scrolling in its frame.
CUT = """() => {
  const pane = document.querySelector(".ripple-pane");
  return [pane.scrollWidth - pane.clientWidth, pane.scrollHeight - pane.clientHeight];
}"""


def test_what_a_correction_would_change_is_seen_in_the_bracket(
    desk: Desk, site: str, page: Page, context: BrowserContext
) -> None:
    sign_in(context, site, desk.director)
    desk.start(a_plan("progressive-consolation"), 8)
    for _ in range(7):
        desk.play(desk.open()[0].key)
    row = desk.row("main/1.1")
    page.goto(f"{site}/events/{desk.event.key}/acts/correct/?match=main/1.1")
    page.locator("[name=score]").fill(f"0 {row.length}" if row.winner_id == row.a_id else f"{row.length} 0")
    page.locator("[name=reason]").fill("Turned round")
    page.get_by_role("button", name="See the consequences").click()
    expect(page.locator(".ripple-pane .itself")).to_have_count(1)
    expect(page.locator("#preview-card .is-lost-result")).to_have_count(
        page.locator("#preview-card .loses").count()
    )
    assert page.locator(".ripple-pane .changes, .ripple-pane .loses").count() > 0
    assert page.evaluate(CUT) == [0, 0], "the picture is whole"
    snap(page, "correction-wide")
    assert not look_at(page, "what a correction would change")
    # A phone has the list in words, and a picture whose names can be read: its frame shows that there is more.
    page.set_viewport_size({"width": 375, "height": 812})
    wide, high = page.evaluate(CUT)
    assert wide > 0
    assert high == 0
    assert overflow(page) <= 0
    shadows = "getComputedStyle(document.querySelector('.ripple-pane')).backgroundAttachment"
    assert "scroll" in page.evaluate(shadows)
    snap(page, "correction-phone")
    assert desk.row("main/1.1").winner_id == row.winner_id
