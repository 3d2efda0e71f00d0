"""The drawing desk in a browser: slips of paper entered and published, a drafted round changed and published."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.test_pages import look_at, sign_in
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import seating
from tournaments.models import Draw, Entry, Round, Ruling, RulingKind
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan


@pytest.fixture
def desk(desk: Desk, site: str, context: BrowserContext) -> Desk:
    """A director who has signed in."""
    sign_in(context, site, desk.director)
    return desk


@pytest.mark.long
def test_slips_of_paper_are_entered_mended_and_published(site: str, page: Page, desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    page.goto(f"{site}/events/{desk.event.key}/draw/")
    page.get_by_role("link", name="Enter a draw made by hand").click()
    wrong = look_at(page, "the empty form")
    page.get_by_label("Line 1", exact=True).select_option("Guest 2")
    page.get_by_label("Witnesses").fill("Ann Bell")
    page.get_by_role("button", name="Save this draw").click()

    expect(page.get_by_role("alert")).to_contain_text("Guest 2 is on several lines: 1, 3.")
    expect(page.get_by_role("alert")).to_contain_text("Guest 1 is not on any line.")
    wrong += look_at(page, "the form with what is wrong")
    page.get_by_label("Line 3", exact=True).select_option("Guest 1")
    page.get_by_role("button", name="Save this draw").click()
    expect(page.get_by_role("heading", name="Publish the draw")).to_be_visible()
    wrong += look_at(page, "the preview")
    page.get_by_label("Witnesses").fill("Ben Cole")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**/desk/")
    page.goto(f"{site}/events/{desk.event.key}/draw/")
    wrong += look_at(page, "the proof")

    draw = Draw.objects.get(stage__tournament=desk.event)
    assert (draw.lines[:3], draw.witnesses) == ([2, None, 1], ["Ann Bell", "Ben Cole"])
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_a_drafted_round_is_changed_and_published(site: str, page: Page, desk: Desk) -> None:
    desk.announce(a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")]), 7)
    desk.do(drawing.publish)
    one, two, *_ = seating.load_seats(Round.objects.get(stage__tournament=desk.event))
    Entry.objects.filter(tournament=desk.event, number__in=[one.a, one.b]).update(club="Harbour")
    page.goto(f"{site}/events/{desk.event.key}/desk/")
    page.get_by_role("link", name="View and change it").click()
    expect(page.get_by_text("Both are of Harbour.")).to_be_visible()
    wrong = look_at(page, "the draft")

    for number in (one.a, two.a):
        page.locator(f"input[name=entry][value='{number}']").check()
    page.get_by_role("button", name="Exchange the two I ticked").click()
    expect(page.get_by_role("heading", name="Exchanged")).to_be_visible()
    expect(page.get_by_text("Both are of Harbour.")).to_have_count(0)
    wrong += look_at(page, "the exchange")
    page.get_by_label("Why?").fill("Two of one club")
    page.get_by_role("button", name="Publish the round").click()
    page.wait_for_url("**/desk/")

    assert desk.pairs()[one.key] == (two.a, one.b)
    assert Ruling.objects.get(act=RulingKind.PUBLISHED_ROUND).reason == "Two of one club"
    assert not wrong, "\n".join(wrong)
