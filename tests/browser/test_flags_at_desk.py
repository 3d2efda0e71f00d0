"""A flag that falls on a phone is seen at the desk and on the match's page, both open, without anybody doing anything."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from records.models import ScoreSheet, SheetAct
from records.sheets import sheet_publishing
from tests.browser.eyes import faults
from tests.browser.people import PHONE, listening, overflow, snap, wear
from tests.browser.test_sheet_at_the_table import MATCH, keeping
from tests.records.sheets.test_table_clock import timed
from tests.records.sheets.test_tap_storage import sits
from tests.tournaments.pages.test_pages_player import Two

pytestmark = pytest.mark.long

LATE = timedelta(minutes=11)


@pytest.fixture
def two(two: Two) -> Two:
    """Two who play with a clock, and lose a point by their flag."""
    return timed(two, flag_points=1)


@pytest.mark.parametrize(("width", "theme"), [(375, "dark"), (1280, "light")])
def test_desk_and_match_page_hear_of_a_fallen_flag(
    site: str, another: Callable[..., Page], two: Two, width: int, theme: str
) -> None:
    said = f"{sits(two)[0].player.public_name} has run out of time."
    phone = keeping(another(**PHONE), two, site, 0)
    looks = {"viewport": {"width": width, "height": 900}, "color_scheme": theme}
    desk, match = another(**looks), another(**looks)
    for page, path in ((desk, "desk/"), (match, f"matches/{MATCH}/")):
        wear(page, site, two.desk.director)
        page.goto(f"/events/{two.key}/{path}")
        listening(page)
    phone.locator("[data-face=a] button").click()
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    act = SheetAct.objects.get()
    early = round(LATE.total_seconds() * 1000)
    SheetAct.objects.filter(pk=act.pk).update(tap=act.tap | {"at": act.tap["at"] - early})
    sheet = ScoreSheet.objects.get()
    assert sheet.flag_at
    ScoreSheet.objects.filter(pk=sheet.pk).update(flag_at=sheet.flag_at - LATE)
    sheet_publishing.sweep(timezone.now())

    expect(desk.locator(".needs")).to_contain_text(said)
    expect(desk.get_by_text(said)).to_have_count(1)
    expect(match.locator("#flag")).to_contain_text(said)
    for page, name in ((desk, "desk"), (match, "match")):
        assert (overflow(page), faults(page)) == (0, [])
        snap(page, f"flag-{name}-{width}-{theme}")

    phone.reload()
    phone.get_by_role("button", name="Give half the time back and go on").click()
    expect(desk.get_by_text(said)).to_have_count(0)
    expect(match.locator("#flag")).to_have_text("")
