"""Practice with the tutor: a guest is notified of a bad play, takes it back, and plays a better one before
the bot answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from engine.game import Phase
from engine.match import Match
from matches.bots.thinker import Thinker
from matches.journal import journal
from matches.models import Match as Row
from opinion.models import Hint, Response
from opinion.practice import live_engine
from tests.browser.boards import Mouse, act, press_if_there, wish
from tests.browser.eyes import faults
from tests.browser.people import listening, overflow, snap
from tests.browser.test_pages import DESK, PHONE
from tests.opinion.engine_here import put_in
from tests.opinion.fakes import BlotOracle, worths

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

MOST_TURNS: Final = 40
# By so much the worst play has to be worse than the best.
CLEAR: Final = 0.06


@pytest.fixture
def engine(settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tutor asks one that minds blots, in a thread as it does for a club."""
    oracle = BlotOracle()
    put_in(oracle, settings, monkeypatch)
    monkeypatch.setattr(live_engine, "ENGINE", live_engine.SharedEngine(lambda: oracle))
    monkeypatch.setattr(Thinker, "is_muted", False)


def says(page: Page, name: str) -> Locator:
    """Return a line of the tutor's."""
    return page.locator(f"#tutor [data-says='{name}']")


def match() -> Match:
    return journal.load(Row.objects.get()).match


def to_choose(page: Page) -> None:
    """Play well until there is something to do wrong."""
    turn = page.locator("[data-act=confirm]:visible")
    asked = act(page, "ready").or_(act(page, "roll")).or_(act(page, "take")).or_(act(page, "accept"))
    for _ in range(MOST_TURNS):
        expect(turn.or_(asked).first).to_be_visible()
        if not turn.count():
            press_if_there(asked)
        else:
            plays = worths(match())
            if plays[0][1] - plays[-1][1] > CLEAR:
                return
            Mouse(page).move(match().game, plays[0][0])
        expect(page.locator(".table-acts__prompt")).not_to_have_text("One moment \N{HORIZONTAL ELLIPSIS}")
    raise AssertionError("every play is as good as the others")


@pytest.mark.long
def test_a_bad_play_is_told_and_taken_back(site: str, page: Page, engine: None) -> None:
    wish(page, speed=0)
    page.goto("/play/tutor/")
    page.get_by_label(re.compile("Every error")).check()
    page.get_by_role("button", name="3 points").click()
    listening(page)
    expect(says(page, "ready")).to_be_visible()

    to_choose(page)
    game, plays = match().game, worths(match())
    Mouse(page).move(game, plays[-1][0])
    expect(says(page, "hint")).to_be_visible()
    expect(says(page, "hint")).to_contain_text(plays[-1][0].notation)
    expect(page.get_by_text(plays[0][0].notation, exact=True)).to_be_hidden()
    # The bot has not moved.
    assert match().game.phase is not Phase.TO_PLAY or match().game.turn is game.turn
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for words in ("Take it back", "Play on", "Best play"):
            expect(says(page, "asking").get_by_text(words)).to_be_in_viewport(ratio=0.9)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert faults(page) == []
            snap(page, f"tutor-hint-{size['width']}-{theme}", full=False)
        assert overflow(page) == 0
    page.get_by_text("Best play").click()
    expect(page.get_by_text(plays[0][0].notation, exact=True)).to_be_visible()

    # The line is slow: the play is taken back, and another made, before the answer to "Take it back" arrives.
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/api/v1/matches/*/tutor/", lambda route: held.append((route, route.fetch())), times=1)
    page.get_by_role("button", name="Take it back").click()
    expect(says(page, "asking")).to_be_hidden()
    # No director has ruled.
    expect(page.locator("#moves .moves__words", has_text="taken back")).to_have_count(1)
    Mouse(page).move(game, plays[0][0])
    expect(says(page, "good")).to_be_visible()
    [(late, answer)] = held
    with page.expect_event("requestfinished", lambda request: request == late.request):
        late.fulfill(response=answer)
    expect(page.get_by_role("button", name="Take it back", include_hidden=True)).to_be_enabled()
    assert [hint.response for hint in Hint.objects.all()] == [Response.TAKEN_BACK]
    # And now the bot answers; what was said is still to be read when it is the player's turn again.
    expect(act(page, "roll").or_(act(page, "take")).first).to_be_visible()
    expect(says(page, "good")).to_be_visible()
    to_choose(page)
