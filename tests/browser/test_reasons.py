"""Why, in a browser: folded until a person asks, and what was unfolded stays so when a result comes in."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import listening
from tests.browser.test_pages import look_at, sign_in
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan.templates import StagePlan


@pytest.mark.long
def test_what_somebody_asked_stays_answered_when_a_result_comes_in(desk: Desk, site: str, page: Page) -> None:
    desk.start(a_plan("swiss", rounds=4), 5)
    page.goto(f"{site}/events/{desk.event.key}/bracket/")
    listening(page)
    why = page.locator("details.why")
    said = why.get_by_text("the number of players is odd")
    expect(said).to_be_hidden()
    why.get_by_text("Why?").click()
    expect(said).to_be_visible()
    wrong = look_at(page, "a round that says why")

    desk.play(desk.open()[0].key)

    expect(page.locator(".round .meta").first).to_contain_text("1 / 2")
    expect(said).to_be_visible()
    assert not wrong, "\n".join(wrong)


def test_a_drafted_round_says_why_beside_what_can_be_ticked(
    desk: Desk, site: str, page: Page, context: BrowserContext
) -> None:
    sign_in(context, site, desk.director)
    desk.start(a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")]), 5)
    page.goto(f"{site}/events/{desk.event.key}/desk/round/1/1/")
    asked = page.locator(".drafted__why")
    expect(asked).to_have_count(3)
    # What is unusual is read at once, the rest when a person asks.
    expect(asked.last.get_by_text("sits out and gets 1 point")).to_be_visible()
    level = asked.first.get_by_text("meet with 0 points each")
    expect(level).to_be_hidden()
    asked.first.get_by_text("Why?").click()
    expect(level).to_be_visible()
    # To ask is not to tick.
    expect(page.locator(".drafted input:checked")).to_have_count(0)
    wrong = look_at(page, "a drafted round that says why")
    assert not wrong, "\n".join(wrong)
