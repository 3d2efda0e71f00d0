"""Two members agree on a friendly with their phones, play it over the board, report it, and are rated."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from rankings.lists import lists
from rankings.lists.lists import Terms
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, drain, overflow, snap, wear

pytestmark = pytest.mark.long


def test_two_phones_agree_play_report_and_are_rated(site: str, another: Callable[..., Page]) -> None:
    dora, ada, bo = account("Dora Desk"), account("Ada Okafor"), account("Bo Lindqvist")
    club = club_of(dora, ada, bo)
    now = timezone.now()
    lists.open_list(
        club=club,
        by=dora,
        name="Club list",
        system="fibs",
        terms=Terms(friendlies=True),
        now=now - timedelta(minutes=1),
    )
    hers, his = another(**PHONE), another(**PHONE)
    wear(hers, site, ada)
    wear(his, site, bo)

    his.goto("/me/")
    expect(his.get_by_role("heading", name="You have no match at the moment")).to_be_visible()

    hers.goto(bo.player.get_absolute_url())
    hers.get_by_role("link", name="Propose a friendly").click()
    expect(hers.get_by_text("friendlies of 1 to 25 points are rated")).to_be_visible()
    hers.get_by_label("Points").fill("7")
    assert overflow(hers) == 0
    assert faults(hers) == []
    snap(hers, "friendly-propose")
    hers.get_by_role("button", name="Propose it").click()
    expect(hers.get_by_role("heading", name="Waiting for an answer")).to_be_visible()
    snap(hers, "friendly-waiting")

    # It comes to the page that is open.
    asked = his.get_by_role("region", name="Will you play a friendly?")
    expect(asked).to_contain_text("7 points")
    assert overflow(his) == 0
    assert faults(his) == []
    snap(his, "friendly-asked")
    asked.get_by_role("button", name="Agree").click()
    expect(his.get_by_role("heading", level=1)).to_contain_text("Friendly")
    snap(his, "friendly-event")
    assert faults(his) == []

    hers.goto("/me/")
    card = hers.locator("#me .next").first
    expect(card).to_contain_text("against Bo Lindqvist")
    snap(hers, "friendly-me")
    card.get_by_role("link", name="All about this match").click()
    hers.locator("input[name=own]").fill("7")
    hers.locator("input[name=other]").fill("4")
    hers.locator("form", has=hers.locator("input[name=own]")).get_by_role("button").first.click()
    expect(hers.get_by_role("main")).to_contain_text("7")

    his.goto("/me/")
    his.get_by_role("link", name="Answer the report").click()
    his.get_by_role("button", name=re.compile("right|Confirm", re.IGNORECASE)).first.click()
    expect(his.get_by_role("main")).to_contain_text("Finished")
    snap(his, "friendly-over")
    drain()

    hers.goto(f"/clubs/{club.slug}/rankings/")
    expect(hers.get_by_role("main")).to_contain_text("Ada Okafor")
    # Between newcomers over seven points the winner gains 4 x 5 x the root of 7 x a half.
    expect(hers.get_by_role("main")).to_contain_text("1526.46")
    hers.goto("/friendlies/")
    expect(hers.get_by_role("region", name="The last ones")).to_contain_text("7\N{EN DASH}4")
    assert overflow(hers) == 0
    assert faults(hers) == []
    snap(hers, "friendly-list")
