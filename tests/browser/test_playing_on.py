"""A finished score sheet whose match a ruling opens again: the phone that lies on the table shows how they play on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.browser.test_sheet_at_the_table import game, keeping, names
from tests.records.sheets.test_playing_on import play_on, xgid
from tests.tournaments.pages.test_pages_player import Two

pytestmark = pytest.mark.long


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_finished_sheet_shows_from_where_they_play_on(
    site: str, another: Callable[..., Page], two: Two, theme: str
) -> None:
    a, _b = names(two)
    phone = keeping(another(**PHONE, color_scheme=theme), two, site, 0)
    game(phone, a, "Gammon")
    game(phone, a, "Backgammon")
    expect(phone.locator("[data-game]")).to_have_text("Match over")
    expect(phone.locator("[data-waiting]")).to_be_hidden()

    two.desk.now = timezone.now()
    play_on(two, xgid(2, 0))

    expect(phone.locator("svg.mini")).to_be_visible()
    expect(phone.locator("[data-said]")).to_contain_text("Undo games until the score is 2\N{EN DASH}0.")
    assert (overflow(phone), faults(phone)) == (0, [])
    snap(phone, f"sheet-play-on-{theme}")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("[data-said]")).to_be_hidden()
    expect(phone.locator('[data-points="a"]')).to_have_text("2")
    expect(phone.locator("svg.mini")).to_be_visible()
    game(phone, a, "Single")
    expect(phone.locator("[data-position]")).to_be_hidden()

    wear(phone, site, two.users[1])
    phone.goto("/notices/")
    expect(phone.get_by_text("from the position on your score sheet").first).to_be_visible()
    snap(phone, f"notice-play-on-{theme}")


@pytest.mark.parametrize(("width", "theme"), [(375, "dark"), (1280, "light")])
def test_the_preview_says_that_the_reports_are_dropped(
    site: str, another: Callable[..., Page], two: Two, width: int, theme: str
) -> None:
    for number, (own, other) in enumerate((("5", "3"), ("5", "2"))):
        two.post(number, "report", own=own, other=other)
    desk = another(viewport={"width": width, "height": 812}, color_scheme=theme)
    wear(desk, site, two.desk.director)
    desk.goto(f"/events/{two.key}/acts/rule/?match=main/1.1")
    desk.get_by_label("What do you decide?").select_option("play-on")
    desk.locator("[name=reason]").fill("The board still stands.")
    desk.get_by_role("button", name="See the consequences").click()
    expect(desk.locator("#preview-card")).to_contain_text("2 reported results are dropped.")
    assert (overflow(desk), faults(desk)) == (0, [])
    snap(desk, f"play-on-seen-{width}-{theme}")


def test_a_sheet_that_has_ended_is_not_adjourned_and_after_undo_it_is(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    a, _b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    other = keeping(another(**PHONE), two, site, 1)
    adjourn = phone.get_by_text("Adjourn the match")
    expect(adjourn).to_be_visible()
    game(phone, a, "Gammon")
    game(phone, a, "Backgammon")
    for each in (phone, other):
        expect(each.locator("[data-game]")).to_have_text("Match over")
        expect(each.get_by_text("Adjourn the match")).to_be_hidden()
    snap(phone, "sheet-ended")

    phone.get_by_role("button", name="Undo").click()
    expect(other.get_by_text("Adjourn the match")).to_be_visible()
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    # It is adjourned in the game that is played by now, also on a page that was loaded in another.
    adjourn.click()
    phone.get_by_role("button", name="Adjourn", exact=True).click()
    expect(phone.get_by_role("button", name="Resume the match")).to_be_visible()
    expect(phone.locator('[data-points="a"]')).to_have_text("2")
