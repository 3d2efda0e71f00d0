"""A match's page under axe in every state and theme, for those who play and those who look on; every point by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.actions import Opened, Played, Took
from engine.board import BAR, Board
from engine.rules import Rules
from engine.side import BySide, Side
from matches.lobby import challenges
from matches.models import Match
from matches.models.challenges import WantedSide
from matches.state import terms
from players.models import User
from tests.browser.acting import perform
from tests.browser.boards import Hands, Mouse, come
from tests.browser.chosen_dice import SHORT, Scene, Story, eventful, foresee, is_eventful, let_draw
from tests.browser.eyes import REST, faults
from tests.browser.people import account

THEMES = ("club", "sea", "night", "flat", "clear")
# A table in another tab is made another: this one follows.
WEAR = """([theme, look]) => {
  document.documentElement.dataset.theme = look;
  localStorage.setItem("barpoint.table", JSON.stringify({theme, speed: 0}));
  window.dispatchEvent(new StorageEvent("storage", {key: "barpoint.table"}));
}"""
CONTRAST: dict[str, Any] = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
# axe is on the page already. A board's theme changes the table's colours and nothing else; the page's, those of all.
PALE = """([within, options]) => axe.run(within, options).then(({violations}) => violations.flatMap(each =>
  each.nodes.map(node => `${each.id}: ${node.html.slice(0, 120)}: ${node.failureSummary}`)))"""
LABELS = "all => Object.fromEntries(all.map(each => [each.dataset.place, each.getAttribute('aria-label')]))"
MOST_ARROWS = 15


class Looker:
    """Looks at each state once, in all themes, by turns in the light and in the dark."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def look(self, state: str, *pages: Page) -> None:
        if state in self.seen:
            return
        self.seen.append(state)
        for page in pages:
            assert faults(page) == [], state
            for number, theme in enumerate(THEMES):
                look = "dark" if (number + len(self.seen)) % 2 else "light"
                self.wear(page, theme, look)
                assert page.evaluate(PALE, ["#table", CONTRAST]) == [], (state, theme, look)
            self.wear(page, "club", "dark")
            assert page.evaluate(PALE, ["#match", CONTRAST]) == [], state
            self.wear(page, "club", "light")

    def wear(self, page: Page, theme: str, look: str) -> None:
        """Put on another theme, and wait until it has come to rest."""
        page.evaluate(WEAR, [theme, look])
        expect(page.locator("#table")).to_have_attribute("data-board", theme)
        page.evaluate(REST)


def state_of(scene: Scene) -> str:
    """Name what the acting player sees in a scene; "" for scenes that are not checked."""
    game, action = scene.before.game, scene.action
    match action:
        case Opened():
            return "game over" if scene.before.results else "opening"
        case Took():
            return "cube offered"
        case Played(side=side, steps=steps) if steps:
            if game.board.count(side, BAR):
                return "bar"
            return "bear-off" if any(step.target == 0 for step in steps) else "to move"
        case _:
            return ""


STATES = {"opening", "to move", "cube offered", "bar", "bear-off", "game over"}


def shows_all(story: Story) -> bool:
    """Does every state come up before the match is over?"""
    shown = {state_of(scene) for scene in story.scenes}
    return is_eventful(story) and (not story.end.is_over or shown >= STATES)


def agreed_by(ada: User, bo: User) -> Match:
    """Return a match that may have a rematch, since one offered it to the other."""
    short = terms.build_terms(Rules(length=3, start=SHORT), None)
    now = timezone.now()
    offer = challenges.offer(
        challenger=ada.player, opponent=bo.player, terms=short, side=WantedSide.WHITE, now=now
    )
    match = challenges.accept(challenge_id=offer.pk, player=bo.player, now=now).match
    assert match is not None
    return match


@pytest.mark.slow
def test_every_state_is_clean_in_every_theme(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    row = agreed_by(ada, bo)
    story = foresee(row, eventful, shows_all)
    pages = BySide(page, another(viewport={"width": 375, "height": 812}))
    for side, user in zip(Side, (ada, bo), strict=True):
        let_draw(pages[side], story.secrets[side])
        come(pages[side], site, user, row)
    passer = come(another(), site, None, row)
    hands: BySide[Hands] = BySide(Mouse(pages.white), Mouse(pages.black))
    for each in (*pages, passer):
        each.emulate_media(reduced_motion="reduce")
    looker = Looker()
    for scene in story.scenes:
        state, actor = state_of(scene), scene.before.game.actor or Side.WHITE
        if state and state not in looker.seen:
            wanted = "[data-panel=ready]" if isinstance(scene.action, Opened) else "[data-act=confirm]"
            shown = "[data-act=take]" if isinstance(scene.action, Took) else wanted
            expect(pages[actor].locator(f"{shown}:visible")).to_be_visible()
            looker.look(state, pages[actor])
            if state == "to move":
                assert_every_point_is_named(pages[actor], scene.before.game.board, actor)
                looker.look("spectator", passer)
        perform(hands, scene)
    expect(page.locator("[data-panel=rematch]")).to_be_visible()
    looker.look("match over", page, passer)
    passer.get_by_role("button", name="First position").click()
    expect(passer.locator("[data-panel=live]")).to_be_visible()
    looker.look("replay", passer)
    assert {*looker.seen} == STATES | {"spectator", "match over", "replay"}


def assert_every_point_is_named(page: Page, board: Board, side: Side) -> None:
    """Arrows lead to every place, and each says in the player's own numbers what is on it."""
    page.locator(".place[tabindex='0']").focus()
    visited: dict[str, str] = {}
    for row in ("ArrowUp", "ArrowDown"):
        page.keyboard.press(row)
        page.keyboard.press("Home")
        for _ in range(MOST_ARROWS):
            place, label = page.evaluate(
                "[document.activeElement.dataset.place, document.activeElement.getAttribute('aria-label')]"
            )
            visited[place] = label
            page.keyboard.press("ArrowRight")
    places = page.locator(".place:not([data-place=dice]):not([data-place=cube])").evaluate_all(LABELS)
    assert visited == places
    assert len(visited) == 28
    said = sorted(label.split(";")[0] for label in visited.values())
    assert said == sorted(expected_labels(board, side))


def expected_labels(board: Board, side: Side) -> list[str]:
    """The labels of the places of a board, for the player who sits at *side*."""
    other = "White's" if side else "Black's"
    found = []
    for point in range(1, 25):
        mine, theirs = board.count(side, point), board.count(side.other, 25 - point)
        owner = "your" if mine else other
        name = f"{owner} {point}-point, {checkers(mine or theirs)}"
        found.append(name if mine or theirs else f"{point}-point, empty")
    for owner, each in (("your", side), (other, side.other)):
        found.append(f"{owner} bar, {checkers(board.count(each, BAR))}")
        found.append(f"{owner} tray, {checkers(board.off(each))} off")
    return found


def checkers(number: int) -> str:
    return f"{number} checker" if number == 1 else f"{number} checkers"
