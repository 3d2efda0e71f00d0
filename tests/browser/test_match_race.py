"""A race is played out by itself once both have pressed, and the one who presses again plays by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

from engine.board import Board
from engine.rules import Rules
from matches.bots import bots
from matches.journal import lifecycle
from matches.models import Match
from matches.state import terms
from tests.browser.boards import act, come, match_of
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, overflow, snap

Others = Callable[..., Page]

RACE = Board.from_counts({6: 4, 5: 4, 4: 4, 3: 3}, {6: 4, 5: 4, 4: 4, 3: 3})


def is_offer(request: Request) -> bool:
    return request.method == "POST" and '"play-out"' in (request.post_data or "")


@pytest.mark.long
def test_both_press_and_the_race_is_over(site: str, page: Page, another: Others) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo, start=RACE)
    bos = another(**PHONE)
    come(page, site, ada, match)
    come(bos, site, bo, match)
    button, other = page.locator("#play-out"), bos.locator("#play-out")
    expect(button).to_be_hidden()
    for each in (page, bos):
        act(each, "ready").click()
    with page.expect_request(is_offer) as sent:
        button.click()
    # The other may still double: they must not know more of their roll than before.
    assert sent.value.post_data_json["shares"] == {}
    expect(button).to_have_text("Offered: play it out")
    expect(other).to_have_text("Agree to play it out")
    assert overflow(bos) <= 0
    snap(bos, "race-asked", full=False)
    assert faults(bos) == []
    # Taken back, and offered again.
    button.click()
    expect(other).to_have_text("Play it out")
    button.click()
    other.tap()

    for each in (page, bos):
        expect(each.locator("[data-panel=dice]")).to_be_visible(timeout=60_000)
        expect(each.locator("#dice-alarm")).to_be_hidden()
        expect(each.locator("#play-out")).to_be_hidden()
    assert Match.objects.get().status == "finished"


@pytest.mark.long
def test_against_the_bot_one_press_is_enough(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    bot = bots.get_practice_bot().player
    agreed = terms.build_terms(Rules(length=1, start=RACE), None)
    match = lifecycle.create(white=ada.player, black=bot, terms=agreed, now=timezone.now())
    bots.act(match_id=match.pk, now=timezone.now())
    come(page, site, ada, match)
    act(page, "ready").click()
    page.locator("#play-out").click()
    expect(page.locator("[data-panel=dice]")).to_be_visible(timeout=60_000)
