"""The seats beside the board: name, time left and pip count, in words, the same in every layout."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from engine.clock import DAY, MINUTE, SECOND, DelayMethod, TimeControl
from engine.side import Side
from matches.journal import journal
from tests.browser.boards import act, come, match_of
from tests.browser.people import account, club_of, listening, overflow, snap, wear

Others = Callable[..., Page]

LONG = ("Aylin Korkutay-Featherstonehau", "Kwabena Ofosuhene-Antwi Mensah")
DAYS = TimeControl(DelayMethod.SIMPLE, 10 * DAY, 2 * DAY)
SIZES = [(320, 640), (375, 812), (768, 1024), (1280, 800), (812, 375)]
# Names that are wider than what is left to them, and clocks that take more than their line.
CUT = """() => [...document.querySelectorAll(".seat__name, .seat__clock:not([hidden])")]
  .filter(each => each.scrollWidth > each.clientWidth + 1
    || (each.matches(".seat__clock") && each.clientHeight > 2 * parseFloat(getComputedStyle(each).fontSize) + 12))
  .map(each => each.textContent)"""
META_CUT = """() => [...document.querySelectorAll(".seat__meta")]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent.replaceAll(/\\s+/g, " "))"""
RIMS = """() => [...document.querySelectorAll(".tabletop .pips > *")]
  .map(each => [each.getBoundingClientRect().top, each.textContent])
  .sort((one, two) => one[0] - two[0]).map(each => each[1])"""
# How far the lower seat reaches under what is pressed.
HIDDEN = """() => innerWidth >= 960 || innerHeight < 480 ? 0
  : document.querySelector(".seat--below").getBoundingClientRect().bottom
    - document.querySelector(".match__foot").getBoundingClientRect().top"""
# How far the page goes on below the last thing that is to be seen on it.
EMPTY = """() => {
  const seen = [...document.querySelectorAll("main *")].filter(each => each.checkVisibility() && !each.closest(".visually-hidden"));
  const low = Math.max(...seen.filter(each => !each.closest(".match__list, .match__lines"))
    .map(each => each.getBoundingClientRect().bottom));
  return document.documentElement.scrollHeight - Math.round(low + scrollY);
}"""


@pytest.mark.long
def test_nobodys_name_is_cut_and_no_clock_wraps(site: str, page: Page, another: Others) -> None:
    ada, bo = (account(name) for name in LONG)
    match = match_of(ada, bo, length=5, control=DAYS)
    others = another()
    come(page, site, ada, match)
    come(others, site, bo, match)
    for each in (page, others):
        act(each, "ready").click()
    running = page.locator(".seat__clock.is-running")
    expect(running.locator(".seat__reserve")).to_have_text("10 days")
    expect(running.locator(".seat__delay")).to_have_text(re.compile(r"^\+(2 days|1 d 23 h)$"))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == []
        assert overflow(page) <= 0
        for seat in ("above", "below"):
            expect(page.locator(f".seat--{seat} .seat__score")).to_be_in_viewport(ratio=1)
        assert page.evaluate(HIDDEN) <= 0
        snap(page, f"seats-{width}", full=False)

    wall = another(viewport={"width": 1280, "height": 800})
    wall.goto(f"/matches/{match.key}/tv/")
    expect(listening(wall).locator(".is-running .seat__reserve")).to_have_text("10 days")
    assert wall.evaluate(CUT) == []


@pytest.mark.long
def test_whose_turn_it_is_fits_beside_a_running_clock(site: str, page: Page, another: Others) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo, length=25, control=TimeControl(DelayMethod.SIMPLE, 75 * MINUTE, 15 * SECOND))
    others = another()
    come(page, site, ada, match)
    come(others, site, bo, match)
    for each in (page, others):
        expect(each.locator(".seat--above .seat__here")).to_have_text("at the board")
    for each in (page, others):
        act(each, "ready").click()
    for each in (page, others):
        expect(each.locator(".seat__clock.is-running .seat__delay")).to_have_text(re.compile(r"^\+\d+$"))
        for width, height in SIZES:
            each.set_viewport_size({"width": width, "height": height})
            assert each.evaluate(META_CUT) == [], width


@pytest.mark.long
def test_one_count_of_pips_on_a_page_while_a_turn_is_made(site: str, page: Page, another: Others) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    others = {Side.WHITE: page, Side.BLACK: another()}
    for user, mine in zip((ada, bo), others.values(), strict=True):
        come(mine, site, user, match)
    for mine in others.values():
        act(mine, "ready").click()
    expect(page.locator("#moves .moves__game")).to_have_count(1)
    match.refresh_from_db()
    game = journal.load(match).match.game
    assert game.turn is not None
    mover = others[game.turn]
    expect(mover.locator("[data-act=confirm]:visible")).to_be_visible()
    before = counts(mover)
    place = mover.locator(".tabletop__places button[aria-label*='can go to']").first
    place.focus()
    place.press(" ")
    expect(mover.locator("[data-act=undo]:enabled")).to_be_visible()

    assert counts(mover) != before
    assert counts(mover) == rims(mover)
    act(mover, "undo").click()
    expect(mover.locator("[data-act=undo]:enabled")).to_have_count(0)
    assert counts(mover) == before == rims(mover)


def counts(page: Page) -> list[int]:
    """The pip counts of the seats, the upper one first."""
    said = [page.locator(f".seat--{place} .seat__pips").inner_text() for place in ("above", "below")]
    return [int(each.removeprefix("pips ")) for each in said]


def rims(page: Page) -> list[int]:
    """What the board's own rim says, the upper one first."""
    found = page.evaluate(RIMS)
    return [int(said) for said in found]


def test_a_page_ends_where_what_is_on_it_ends(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club_of(ada, bo)
    match = match_of(ada, bo)
    come(page, site, ada, match)
    listed = page.locator("#moves")
    # A list as long as that of a long match: its lines carry names for those who do not see it.
    listed.evaluate(
        """list => {
          const row = '<li><button class="moves__move"><span class="visually-hidden">Ada: </span>31 8/5</button></li>';
          list.innerHTML = `<ol class="moves__list">${row.repeat(200)}</ol>`;
        }"""
    )
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(EMPTY) < 80, (width, height)


@pytest.mark.long
def test_a_late_answer_does_not_send_away_who_has_come_since(site: str, page: Page, another: Others) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    come(page, site, ada, match)
    held: list[Route] = []
    page.route(f"**/api/v1/matches/{match.key}/", lambda route: held.append(route))
    others = another()
    # Bo's browser prepares the dice, so that Ada can act; without a stream Bo does not count as present yet.
    others.route("**/live/**", lambda route: route.abort())
    wear(others, site, bo)
    others.goto(f"/matches/{match.key}/")
    expect(act(others, "ready")).to_be_visible()
    while not held:
        page.evaluate("null")
    early, late = [*held], held[0].fetch()
    here = page.locator(".seat--above .seat__here")
    expect(here).to_have_text("away")
    others.unroute("**/live/**")
    # The longer a stream has been gone, the longer a page waits before it asks again.
    others.evaluate("dispatchEvent(new Event('online'))")
    listening(others)
    expect(here).to_have_text("at the board")

    for route in early:
        route.fulfill(response=late)
    for route in held[len(early) :]:
        route.continue_()
    expect(act(page, "ready")).to_be_visible()
    expect(here).to_have_text("at the board")
