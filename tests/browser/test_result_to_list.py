"""A result goes from the desk to the ratings, and to the head-to-head page of the two who played."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from rankings.lists import lists
from tests.browser.people import drain, wear
from tests.browser.test_pages import EVERY_VIEW, look_at
from tests.tournaments.event_desk import Desk, a_plan


@pytest.mark.long
def test_a_result_from_the_desk_reaches_the_list_and_the_pair(site: str, page: Page) -> None:
    desk = Desk(timezone.now().replace(microsecond=0) - timedelta(minutes=5))
    kept = lists.open_list(
        club=desk.club, by=desk.director, name="Club list", system="fibs", now=desk.now - timedelta(minutes=5)
    )
    desk.start(a_plan("single-elimination"), 2)
    [row] = desk.open()
    one, other = row.a.player, row.b.player
    wear(page, site, desk.director)
    rating = f"{site}/clubs/{desk.club.slug}/rankings/?list={kept.key}"
    page.goto(rating)
    expect(page.get_by_role("main")).not_to_contain_text(one.name)

    page.goto(f"{site}/events/{desk.event.key}/desk/")
    page.locator(".match__entry input[name=score]").first.fill("5 3")
    page.keyboard.press("Enter")
    expect(page.locator(".match__entry")).to_have_count(0)
    drain()

    page.goto(rating)
    expect(page.get_by_role("main")).to_contain_text(one.name)
    page.goto(f"{site}{one.get_absolute_url()}")
    page.get_by_role("link", name=re.compile("1.0$")).first.click()
    page.wait_for_url(f"**/against/{other.key}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("1\N{EN DASH}0")
    expect(page.get_by_role("main")).to_contain_text("Ratings then and now")
    # Between newcomers over five points the winner gains 4 x 5 x the root of 5 x a half.
    expect(page.get_by_role("main")).to_contain_text("1522.36")
    wrong = look_at(page, "head-to-head", EVERY_VIEW)
    assert not wrong, "\n".join(wrong)
