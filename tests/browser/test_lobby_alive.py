"""A lobby that is open while boards and seats come and go: what it shows is true at every moment."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.side import Side
from matches.models import Challenge
from matches.models.matches import State
from matches.state.commands import Concede
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, toast, wear
from tests.matches.support import Table

Others = Callable[..., Page]

# Click an opponent in the same moment in which the search shows them.
CHOOSE_AT_ONCE = """name => {
  const found = () => [...document.querySelectorAll("#opponents .choice")].find(each => each.textContent.includes(name));
  document.addEventListener("htmx:afterSwap", () => queueMicrotask(() => found()?.click()));
  document.addEventListener("htmx:afterSettle", ({ target }) =>
    target.id === "opponents" && document.documentElement.classList.add("has-settled"));
}"""
LOST = "([key, was]) => document.querySelector(`[data-board='${key}'] .mini`)?.innerHTML !== was"


def table_of(*names: str) -> Table:
    one, other = (account(name) for name in names)
    return Table(
        timezone.now(), players=(one.player, other.player), seed=random.Random(names[0]).randrange(99)
    )


@pytest.mark.long
def test_a_board_is_shown_from_its_first_roll_to_its_last(site: str, page: Page) -> None:
    first, second = table_of("Ann Lund", "Ben Osei"), table_of("Cid Varga", "Dee Roux")
    first.begin()
    page.goto("/play/")
    listening(page)
    expect(page.locator(".tile")).to_have_count(1)
    expect(page.locator("#lobby-said")).to_contain_text("1 board in play")

    # Two more sit down while the page is open.
    second.now = timezone.now()
    second.begin()
    board = page.locator(f"[data-board='{second.match.key}'] .mini")
    expect(board).to_be_visible()
    expect(page.locator("#lobby-said")).to_contain_text("2 boards in play")

    # The page was loaded before the matches began; their moves arrive on its stream, without polling.
    page.evaluate(
        "window.heard = []; document.addEventListener('live:event', (e) => heard.push(e.detail.topic))"
    )
    before = board.inner_html()
    # The message that the match began may arrive only now, and is not a move.
    while f"match.{second.match.key}" not in page.evaluate("heard"):
        second.now = timezone.now()
        second.act()
        page.wait_for_timeout(50)
    page.wait_for_function(LOST, arg=[second.match.key, before])

    # Both end, one after the other.
    for table, left in ((second, 1), (first, 0)):
        table.now = timezone.now()
        table.give(Side.WHITE, Concede())
        assert table.row.status == State.FINISHED
        expect(page.locator(".tile")).to_have_count(left)
    expect(page.get_by_text("No board is in play just now")).to_be_visible()
    assert faults(page) == []


@pytest.mark.long
def test_a_seat_is_seen_and_taken_with_one_press(site: str, page: Page, another: Others) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club_of(ada, bo)
    phone = another(**PHONE)
    wear(page, site, ada)
    wear(phone, site, bo)
    for each in (page, phone):
        each.goto("/play/")
        listening(each)

    page.get_by_role("button", name="Play anybody").click()
    expect(toast(page, "Your seat is open.")).to_be_visible()
    expect(page.locator("#lobby")).to_contain_text("Your open seat")
    # The other sees it without having asked.
    expect(phone.get_by_role("button", name="Sit down")).to_be_visible()
    snap(phone, "lobby-seat-phone")

    phone.get_by_role("button", name="Play anybody").tap()
    expect(phone.locator("#match")).to_be_visible()
    expect(page.locator("#match")).to_be_visible()
    assert Challenge.objects.get().match is not None


def test_who_is_chosen_as_they_are_found_stays_chosen(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club_of(ada, bo)
    wear(page, site, ada)
    page.goto("/play/")
    page.get_by_role("radio", name="Anyone: an open seat").check()
    page.evaluate(CHOOSE_AT_ONCE, "Bo Lindqvist")
    page.get_by_label("Search for a player").fill("lindq")

    expect(page.locator("html.has-settled")).to_be_attached()
    expect(page.get_by_role("radio", name="Bo Lindqvist")).to_be_checked()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wrong_with_a_full_lobby(site: str, page: Page, another: Others, scheme: str) -> None:
    ada, bo, cid = (
        account("Ada Okafor"),
        account("Bo Lindqvist"),
        account("Cid Featherstonehaugh-Wigglesworth"),
    )
    club_of(ada, bo, cid)
    for names in (
        ("Ann Lund", "Ben Osei"),
        ("Dee Roux", "Eve Marchetti-Lindenberg"),
        ("Flo Kern", "Gus Ott"),
    ):
        table_of(*names).begin()
    others = another()
    wear(others, site, cid)
    others.goto("/play/")
    listening(others)
    others.get_by_role("button", name="Play anybody").click()
    expect(others.locator("#lobby")).to_contain_text("Your open seat")
    wear(page, site, ada)
    phone, small = another(**PHONE), another(viewport={"width": 320, "height": 640})
    for each in (phone, small):
        wear(each, site, ada)
    for name, each in (("desk", page), ("phone", phone), ("small", small)):
        each.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        each.goto("/play/")
        expect(each.locator("#here-title + .count")).to_be_visible()
        expect(each.locator(".mini").first).to_be_visible()
        assert overflow(each) <= 0
        assert faults(each) == []
        snap(each, f"lobby-full-{name}-{scheme}")
    head = phone.locator(".felt--band").bounding_box()
    assert head["height"] <= 812 / 4
