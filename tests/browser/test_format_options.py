"""The options of a format on its page, without script, and as axe sees them when all are unfolded."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import wear
from tests.browser.test_pages import alternating, look_at, sign_in
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Stage


@pytest.mark.long
def test_all_options_of_a_swiss(desk: Desk, site: str, page: Page, context: BrowserContext) -> None:
    sign_in(context, site, desk.director)
    desk.announce(a_plan("swiss", rounds=4), 4)
    page.goto(f"{site}/events/{desk.event.key}/settings/")
    expect(page.get_by_label("Points for a bye")).to_be_hidden()
    for fold in page.locator(".fold > summary").all():
        fold.click()
    expect(page.get_by_label("Points for a bye")).to_be_visible()
    wrong = look_at(page, "the options of a Swiss", alternating(0))
    assert not wrong, "\n".join(wrong)


def test_tie_breaks_are_chosen_without_script(desk: Desk, site: str, another: Callable[..., Page]) -> None:
    desk.announce(a_plan("swiss", rounds=4), 4)
    page = another(java_script_enabled=False)
    wear(page, site, desk.director)
    page.goto(f"{site}/events/{desk.event.key}/settings/")
    page.locator("summary", has_text="Ranking and ties").click()
    page.locator("summary", has_text="Pairing").click()
    ranked = page.get_by_role("group", name="Players are ranked by")
    ranked.get_by_label("Line 2").select_option(label="Wins")
    page.get_by_label("How equal scores are paired").select_option("fold")
    page.get_by_role("button", name="Save").click()
    # Folded again, it says what was chosen.
    expect(ranked.get_by_label("Line 2")).to_be_hidden()
    told = page.locator("summary", has_text="Ranking and ties").locator(".fold__told")
    expect(told).to_contain_text("Points; Wins; Buchholz")
    # What is wrong unfolds the group it is in, and no other.
    page.locator("summary", has_text="Byes").click()
    page.get_by_label("Points for a bye").fill("half")
    page.locator("summary", has_text="Byes").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("This value is not allowed.")).to_be_visible()
    expect(page.locator("details.fold[open]")).to_have_count(1)
    stage = Stage.objects.get(tournament=desk.event)
    assert stage.options["method"] == "fold"
    assert stage.options["ties"][:3] == ["points", "wins", "buchholz-cut-1"]


@pytest.mark.long
def test_what_changed_or_is_wrong_among_folded_fields_is_seen(
    desk: Desk, site: str, page: Page, context: BrowserContext
) -> None:
    sign_in(context, site, desk.director)
    desk.announce(a_plan("swiss", rounds=4), 4)
    page.goto(f"{site}/events/{desk.event.key}/settings/")
    byes = page.locator("summary", has_text="Byes")
    expect(byes.locator(".fold__told")).to_have_text("Standard")
    byes.click()
    page.get_by_label("Byes for one player").fill("99")
    byes.click()
    expect(byes.locator(".fold__told")).to_have_text("Changed, not saved yet")
    # The browser says so itself, beside the field.
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Byes for one player")).to_be_focused()
    page.get_by_label("Byes for one player").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(byes.locator(".fold__told")).to_have_text("Byes for one player: 2")
