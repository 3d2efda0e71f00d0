"""Disconnections, closed tabs and second tabs: the match goes on as predicted, and nothing happens twice."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from engine.actions import Opened, Played, to_json
from engine.clock import PRESETS, SECOND, TimeLeft
from engine.side import BySide, Side
from matches import verifiers
from matches.journal import journal
from matches.models import Match
from tests.browser.boards import Mouse, act, by_dice, come, match_of
from tests.browser.chosen_dice import SHORT, Scene, Story, foresee, let_draw, play_of
from tests.browser.people import account, listening

OF_THE_GAME = {"opened", "rolled", "played", "doubled", "took", "dropped"}
COMMANDS = "**/api/v1/matches/*/commands/"
# Going out of reach does not end what is open; a router that restarts does.
REOPEN = "window.dispatchEvent(new Event('online'))"
# What is shown was painted a moment ago, and a busy machine may take another.
SLACK = 2 * SECOND


def quiet(story: Story) -> bool:
    """Does white begin, and can every turn be cut in two?"""
    opened = next(each.action for each in reversed(story.scenes) if isinstance(each.action, Opened))
    plays = [each.action for each in story.scenes if isinstance(each.action, Played)]
    return opened.white > opened.black and all(len(each.steps) == 2 for each in plays)


PLAYS = 4


@dataclass
class Cut:
    """A match of which the next turns are known, and the pages of those who play it."""

    row: Match
    story: Story
    pages: BySide[Page]

    @property
    def turns(self) -> list[Scene]:
        """Return the plays to come, each with the match before it."""
        return [each for each in self.story.scenes if isinstance(each.action, Played)]

    def halve(self, page: Page, number: int) -> None:
        """Make the first step of a turn."""
        expect(act(page, "swap").or_(page.locator("[data-act=confirm]:visible"))).not_to_have_count(0)
        source, target = self.ways(number)[0].step
        Mouse(page).drag(source, target)
        expect(act(page, "undo")).to_be_visible()

    def finish(self, page: Page, number: int) -> None:
        """Make the rest of it, and confirm."""
        for source, target in (each.step for each in self.ways(number)[1:]):
            Mouse(page).drag(source, target)
        act(page, "confirm").click()

    def ways(self, number: int) -> list[Any]:
        scene = self.turns[number]
        assert isinstance(scene.action, Played)
        return by_dice(scene.before.game, play_of(scene.before.game, scene.action))

    def turn(self, page: Page, number: int) -> None:
        """Roll and make a whole turn."""
        if number:
            act(page, "roll").click()
        self.halve(page, number)
        self.finish(page, number)

    def lines(self) -> list[dict[str, Any]]:
        """The facts of the game in the journal."""
        facts = self.row.journal.order_by("seq").values_list("fact", flat=True)
        return [each for each in facts if each["fact"] in OF_THE_GAME]

    def assert_each_once(self, plays: int) -> None:
        """The journal has exactly this many plays, as predicted, each once, and passes verification."""
        last = self.story.scenes.index(self.turns[plays - 1])
        wanted = [sort_steps(to_json(each.action)) for each in self.story.scenes[: last + 1]]
        assert [sort_steps(each) for each in self.lines()[: last + 1]] == wanted
        assert sum(each["fact"] == "played" for each in self.lines()) == plays
        assert list(verifiers.verify_journals()) == []


def sort_steps(fact: dict[str, Any]) -> dict[str, Any]:
    """A copy of the fact that does not depend on the order of the checkers' moves."""
    return fact | {"steps": sorted(fact["steps"])} if "steps" in fact else fact


@pytest.fixture
def cut(site: str, page: Page, another: Callable[..., Page]) -> Cut:
    """A clocked match of one point in which white has won the opening roll, and both have looked at it."""
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    row = match_of(ada, bo, start=SHORT, length=3, control=PRESETS["club"].control(3), clock="club")
    story = foresee(row, lambda _match: None, quiet, plays=PLAYS)
    pages = BySide(page, another())
    for side, user in zip(Side, (ada, bo), strict=True):
        let_draw(pages[side], story.secrets[side])
        come(pages[side], site, user, row)
    for each in pages:
        act(each, "ready").click()
    expect(pages.white.locator("[data-act=confirm]:visible")).to_be_visible()
    return Cut(row, story, pages)


def assert_clocks_are_right(page: Page) -> None:
    """What the page shows of both clocks is what the server says, once every frame on its way has come."""
    deadline = time.monotonic() + 5
    while wrong := list(clocks_apart(page)):
        assert time.monotonic() < deadline, wrong
        time.sleep(0.1)


def clocks_apart(page: Page) -> Iterator[tuple[Side, int, TimeLeft]]:
    """Yield the clocks on the page that differ from the journal at this moment."""
    clock = journal.load(Match.objects.select_related("white", "black").get()).clock
    assert clock is not None
    for side in Side:
        left = clock.left(side, at=journal.to_milliseconds(timezone.now()))
        box = page.locator(f"#seat-{side.word} .seat__clock")
        minutes, seconds = box.locator(".seat__reserve").inner_text().split(":")
        shown = (int(minutes) * 60 + int(seconds)) * SECOND
        if abs(shown - left.reserve) > SLACK:
            yield side, shown, left
        free = re.search(r"\d+", box.locator(".seat__delay").inner_text())
        if free is not None and abs(int(free[0]) * SECOND - left.delay) > SLACK:
            yield side, int(free[0]) * SECOND, left


def wait_for_line(row: Match, fact: str) -> None:
    """Wait until the journal has a line of this kind."""
    deadline = time.monotonic() + 5
    while not row.journal.filter(fact__fact=fact).exists():
        assert time.monotonic() < deadline, f"no line says {fact}"
        time.sleep(0.05)


def go_off(page: Page) -> None:
    """Cut the line, streams and all."""
    page.context.set_offline(True)
    page.evaluate(REOPEN)
    expect(page.locator("html[data-stream=off]")).to_be_attached()


def come_back(page: Page) -> None:
    """Restore the connection."""
    page.context.set_offline(False)
    expect(page.locator("html[data-stream=on]")).to_be_attached(timeout=15_000)


@pytest.mark.long
def test_a_line_is_cut_in_mid_turn_and_while_waiting(cut: Cut) -> None:
    ada, bo = cut.pages
    cut.halve(ada, 0)
    go_off(ada)
    expect(ada.locator("#line")).to_contain_text("You are offline")
    # Half a turn can be made whole, and is kept.
    cut.finish(ada, 0)
    expect(ada.locator("#line")).to_contain_text("Your turn is kept")
    expect(bo.locator("#seat-white .seat__here")).to_have_text("away")
    come_back(ada)
    expect(act(bo, "roll")).to_be_visible()
    expect(ada.locator("#line")).to_be_hidden()
    assert_clocks_are_right(ada)
    cut.assert_each_once(1)

    # While one waits: what the other did is there when the line is.
    go_off(ada)
    cut.turn(bo, 1)
    expect(act(ada, "roll")).to_have_count(0)
    come_back(ada)
    expect(act(ada, "roll")).to_be_visible()
    assert_clocks_are_right(ada)
    assert_clocks_are_right(bo)
    cut.turn(ada, 2)
    expect(act(bo, "roll")).to_be_visible()
    cut.assert_each_once(3)
    assert_clocks_are_right(bo)


@pytest.mark.long
@pytest.mark.parametrize("has_stream", [True, False])
def test_an_answer_is_lost_on_its_way(cut: Cut, has_stream: bool) -> None:
    ada, bo = cut.pages
    sent: list[str] = []

    def lose(route: Route) -> None:
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) > 2:
            route.continue_()
            return
        route.fetch(max_retries=2)
        route.abort()

    def hide(route: Route) -> None:
        if len(sent) > 2:
            route.continue_()
        else:
            route.abort()

    if not has_stream:
        # The stream and the journal are cut off, so that only the answer to the request can show the result.
        ada.context.route("**/live/**", lambda route: route.abort())
        ada.context.route("**/journal/**", hide)
        ada.reload()
    ada.context.route(COMMANDS, lose)
    cut.turn(ada, 0)
    cut.turn(bo, 1)
    # With a stream, the page goes on as soon as the next turn arrives; otherwise it repeats the request.
    expect(act(ada, "roll")).to_be_visible(timeout=15_000)
    assert has_stream or sent[:3] == [sent[0]] * 3
    cut.turn(ada, 2)
    expect(act(bo, "roll")).to_be_visible()
    cut.assert_each_once(3)


@pytest.mark.long
def test_the_tab_is_closed_in_mid_turn(cut: Cut) -> None:
    ada, bo = cut.pages
    cut.halve(ada, 0)
    made = ada.locator(".table-acts__prompt").inner_text()
    context, address = ada.context, ada.url
    ada.close()
    expect(bo.locator("#seat-white .seat__here")).to_have_text("away")
    ada = context.new_page()
    ada.goto(address)
    listening(ada)
    expect(ada.locator(".table-acts__prompt")).to_have_text(made)
    # Her clock was held while she was away, which adds a line to the journal and changes no board.
    wait_for_line(cut.row, "held")
    assert_clocks_are_right(ada)
    ada.reload()
    listening(ada)
    expect(ada.locator(".table-acts__prompt")).to_have_text(made)
    # Closed again with the line cut and the turn confirmed: it is sent by the page that comes next.
    go_off(ada)
    cut.finish(ada, 0)
    expect(ada.locator("#line")).to_contain_text("Your turn is kept")
    ada.close()
    expect(act(bo, "roll")).to_have_count(0)
    context.set_offline(False)
    ada = context.new_page()
    ada.goto(address)
    expect(act(bo, "roll")).to_be_visible()
    cut.turn(bo, 1)
    cut.turn(ada, 2)
    expect(act(bo, "roll")).to_be_visible()
    cut.assert_each_once(3)


@pytest.mark.long
def test_somebody_plays_on_in_a_second_tab(cut: Cut) -> None:
    ada, bo = cut.pages
    cut.halve(ada, 0)
    second = ada.context.new_page()
    second.goto(ada.url)
    listening(second)
    expect(second.locator(".table-acts__prompt")).to_have_text(
        ada.locator(".table-acts__prompt").inner_text()
    )
    cut.finish(second, 0)
    expect(act(bo, "roll")).to_be_visible()
    expect(ada.locator("[data-act=confirm]:visible")).to_have_count(0)
    expect(ada.locator("#seat-black")).to_have_class(re.compile("is-acting"))
    cut.turn(bo, 1)
    # Both tabs request the roll at once; one of them is too late, and neither shows an error.
    expect(act(ada, "roll")).to_be_visible()
    expect(act(second, "roll")).to_be_visible()
    for tab in (ada, second):
        tab.evaluate("document.querySelector('[data-act=roll]').click()")
    for tab in (ada, second):
        expect(tab.locator("[data-act=confirm]:visible")).to_be_visible()
        expect(tab.locator(".toast")).to_have_count(0)
    # And both make the same turn, each by itself.
    for tab in (ada, second):
        cut.halve(tab, 2)
        for source, target in (each.step for each in cut.ways(2)[1:]):
            Mouse(tab).drag(source, target)
        expect(act(tab, "confirm")).to_be_visible()
    for tab in (ada, second):
        tab.evaluate("document.querySelector('[data-act=confirm]').click()")
    expect(act(bo, "roll")).to_be_visible()
    # What a tab keeps both of them see: it is gone as soon as each has heard that the turn is made.
    for tab in (ada, second):
        expect(tab.locator("#seat-black")).to_have_class(re.compile("is-acting"))
    for tab in (ada, second):
        expect(tab.locator(".toast")).to_have_count(0)
        assert_clocks_are_right(tab)
        assert tab.evaluate("Object.keys(localStorage).filter(name => /command|turn/.test(name))") == []
    cut.assert_each_once(3)


@pytest.mark.long
def test_a_page_without_a_stream_plays_too(cut: Cut) -> None:
    ada, bo = cut.pages
    bo.context.route("**/live/**", lambda route: route.abort())
    bo.reload()
    cut.turn(ada, 0)
    expect(act(bo, "roll")).to_be_visible(timeout=15_000)
    expect(bo.locator("#line")).to_have_text(re.compile("Reconnecting"))
    cut.turn(bo, 1)
    expect(act(ada, "roll")).to_be_visible()
    cut.assert_each_once(2)
