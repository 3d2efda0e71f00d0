"""A guided match: the board says what may be done and why, to its end; a play that may not be is explained by its rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.board import Board
from engine.rules import VARIANTS
from engine.side import Side
from matches.journal import journal
from matches.models import Match
from tests.browser.boards import Mouse, act, press_if_there, wish
from tests.browser.chosen_dice import SHORT, best
from tests.browser.eyes import faults
from tests.browser.people import listening, overflow, snap
from tests.browser.test_match_journey import seated

Others = Callable[..., Page]

MOST_TURNS: Final = 150
# White to play 6-3, whose 7-point black holds.
BLOCKED: Final = Board.from_counts({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 18: 2, 13: 4, 8: 3, 6: 4})


def lesson(page: Page, name: str) -> Locator:
    return page.locator(f"#guide [data-lesson='{name}']")


def roll(page: Page) -> None:
    """Roll, if the bot has begun and it is for us to roll or double."""
    expect(lesson(page, "move").or_(lesson(page, "double")).first).to_be_visible()
    if lesson(page, "double").is_visible():
        act(page, "roll").click()


@pytest.mark.long
def test_a_beginner_plays_a_guided_match_to_its_end(
    site: str, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(VARIANTS, "backgammon", SHORT)
    wish(page, speed=0)
    page.goto("/help/")
    page.get_by_role("button", name="Play a guided match").click()
    listening(page)
    expect(lesson(page, "opening")).to_contain_text("The higher number begins")
    expect(lesson(page, "opening").get_by_role("link")).to_have_attribute("href", "/help/rules/#R09")
    hands, met = Mouse(page), set[str]()
    end = page.locator("[data-panel=again]:visible")
    asked = act(page, "ready").or_(act(page, "roll")).or_(act(page, "take")).or_(act(page, "accept"))
    turn = page.locator("[data-act=confirm]:visible")
    for _ in range(MOST_TURNS):
        expect(end.or_(turn).or_(asked).first).to_be_visible()
        met |= set(
            page.locator("#guide [data-lesson]").evaluate_all("all => all.map(one => one.dataset.lesson)")
        )
        if end.count():
            break
        if turn.count():
            game = journal.load(Match.objects.select_related("white", "black").get()).match.game
            play = best(game)
            # The dice are random: in one match of five neither player bears off here.
            if game.board.is_home(game.actor) and play.steps:
                expect(lesson(page, "bear-off")).to_be_visible()
            hands.move(game, play)
        else:
            press_if_there(asked)
        expect(page.locator(".table-acts__prompt")).not_to_have_text("One moment \N{HORIZONTAL ELLIPSIS}")
    expect(page.locator("#ask")).to_contain_text("won the match")
    expect(lesson(page, "over")).to_be_visible()
    assert "opening" in met
    end.click()
    expect(lesson(page, "opening")).to_be_visible()


@pytest.mark.long
def test_what_was_typed_and_is_no_play_is_explained(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, length=3)
    table.begin()
    table.lay(BLOCKED, Side.WHITE, "63")
    mine = table.pages.white
    mine.keyboard.type("13/7 6/3")
    mine.keyboard.press("Enter")

    said = mine.locator(".toast[data-kind=why]")
    expect(said).to_contain_text("The opponent holds a point on the way. Legal and similar:")
    expect(said.get_by_role("link", name="Why? R14")).to_have_attribute("href", "/help/rules/#R14")
    # The next one takes its place.
    mine.keyboard.press("Escape")
    mine.keyboard.type("24/19")
    mine.keyboard.press("Enter")
    expect(said.get_by_role("link", name="Why? R12")).to_be_visible()
    expect(said).to_have_count(1)
    assert faults(mine) == []


@pytest.mark.long
def test_a_checker_that_may_not_stand_there_is_explained(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, length=3)
    table.begin()
    table.lay(BLOCKED, Side.WHITE, "63")
    mine = table.pages.white
    hands = Mouse(mine)
    hands.carry(13, 7)
    hands.let_go()

    said = mine.locator(".toast[data-kind=why]")
    expect(said).to_contain_text("The opponent holds a point on the way.")
    expect(said.get_by_role("link", name="Why? R14")).to_be_visible()


@pytest.mark.long
def test_the_guide_says_what_is_the_matter(site: str, page: Page) -> None:
    wish(page, speed=0)
    page.goto("/help/")
    page.get_by_role("button", name="Play a guided match").click()
    listening(page)
    expect(lesson(page, "aim")).to_be_visible()
    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 812})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            assert overflow(page) <= 0
            assert faults(page) == []
            snap(page, f"guide-{width}-{theme}")
    act(page, "ready").click()
    roll(page)
    expect(lesson(page, "move")).to_contain_text(re.compile("You rolled [1-6][1-6]"))
    snap(page, "guide-move")


@pytest.mark.long
def test_the_guide_speaks_once_the_roll_has_come_to_rest(site: str, page: Page) -> None:
    """At the speed at which a table usually shows things."""
    page.goto("/help/")
    page.get_by_role("button", name="Play a guided match").click()
    listening(page)
    act(page, "ready").click()
    roll(page)
    expect(lesson(page, "move")).to_be_visible()
