"""Matches in the browser: two who play, one who watches, by mouse and by thumb, with cuts in the line."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Locator, Page, Route, expect
from playwright.sync_api import TimeoutError as TookTooLong

from engine.board import Board
from engine.rules import Rules
from matches.journal import lifecycle
from matches.models import ChatLine, Match
from matches.state import terms
from players.models import User
from tests.browser.boards import press_all
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, toast, wear

# Few checkers and no contact, so that the game ends soon.
RACE = Board.from_counts({6: 2, 5: 2, 4: 1}, {6: 2, 5: 2, 4: 1})
MOST_TURNS = 60
A_MOMENT_MS = 5_000
MARK_WHAT_IS_HEARD = """() => document.addEventListener("live:event", ({ detail }) => {
  document.documentElement.classList.add(`has-heard-${detail.name}`);
})"""


def match_of(white: User, black: User, *, length: int = 1, start: Board | None = RACE) -> Match:
    """Lay out a match without a clock."""
    rules = Rules(length=length, start=start) if start else Rules(length=length)
    agreed = terms.build_terms(rules, None)
    return lifecycle.create(white=white.player, black=black.player, terms=agreed, now=timezone.now())


def sit(page: Page, site: str, user: User, match: Match) -> Page:
    """Open the board as *user*."""
    wear(page, site, user)
    page.goto(f"/matches/{match.key}/")
    return listening(page)


def say(page: Page, words: str) -> None:
    page.get_by_label("Write a message").fill(words)
    page.get_by_role("button", name="Send").click()


def panel(page: Page, name: str) -> Locator:
    return page.locator(f"[data-act={name}]:visible, [data-panel={name}]:visible")


def press(page: Page, name: str, *, by_touch: bool = False) -> None:
    found = panel(page, name)
    press_all(page, name, found.tap if by_touch else found.click, by_touch=by_touch)


def press_if_there(page: Page, name: str, *, by_touch: bool = False) -> None:
    """Press what was there a moment ago: what an answer has taken away since then needs no press."""
    found = panel(page, name)
    try:
        (found.tap if by_touch else found.click)(timeout=A_MOMENT_MS)
    except TookTooLong:
        if can(page, name):
            raise


def can(page: Page, name: str) -> bool:
    return page.locator(f"[data-act={name}]:visible:enabled, [data-panel={name}]:visible:enabled").count() > 0


def step(page: Page) -> None:
    """Play one die from the first point that can be played from, by the keyboard's way."""
    place = page.locator(".tabletop__places button[aria-label*='can go to']").first
    place.focus()
    place.press(" ")


def take_turn(page: Page, *, by_touch: bool = False) -> bool:
    """Do the next act that this page offers. True if there was one."""
    for name in ("ready", "roll", "take"):
        if can(page, name):
            press_if_there(page, name, by_touch=by_touch)
            return True
    if page.locator("[data-act=confirm]:visible").count():
        for _ in range(5):
            if can(page, "confirm"):
                press_if_there(page, "confirm", by_touch=by_touch)
                return True
            step(page)
            page.wait_for_timeout(150)
    return False


def play_on(*pages: Page, until: Callable[[], bool], by_touch: bool = False) -> None:
    """Let all of them play until something is so."""
    for _ in range(MOST_TURNS * 10):
        if until():
            return
        acted = [take_turn(page, by_touch=by_touch) for page in pages]
        if not any(acted):
            pages[0].wait_for_timeout(80)
    raise AssertionError("it does not end: " + pages[0].locator(".match__foot").inner_text())


def is_over(page: Page) -> bool:
    return page.locator("[data-panel=dice]:visible").count() > 0


@pytest.mark.long
def test_two_play_and_one_watches(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    bos, passer = another(), another()
    sit(page, site, ada, match)
    expect(page.locator("#ask")).to_contain_text("Waiting for Bo Lindqvist")
    snap(page, "match-1-waiting")
    sit(bos, site, bo, match)
    passer.goto(f"/matches/{match.key}/")
    expect(page.locator("[data-panel=ready]")).to_be_visible()
    snap(page, "match-2-ready")
    assert faults(page) == []
    play_on(page, bos, until=lambda: is_over(page) and is_over(bos))
    snap(page, "match-3-over")
    expect(passer.locator("#ask")).to_contain_text("won the match 1")
    assert {page.locator("#ask").inner_text(), bos.locator("#ask").inner_text()} >= {
        "You won the match 1\N{EN DASH}0."
    }
    expect(page.locator("#dice-mark")).to_contain_text("checked in this browser")
    expect(page.locator("#dice-alarm")).to_be_hidden()
    assert faults(page) == []

    page.locator("[data-panel=dice]").click()
    expect(page.locator("#verdict")).to_contain_text("Every roll is correct")
    snap(page, "match-4-dice")
    assert faults(page) == []


@pytest.mark.long
def test_a_cube_a_resignation_and_a_reload_by_touch(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo, length=3, start=None)
    phones = {"white": another(**PHONE), "black": another(**PHONE)}
    sit(phones["white"], site, ada, match)
    sit(phones["black"], site, bo, match)
    for phone in phones.values():
        press(phone, "ready", by_touch=True)
    first = on_turn(phones)
    mover, other = phones[first], phones["black" if first == "white" else "white"]
    expect(mover).to_have_title(re.compile(r"^\(1\) "))
    expect(other).not_to_have_title(re.compile(r"\(1\)"))
    assert overflow(mover) <= 0
    assert mover.evaluate("scrollY") == 0, "everything that is needed lies on one screen"
    snap(mover, "phone-1-play", full=False)
    assert faults(mover) == []

    # Half a turn outlives a reload.
    step(mover)
    expect(mover.locator("[data-act=undo]:enabled")).to_be_visible()
    prompt = mover.locator(".table-acts__prompt").inner_text()
    listening(mover).reload()
    expect(mover.locator(".table-acts__prompt")).to_have_text(prompt)
    while not can(mover, "confirm"):
        step(mover)
        mover.wait_for_timeout(200)
    press(mover, "confirm", by_touch=True)

    press(other, "double", by_touch=True)
    expect(mover.locator("[data-act=take]")).to_be_visible()
    snap(mover, "phone-2-cube", full=False)
    assert faults(mover) == []
    # Without a double to think about, the roll comes by itself.
    press(mover, "take", by_touch=True)
    expect(other.locator("[data-act=confirm]")).to_be_visible()
    other.locator("#resign-open").tap()
    other.get_by_label("A single game").check()
    snap(other, "phone-3-resign", full=False)
    assert faults(other) == []
    other.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(mover.locator("#ask")).to_contain_text("offers to resign a single game")
    press(mover, "decline", by_touch=True)
    expect(other.locator("[data-act=confirm]")).to_be_visible()
    other.locator("#resign-open").tap()
    other.get_by_label("The whole match, at once").check()
    other.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(mover.locator("#ask")).to_contain_text("You won the match")
    snap(mover, "phone-4-over", full=False)


def on_turn(phones: dict[str, Page]) -> str:
    """Play the opening roll until it is no tie, and return the name of the player who won it."""
    for _ in range(100):
        for side, phone in phones.items():
            if can(phone, "ready"):
                # The other one's answer may take the button away under the finger.
                with contextlib.suppress(TookTooLong):
                    panel(phone, "ready").click(timeout=1000)
            if phone.locator("[data-act=confirm]:visible").count():
                return side
        phones["white"].wait_for_timeout(100)
    raise AssertionError("nobody has won the opening roll")


@pytest.mark.long
def test_a_line_that_is_cut_and_a_second_tab(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo, length=3, start=None)
    bos = another()
    sit(page, site, ada, match)
    sit(bos, site, bo, match)
    second = page.context.new_page()
    second.goto(f"/matches/{match.key}/")
    for each in (page, bos):
        press(each, "ready")
    seats = {"white": page, "black": bos}
    if on_turn(seats) == "black":
        while not take_turn(bos) or bos.locator("[data-act=confirm]:visible").count():
            bos.wait_for_timeout(100)
        press(page, "roll")
    expect(second.locator("[data-act=confirm]")).to_be_visible()
    page.context.set_offline(True)
    while not can(page, "confirm"):
        step(page)
        page.wait_for_timeout(150)
    press(page, "confirm")
    expect(page.locator("#line")).to_contain_text("Your turn is kept")
    snap(page, "match-5-offline", full=False)
    page.context.set_offline(False)
    expect(bos.locator("[data-act=roll]")).to_be_visible()
    expect(page.locator("#line")).to_be_hidden()
    expect(second.locator("[data-act=confirm]")).to_be_hidden()
    entries = list(Match.objects.get().journal.values_list("fact__fact", flat=True))
    assert entries.count("played") == entries.count("rolled") + 1


@pytest.mark.long
def test_what_is_said_while_the_talk_is_fetched_comes_after_it(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    bos = another()
    held: list[tuple[Route, APIResponse]] = []
    sit(page, site, ada, match)
    say(page, "Good luck!")
    bos.route("**/chat/", lambda route: held.append((route, route.fetch())))
    sit(bos, site, bo, match)
    while not held:
        bos.evaluate("null")
    bos.evaluate(MARK_WHAT_IS_HEARD)
    say(page, "And good dice!")
    # The stream also announces that the dice are ready.
    expect(bos.locator("html.has-heard-said")).to_be_attached()
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(bos.locator(".talk__line")).to_have_text(["Ada Okafor Good luck!", "Ada Okafor And good dice!"])


def test_words_typed_before_the_last_ones_have_arrived_stay(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    sit(page, site, ada, match)
    sent: list[Route] = []
    page.route(
        "**/chat/", lambda route: sent.append(route) if route.request.method == "POST" else route.continue_()
    )
    say(page, "Good luck!")
    while not sent:
        page.evaluate("null")
    field = page.locator("#say-text")
    field.press("End")
    field.press_sequentially(" And")
    [route] = sent
    route.continue_()
    expect(page.locator(".talk__line")).to_have_text("Ada Okafor Good luck!")
    expect(field).to_have_value(" And")
    expect(field).to_be_focused()


def test_a_line_whose_answer_was_lost_is_said_once(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    sit(page, site, ada, match)
    lost: list[APIResponse] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    page.route("**/chat/", lose)
    say(page, "Good luck!")
    expect(toast(page, "That was no longer possible.")).to_be_visible()
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#say-text")).to_have_value("")
    expect(page.locator(".talk__line")).to_have_text("Ada Okafor Good luck!")
    # Said again once it is there, it is another line.
    say(page, "Good luck!")
    expect(page.locator(".talk__line")).to_have_count(2)
    assert ChatLine.objects.count() == 2


@pytest.mark.long
@pytest.mark.parametrize("screen", [{**PHONE, "color_scheme": "dark"}, {}])
def test_a_message_is_reported_and_its_author_muted_by_keyboard(
    site: str, page: Page, another: Callable[..., Page], screen: dict[str, Any]
) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    sit(page, site, ada, match)
    say(page, "You cheat!")
    expect(page.locator(".talk__line")).to_have_count(1)
    bos = another(**screen)
    sit(bos, site, bo, match)
    bos.get_by_role("link", name="Mute or report").press("Enter")
    bos.on("dialog", lambda dialog: dialog.accept())
    bos.get_by_role("button", name=re.compile("^Report ?: You cheat!$")).press("Enter")
    expect(toast(bos, "The message is reported.")).to_be_visible()
    expect(bos.get_by_text("Reported", exact=True)).to_be_visible()
    snap(bos, f"match-9-chat-{screen.get('color_scheme', 'light')}")
    assert faults(bos) == []
    assert overflow(bos) == 0
    bos.get_by_role("button", name="Mute Ada Okafor").press("Enter")
    expect(bos.get_by_role("button", name="Unmute Ada Okafor")).to_be_visible()
    expect(bos.get_by_text("You cheat!")).to_have_count(0)
    assert faults(bos) == []


@pytest.mark.long
def test_talk_and_a_walk_through_the_match(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo)
    bos = another(color_scheme="dark")
    sit(page, site, ada, match)
    sit(bos, site, bo, match)
    say(page, "Good luck!")
    expect(bos.locator(".talk__line")).to_have_text("Ada Okafor Good luck!")
    play_on(page, bos, until=lambda: page.locator(".moves__list td > button").count() > 1)
    expect(bos.locator(".moves__list td > button").nth(1)).to_be_visible()

    bos.get_by_role("button", name="First position").click()
    expect(bos.locator("#ask")).to_have_text("You are looking at an earlier position.")
    expect(bos.locator(".moves__move[aria-current]")).to_have_text(re.compile("^Game 1"))
    snap(bos, "match-6-walk-dark", full=False)
    assert faults(bos) == []
    bos.locator("[data-panel=live]").click()
    expect(bos.locator("#ask")).to_be_hidden()
    page.get_by_role("button", name="Board and sound").click()
    page.locator("[data-wish=theme][value=night]").check()
    snap(page, "match-7-taste", full=False)
    assert faults(page) == []
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#table")).to_have_attribute("data-board", "night")


@pytest.mark.long
def test_a_seat_in_the_lobby(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club_of(ada, bo)
    phone = another(**PHONE)
    wear(page, site, ada)
    wear(phone, site, bo)
    page.goto("/play/")
    page.get_by_label("Search for a player").fill("lindq")
    expect(page.locator("#opponents .choice")).to_have_text(
        ["Anyone: an open seat", re.compile(r"^\s*Pip \(bot\)"), "Bo Lindqvist"]
    )
    page.get_by_role("radio", name="Bo Lindqvist").check()
    page.get_by_role("radio", name="1", exact=True).check()
    snap(page, "lobby-1-offer")
    assert faults(page) == []
    page.get_by_role("button", name="Offer it").click()
    expect(toast(page, "Your challenge has been sent to Bo Lindqvist.")).to_be_visible()
    phone.goto("/play/")
    snap(phone, "lobby-2-phone")
    assert overflow(phone) <= 0
    assert faults(phone) == []
    phone.get_by_role("button", name="Accept Ada Okafor").tap()
    expect(phone.locator("#match")).to_be_visible()
    # Anyone who offered is taken along.
    expect(page.locator("[data-panel=ready]")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(phone.locator(".seat--above .seat__here")).to_have_text("at the board")


@pytest.mark.long
def test_practice_without_an_account(site: str, page: Page, another: Callable[..., Page]) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play against the bot").first.click()
    listening(page)
    press(page, "ready")
    play_on(page, until=lambda: page.locator(".moves__list td > button").count() > 4)
    snap(page, "guest-1-playing", full=False)
    assert faults(page) == []
    stranger = another()
    answer = stranger.goto(page.url)
    assert answer.status == 404
    page.goto("/play/")
    snap(page, "guest-2-lobby")
    assert faults(page) == []
    page.get_by_role("button", name="Play against the bot").click()
    expect(page.locator("#match")).to_be_visible()
    assert Match.objects.count() == 1
