"""People at a match's own page, each with hands of a kind: a mouse, a thumb, a keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from django.utils import timezone
from playwright.sync_api import FloatRect, Locator, Page, expect

from engine.board import BAR, OFF, Board, Step
from engine.clock import TimeControl
from engine.game import Game
from engine.plays import Play
from engine.rules import Rules
from engine.side import Side
from engine.turns import build_turn_tree
from matches.journal import lifecycle
from matches.models import Match
from matches.state import terms
from players.models import User
from tests.browser.people import listening, wear

# How far from a point's end its first checker lies, as a share of the point.
NEAR_END: Final = 0.1
MOST_TABS: Final = 60
# An empty page has no store.
WISHED: Final = """try {
  localStorage.getItem("barpoint.told") ?? localStorage.setItem("barpoint.told", '["sound","seal","ring","roll"]');
  localStorage.getItem("barpoint.table") ?? localStorage.setItem("barpoint.table", 'WISHES');
} catch {}"""
FOCUSED: Final = "wanted => document.activeElement?.matches(wanted)"


def match_of(
    white: User,
    black: User,
    *,
    length: int = 1,
    start: Board | None = None,
    rules: Rules | None = None,
    control: TimeControl | None = None,
    **agreed: Any,
) -> Match:
    """Lay out a match, without a clock unless there is one."""
    played = rules or (Rules(length=length, start=start) if start else Rules(length=length))
    settled = terms.build_terms(played, control, **agreed)
    return lifecycle.create(white=white.player, black=black.player, terms=settled, now=timezone.now())


def wish(page: Page, **wishes: Any) -> None:
    """Set the player's preferences for the table before its first view."""
    page.context.add_init_script(WISHED.replace("WISHES", json.dumps(wishes)))


def come(page: Page, site: str, user: User | None, match: Match, **wishes: Any) -> Page:
    """Come to the board, as a player or to look on; nothing flies unless a person wishes it."""
    wish(page, **({"speed": 0} | wishes))
    if user is not None:
        wear(page, site, user)
    page.goto(f"/matches/{match.key}/")
    return listening(page)


def act(page: Page, name: str) -> Locator:
    """Return the button of this name where the hands are, as soon as it may be pressed."""
    return page.locator(f"[data-act={name}]:visible:enabled, [data-panel={name}]:visible:enabled")


def press_if_there(buttons: Locator) -> None:
    """Press the last of these buttons, if there is one by now: the table may have moved on since they were seen."""
    buttons.evaluate_all("all => all.at(-1)?.click()")


def place(page: Page | Locator, point: int) -> Locator:
    """Return the place of a point in the numbers of the one who sits at this page."""
    if point in {BAR, OFF}:
        return page.locator(f".place[aria-label^='your {'bar' if point == BAR else 'tray'},']")
    name = f"{point}-point"
    return page.locator(f".place[aria-label^='{name},'], .place[aria-label*=' {name},']")


def spot(page: Page | Locator, point: int) -> tuple[float, float]:
    """The position of the first checker of a point, in pixels of the window."""
    found = place(page, point)
    box, board = found.bounding_box(), page.locator(".tabletop__places").bounding_box()
    assert board is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * _share(box, board)


def _share(box: FloatRect, board: FloatRect) -> float:
    is_above = box["y"] + box["height"] / 2 < board["y"] + board["height"] / 2
    return NEAR_END if is_above else 1 - NEAR_END


class Made(NamedTuple):
    """One step as hands make it."""

    step: Step
    die: int


def by_dice(game: Game, play: Play) -> list[Made]:
    """Return the steps of a play in an order that can be made, with the higher die first where it may be."""
    assert game.turn is not None
    assert game.dice is not None
    nodes = build_turn_tree(game.board, game.turn, game.dice).nodes
    wanted, side = play.board, game.turn

    def walk(node: int, board: Board) -> list[Made] | None:
        if not nodes[node]:
            return [] if board == wanted else None
        for way in sorted(nodes[node], key=lambda way: -way.die):
            rest = walk(way.to, stepped(board, side, way.step))
            if rest is not None:
                return [Made(way.step, way.die), *rest]
        return None

    found = walk(0, game.board)
    assert found is not None
    return found


def stepped(board: Board, side: Side, step: Step) -> Board:
    """Return the board after one checker has moved."""
    from engine.board import Board

    counts = {each: {point: board.count(each, point) for point in range(BAR + 1)} for each in Side}
    counts[side][step.source] -= 1
    if step.target != OFF:
        counts[side][step.target] += 1
        if counts[side.other].get(BAR - step.target) == 1:
            counts[side.other][BAR - step.target] = 0
            counts[side.other][BAR] += 1
    on = {
        each: {point: n for point, n in held.items() if n and point != OFF} for each, held in counts.items()
    }
    return Board.from_counts(on[Side.WHITE], on[Side.BLACK])


# Acts that the page lets the player confirm.
ASKED_AGAIN: Final = ("double", "drop", "beaver")


def press_all(page: Page, name: str, press: Callable[[], object], *, by_touch: bool = False) -> None:
    """Press a button as often as it wants to be pressed."""
    press()
    if name in ASKED_AGAIN:
        expect(act(page, name)).to_have_class(re.compile("is-armed"))
        # No finger is as quick as this one: two taps at once are a double tap, and that answers nothing.
        act(page, name).dispatch_event("click") if by_touch else press()


class Mouse:
    """Drags checkers and clicks buttons."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, name: str) -> None:
        press_all(self.page, name, act(self.page, name).click)

    def move(self, game: Game, play: Play) -> None:
        """Make a play and confirm it."""
        expect(self.page.locator("[data-act=confirm]:visible")).to_be_visible()
        for made in by_dice(game, play):
            self.drag(made.step.source, made.step.target)
        self.press("confirm")

    def drag(self, source: int, target: int) -> None:
        """Carry a checker from one place to another."""
        start, end = spot(self.page, source), spot(self.page, target)
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=3)
        self.page.mouse.up()

    def carry(self, source: int, target: int) -> None:
        """Carry a checker over a place, and do not let go."""
        self.page.mouse.move(*spot(self.page, source))
        self.page.mouse.down()
        self.page.mouse.move(*spot(self.page, target), steps=3)

    def let_go(self) -> None:
        """Release the dragged checker."""
        self.page.mouse.up()

    def resign(self, level: str) -> None:
        """Offer to give up, by the dialog."""
        self.page.locator("#resign-open").click()
        self.page.get_by_label(level).check()
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


class Thumb(Mouse):
    """Taps: a checker plays the next die, and the dice are swapped where the lower is to be first."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.screen = page.context.new_cdp_session(page)

    def touch(self, kind: str, *spots: tuple[float, float]) -> None:
        """Lay a finger on the screen, move it, or take it away."""
        points = [{"x": x, "y": y} for x, y in spots]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def carry(self, source: int, target: int) -> None:
        start, end = spot(self.page, source), spot(self.page, target)
        self.touch("touchStart", start)
        for share in (0.3, 0.6, 1):
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self.touch("touchMove", (x, y))

    def drag(self, source: int, target: int) -> None:
        self.carry(source, target)
        self.let_go()

    def let_go(self) -> None:
        self.touch("touchEnd")

    def press(self, name: str) -> None:
        press_all(self.page, name, act(self.page, name).tap, by_touch=True)

    def move(self, game: Game, play: Play) -> None:
        expect(self.page.locator("[data-act=confirm]:visible")).to_be_visible()
        made = by_dice(game, play)
        assert game.dice is not None
        if made and made[0].die != game.dice.high:
            self.press("swap")
        for each in made:
            self.page.touchscreen.tap(*spot(self.page, each.step.source))
        self.press("confirm")

    def resign(self, level: str) -> None:
        self.page.locator("#resign-open").tap()
        self.page.get_by_label(level).tap()
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").tap()


class Keyboard:
    """Presses keys and nothing else: plays are typed in turn with plays by arrows."""

    LETTERS: Final = {"roll": "r", "double": "d", "take": "t", "drop": "p"}

    def __init__(self, page: Page) -> None:
        self.page = page
        self.turns = 0

    def press(self, name: str) -> None:
        """Press a button by its letter, or by going to it."""
        expect(act(self.page, name)).to_be_visible()
        if name in self.LETTERS:
            press_all(self.page, name, lambda: self.page.keyboard.press(self.LETTERS[name]))
        else:
            self.go(f"[data-panel={name}], [data-act={name}]")
            self.page.keyboard.press("Enter")

    def go(self, wanted: str) -> None:
        """Go on by Tab until there."""
        for _ in range(MOST_TABS):
            if self.page.evaluate(FOCUSED, wanted):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way to {wanted} by Tab")

    def move(self, game: Game, play: Play) -> None:
        """Make a play and confirm it."""
        expect(self.page.locator("[data-act=confirm]:visible")).to_be_visible()
        self.turns += 1
        if self.turns % 2:
            self.go(".place, .place *")
            self.page.keyboard.type(play.notation)
        else:
            for made in by_dice(game, play):
                self.walk(made.step.source)
                self.page.keyboard.press("Enter")
                self.walk(made.step.target)
                self.page.keyboard.press("Enter")
        if self.turns % 2:
            self.page.keyboard.press("Enter")
        expect(act(self.page, "confirm")).to_be_visible()
        self.page.keyboard.press("Enter")

    def walk(self, point: int) -> None:
        """Go to a point by arrows, and put down or lift what there is."""
        self.go(".place:not([data-place=dice]):not([data-place=cube])")
        wanted = place(self.page, point)
        target = str(wanted.get_attribute("data-place"))
        for key in self.way(target):
            self.page.keyboard.press(key)
        expect(wanted).to_be_focused()

    def way(self, target: str) -> list[str]:
        """Return the arrows that lead from the place of the focus to another."""
        at = str(self.page.evaluate("document.activeElement.dataset.place"))
        rows = self.page.evaluate(ROWS)
        row = next(index for index, line in enumerate(rows) if target in line)
        here = next(index for index, line in enumerate(rows) if at in line)
        across = rows[row].index(target) - rows[here].index(at)
        turn = [] if row == here else ["ArrowUp" if row == 0 else "ArrowDown"]
        return [*turn, *(["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across))]

    def resign(self, level: str) -> None:
        """Offer to give up, by the dialog."""
        self.go("#resign-open")
        self.page.keyboard.press("Enter")
        self.go("#resign-form [name=level]")
        for _ in range(4):
            if self.page.get_by_label(level).is_checked():
                break
            self.page.keyboard.press("ArrowDown")
        self.go("[form=resign-form]")
        self.page.keyboard.press("Enter")


# The labels of the places in reading order, in two rows.
ROWS: Final = """() => {
  const all = [...document.querySelectorAll(".place")].map(each => each.dataset.place)
    .filter(each => each !== "dice" && each !== "cube");
  return [all.slice(0, all.length / 2), all.slice(all.length / 2)];
}"""

Hands = Mouse | Keyboard


def moves(page: Page) -> list[str]:
    """Return the list of moves as the page has it, games' headings left out."""
    return [re.sub(r"\s+", " ", text) for text in page.locator(".moves__words").all_inner_texts()]
