"""The first board: sound is requested once, what a newcomer needs is said once, and none of it is in the
way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from matches.models import Match
from tests.browser.boards import act, match_of
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, wear

Others = Callable[..., Page]

LOUDNESS = "JSON.parse(localStorage.getItem('barpoint.table') ?? '{}').sound ?? 0"
# By how much the words are higher than the strip that they stand in.
TOO_HIGH = """() => document.querySelector("#hint > p").getBoundingClientRect().height
  - document.querySelector("#hint").getBoundingClientRect().height"""
# How much of the board, the seats and the buttons the hint lies upon.
COVERED = """() => {
  const hint = document.querySelector("#hint").getBoundingClientRect();
  return [...document.querySelectorAll("#table, .seat, .match__foot")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.top < hint.bottom - 1 && box.bottom > hint.top && box.left < hint.right - 1 && box.right > hint.left;
  }).length;
}"""
# What of the head lies under the hint.
UNDER = """() => {
  const hint = document.querySelector("#hint"), from = hint.getBoundingClientRect().left;
  return [...hint.parentElement.children].filter((each) => each !== hint && each.checkVisibility()
    && each.getBoundingClientRect().right > from).map((each) => each.textContent.trim());
}"""


def practise(page: Page) -> None:
    page.goto("/play/")
    page.get_by_role("button", name="Play against the bot").click()
    expect(act(listening(page), "ready")).to_be_visible(timeout=20_000)


def begin_a_turn(page: Page) -> None:
    """Go to the player's first play, after the opponent's turn if the opponent begins."""
    act(page, "ready").click()
    mine = page.locator("[data-act=confirm]:visible")
    expect(act(page, "roll").or_(mine).first).to_be_visible(timeout=20_000)
    if not mine.is_visible():
        act(page, "roll").click()
    expect(mine).to_be_visible(timeout=20_000)


@pytest.mark.long
def test_sound_is_asked_for_once_and_switched_on_a_phone(site: str, another: Others) -> None:
    page = another(**PHONE)
    practise(page)
    hint = page.locator("#hint")
    expect(hint).to_contain_text("Would you like sound")
    assert page.evaluate(COVERED) == 0
    assert page.evaluate(TOO_HIGH) <= 0
    assert overflow(page) <= 0
    snap(page, "hint-phone", full=False)
    assert faults(page) == []
    hint.get_by_role("button", name="Sound on").tap()
    expect(hint).not_to_contain_text("Would you like sound")
    expect(page.locator("#sound")).to_have_text("Sound: on")
    assert page.evaluate(LOUDNESS) > 0

    while hint.is_visible():
        assert page.evaluate(TOO_HIGH) <= 0
        said = hint.locator("p").inner_text()
        hint.get_by_role("button", name="Got it").tap()
        # A finger's click event follows the tap.
        expect(page.locator("#hint:visible", has_text=said)).to_have_count(0)
    page.reload()
    expect(page.locator("#sound")).to_have_text("Sound: on")
    expect(hint).to_be_hidden()
    page.locator("#sound").tap()
    expect(page.locator("#sound")).to_have_text("Sound: off")
    assert page.evaluate(LOUDNESS) == 0


def test_a_hint_covers_none_of_the_head(site: str, page: Page) -> None:
    ada, bo = account("Adaeze Okafor-Lindqvist"), account("Bartholomew Lindqvist")
    club = club_of(ada, bo, name="The Backgammon Club of the Old Harbour")
    match = match_of(ada, bo, length=7)
    Match.objects.filter(pk=match.pk).update(club=club)
    wear(page, site, ada)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/matches/{match.key}/")
    expect(page.locator("#hint")).to_contain_text("Would you like sound")
    assert page.evaluate(COVERED) == 0
    assert page.evaluate(UNDER) == []


@pytest.mark.long
def test_what_a_newcomer_needs_is_said_once(site: str, page: Page) -> None:
    wear(page, site, account("Ada Okafor"))
    practise(page)
    hint = page.locator("#hint")
    hint.get_by_role("button", name="No sound").click()
    expect(hint).to_contain_text("Sealed dice")
    assert page.evaluate(COVERED) == 0
    snap(page, "hint-wide", full=False)
    hint.get_by_role("button", name="Got it").click()
    begin_a_turn(page)
    expect(hint).to_contain_text("gold ring")
    hint.get_by_role("button", name="Got it").click()
    expect(hint).to_be_hidden()

    listening(page).reload()
    expect(page.locator("[data-act=confirm]:visible")).to_be_visible(timeout=20_000)
    expect(page.locator("#sound")).to_have_text("Sound: off")
    expect(hint).to_be_hidden()


@pytest.mark.long
def test_how_the_dice_are_made_is_said_also_where_they_are_ready_first(site: str, page: Page) -> None:
    wear(page, site, account("Ada Okafor"))
    held: list[Route] = []
    page.route("**/board/deferred.js", lambda route: held.append(route))
    page.goto("/play/")
    page.get_by_role("button", name="Play against the bot").click()
    expect(act(page, "ready")).to_be_visible()
    while not held:
        page.evaluate("null")
    held[0].continue_()

    hint = page.locator("#hint")
    hint.get_by_role("button", name="No sound").click()
    expect(hint).to_contain_text("Sealed dice")
