"""A match transcribed with its code alone: begun on one phone, finished on another, rejected, mended, accepted, confirmed elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from records.models import Submission, Transcription
from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap
from tests.browser.test_table_reports import match, names, says, scans
from tests.browser.test_transcribing_at_the_table import deliver, enter
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.settings import Settings
from tournaments.models import PairingState, Report

pytestmark = pytest.mark.long


@pytest.fixture
def desk(desk: Desk, site: str) -> Desk:
    """A knock-out of four guests, under way."""
    desk.start(a_plan("single-elimination", Settings(confirm_minutes=20)), 4)
    return desk


def hands_in(page: Page) -> None:
    """Hand it in; the verdict comes to the page by itself."""
    page.get_by_role("button", name="Hand in").click()
    page.wait_for_url("**/records/**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    deliver()
    expect(page.locator("#main")).not_to_contain_text("Waits for the referee")


def test_transcribed_with_the_code_on_two_phones(site: str, another: Callable[..., Page], desk: Desk) -> None:
    a, b = names(desk)
    phone = says(scans(another(**PHONE), desk), a)
    phone.get_by_role("button", name="Transcribe the match").click()
    expect(phone.locator("#typed-asked")).to_contain_text("the opening roll")
    enter(phone, "31 8/5 6/5", "8/5 6/5")
    snap(phone, "code-typed")
    assert overflow(phone) == 0
    assert faults(phone) == []

    # Its battery is low: the next one goes on, and the first hears of it when it enters something.
    other = says(scans(another(**PHONE), desk), a)
    snap(other, "code-go-on")
    other.get_by_role("link", name="Go on transcribing").click()
    expect(other.locator("#typed-sheet")).to_contain_text("8/5 6/5")
    enter(other, "64 24/14", "24/14")
    phone.locator("#typed-text").fill("64 24/14")
    phone.locator("#typed-text").press("Enter")
    expect(phone.locator(".typed__refused")).to_contain_text("changed on another device")
    expect(phone.locator("#typed-sheet")).to_contain_text("24/14")

    enter(other, "resign match", "esign")
    other.locator("#typed-sheet").get_by_text("24/14").click()
    expect(other.locator("#typed-text")).to_have_value(re.compile("24/14"))
    other.locator("#typed-as-written").check()
    enter(other, "64 24/13", "24/13")
    hands_in(other)
    expect(other.get_by_role("heading", level=1)).to_contain_text("Rejected")
    assert overflow(other) == 0
    snap(other, "code-rejected")
    other.get_by_role("link", name="Correct this record").click()
    expect(other.locator("#typed-text")).to_have_value(re.compile("24/13"))
    enter(other, "64 24/14", "24/14")
    expect(other.locator(".typed__fault")).to_have_count(0)
    assert not Report.objects.exists()
    hands_in(other)
    expect(other.get_by_role("heading", level=1)).to_contain_text("Accepted")
    expect(other.locator("#outcome [role=status]")).to_be_visible()
    snap(other, "code-accepted")
    assert Submission.objects.count() == 2
    assert Transcription.objects.count() == 1

    # It is the report of that player, and this phone never confirms it.
    assert Report.objects.get().by == match(desk).a
    says(_as_the_other(other, desk), b)
    other.get_by_role("button", name="Confirm").click()
    expect(other.get_by_role("alert")).to_contain_text("was reported from this device")
    assert match(desk).state == PairingState.READY
    third = says(scans(another(**PHONE), desk), b)
    third.get_by_role("button", name="Confirm").click()
    expect(third.get_by_text("The result stands.").first).to_be_visible()
    assert match(desk).state == PairingState.DECIDED


def _as_the_other(page: Page, desk: Desk) -> Page:
    scans(page, desk)
    page.get_by_role("link", name="I am the other player").click()
    return page
