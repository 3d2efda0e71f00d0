"""An event is set up on a phone."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.people import PHONE, overflow, snap, wear
from tests.tournaments.desk import Desk, a_plan
from tournaments.models import Stage, Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.long
def test_the_last_event_of_the_weekday_is_announced_again_from_a_phone(site: str, browser: Browser) -> None:
    desk = Desk(timezone.now().replace(microsecond=0) - timedelta(days=7))
    before = desk.start(a_plan("swiss", rounds=4), 6)
    page = browser.new_page(**PHONE, base_url=site)
    wear(page, site, desk.director)
    page.goto(f"/clubs/{desk.club.slug}/events/new/")

    first = page.locator(".template.is-chosen")
    expect(first).to_contain_text("As on")
    expect(first).to_contain_text("4 rounds · 4 matches each · 3 tables · over about")
    expect(page.get_by_role("heading", name="With 6 players")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Thursday")
    assert overflow(page) == 0
    snap(page, "template-cards-phone")
    page.get_by_role("button", name="32").click()
    expect(page.locator(".template.is-chosen")).to_contain_text("16 tables")
    page.get_by_role("button", name="Announce it", exact=True).click()
    expect(page.get_by_text("Announced: members can enter now.")).to_be_visible()

    again = Tournament.objects.exclude(pk=before.pk).get()
    assert Stage.objects.get(tournament=again).options == {"rounds": 4}
    page.context.close()
