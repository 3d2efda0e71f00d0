"""A helper of an event, on their own phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import PHONE, overflow, snap, wear
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, Ruling


@pytest.mark.long
def test_what_a_helper_is_told_outlives_the_news(desk: Desk, site: str, browser: Browser) -> None:
    desk.start(a_plan("swiss", rounds=2), 4)
    director, helper = (browser.new_page(**PHONE, base_url=site) for _ in range(2))
    wear(director, site, desk.director)
    director.goto(f"/events/{desk.event.key}/helpers/")
    director.get_by_label("Name").fill("Anna")
    director.get_by_role("button", name="Make a link").click()
    link = director.get_by_label("Link", exact=True).input_value()
    helper.goto(site + "/helping/" + link.split("/helping/")[1])
    helper.get_by_role("button", name="Help in this browser").click()
    scores = helper.get_by_label("Score of")
    expect(scores).to_have_count(2)
    scores.first.fill("5 3")
    helper.get_by_role("button", name="Enter").first.click()
    expect(scores).to_have_count(1)

    (row,) = desk.open()
    desk.play(row.key)

    # The next round has come.
    expect(scores).to_have_count(2)
    expect(helper.get_by_text("5–3 is entered.")).to_be_visible()  # noqa: RUF001
    snap(helper, "helping-said")
    for page in (director, helper):
        page.close()


@pytest.mark.long
def test_a_helper_enters_a_result_until_the_link_is_taken_back(
    desk: Desk, site: str, browser: Browser
) -> None:
    desk.start(a_plan("swiss", rounds=2), 4)
    address = f"/events/{desk.event.key}"
    director, helper = (browser.new_page(**PHONE, base_url=site) for _ in range(2))
    wear(director, site, desk.director)

    director.goto(f"{address}/helpers/")
    director.get_by_label("Name").fill("Anna")
    director.get_by_role("button", name="Make a link").click()
    expect(director.get_by_text("Shown only once")).to_be_visible()
    assert overflow(director) == 0
    snap(director, "helpers-phone")
    link = director.get_by_label("Link", exact=True).input_value()

    helper.goto(site + "/helping/" + link.split("/helping/")[1])
    assert not Ruling.objects.filter(helper__isnull=False).exists()
    helper.get_by_role("button", name="Help in this browser").click()
    expect(helper.get_by_role("heading", name="Anna, helper")).to_be_visible()
    assert overflow(helper) == 0
    snap(helper, "helping-phone")
    sheet = helper.get_by_role("link", name="Keep the score").first
    assert sheet.evaluate("each => getComputedStyle(each).textDecorationLine") == "underline"
    scores = helper.get_by_label("Score of")
    expect(scores).to_have_count(2)
    scores.first.fill("9 9")
    helper.get_by_role("button", name="Enter").first.click()
    expect(helper.get_by_role("alert")).to_be_visible()
    expect(scores.first).to_have_value("9 9")
    scores.first.fill("5 3")
    helper.get_by_role("button", name="Enter").first.click()
    expect(helper.get_by_text("5–3 is entered.")).to_be_visible()  # noqa: RUF001
    expect(scores).to_have_count(1)
    assert Pairing.objects.filter(tournament=desk.event, score_a=5, score_b=3).count() == 1

    director.goto(f"{address}/rulings/")
    expect(director.get_by_text("Anna, helper").first).to_be_visible()
    director.goto(f"{address}/helpers/")
    director.get_by_role("button", name="Take back Anna").click()
    expect(director.get_by_text("The link has been taken back.")).to_be_visible()
    # The helper's page learns it by itself.
    expect(scores).to_have_count(0)
    for page in (director, helper):
        page.context.close()
