"""The desk's keys: `?` lists them, each does what the list says, and letters can be switched off."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import overflow, snap, wear
from tests.browser.test_desk_by_keyboard import drawn
from tournaments.models import Pairing

# What directors do most, in at most three keys, and where it leads; results and their take-back have their
# own tests.
LEADS = {
    "r": "/roster/",
    "l": "/acts/late-entry/",
    "w": "/acts/withdraw/",
    "x": "/acts/exchange/",
    "a": "/acts/away/",
    "z": "/acts/pause/",
    "o": "/room/",
    "p": "/print/",
    "g": "/rulings/",
}


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_list_says_what_each_key_does(site: str, another: Callable[..., Page], scheme: str) -> None:
    ada, event = drawn(4)
    page = another(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    page.keyboard.press("?")
    told = page.get_by_role("dialog", name="Keys")
    expect(told).to_be_visible()
    expect(told.locator("[data-keys] div")).to_have_count(page.locator("[data-key]").count())
    for key, words in {"l": "Let a latecomer in", "w": "Withdraw a player", "r": "Roster"}.items():
        expect(told.locator("[data-keys] div").filter(has_text=words).locator("kbd")).to_have_text(key)
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, f"desk-keys-{scheme}", full=False)
    # Inside the list a letter does nothing.
    page.keyboard.press("l")
    expect(told).to_be_visible()
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()


@pytest.mark.long
def test_each_key_leads_where_the_list_says(site: str, page: Page) -> None:
    ada, event = drawn(4)
    wear(page, site, ada)
    desk = f"{event.get_absolute_url()}desk/"
    for key, place in LEADS.items():
        page.goto(desk)
        page.keyboard.press(key)
        # Loaded, not only on its way: the scripts that hear the next key are there.
        page.wait_for_url(re.compile(re.escape(place)))
    page.keyboard.press("m")
    expect(page).to_have_url(re.compile(r"/desk/$"))


def test_a_result_is_typed_from_anywhere_and_letters_can_be_switched_off(site: str, page: Page) -> None:
    ada, event = drawn(4)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    page.keyboard.type("7 5")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–5 is entered.")  # noqa: RUF001
    expect(page.locator(".match__entry input[name=score]")).to_have_count(1)
    expect(page.locator("input[name=score]:focus")).to_have_value("")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()

    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Letters work as keys").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("u")
    page.keyboard.type("7 1")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–1 is entered.")  # noqa: RUF001
    assert Pairing.objects.filter(tournament=event, state="decided").count() == 2
