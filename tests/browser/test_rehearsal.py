"""A director rehearses an event, and throws the rehearsal away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, PairingState, Tournament
from venue.models import Rehearsal


@pytest.mark.long
def test_a_rehearsal_on_a_phone(desk: Desk, site: str, browser: Browser) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    page = browser.new_page(**PHONE, base_url=site)
    wear(page, site, desk.director)

    # Four have entered, and four are made up.
    page.goto(f"/events/{desk.event.key}/roster/")
    page.get_by_role("link", name="Rehearse").click()
    snap(page, "rehearsal-made-phone")
    page.get_by_role("button", name="Make the rehearsal").click()
    banner = page.get_by_role("region", name="This is a rehearsal")
    expect(banner).to_be_visible()
    assert overflow(page) == 0
    assert faults(page) == []
    snap(page, "rehearsal-phone")

    banner.get_by_role("button", name="Up to the final").click()
    copy = Rehearsal.objects.get().event
    page.goto(f"/events/{copy.key}/desk/")
    expect(banner).to_be_visible()
    assert Pairing.objects.get(tournament=copy, key="main/3.1").state == PairingState.READY
    banner.get_by_role("button", name="To the end").click()
    expect(page.get_by_text("Finished").first).to_be_visible()
    assert Pairing.objects.get(tournament=copy, key="main/3.1").state == PairingState.DECIDED

    banner.get_by_role("button", name="Discard").click()
    expect(page).to_have_url(re.compile(f"/events/{desk.event.key}/"))
    expect(banner).to_have_count(0)
    assert Tournament.objects.get().pk == desk.pk
