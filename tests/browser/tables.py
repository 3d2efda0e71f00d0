"""A table without a match: a page of the tests' own, served from the running product, and hands to use it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from engine.board import STANDARD, Board
from engine.dice import Dice
from engine.side import Side
from engine.turns import build_turn_tree

PAGE = Path(__file__).with_name("table.html")
SIDES = {"white": Side.WHITE, "black": Side.BLACK}
POLICY = "default-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self'"
OPEN = """async ({state, options, prefs, theme}) => {
  const { Table } = await import("/static/js/board/table.js");
  const { Preferences } = await import("/static/js/board/prefs.js");
  document.documentElement.dataset.theme = theme;
  const kept = new Preferences();
  kept.set(prefs);
  window.intents = [];
  window.said = [];
  window.table?.remove();
  window.table = new Table(document.getElementById("board"), {
    prefs: kept, names: {white: "Ada", black: "Yuki"}, onIntent: intent => intents.push(intent),
  });
  new MutationObserver(changes => changes.forEach(change =>
    change.addedNodes.forEach(node => said.push(node.textContent)))).observe(table.announcer.element, {childList: true});
  document.getElementById("controls").replaceChildren(table.controls);
  await table.show(state, options);
}"""
# The middle of a checker on a point of the mover's, on the screen.
SPOT = """([point, index]) => {
  const { geometry, svg } = table.scene;
  const side = table.turn?.side ?? table.viewpoint;
  const many = table.position[side][point];
  const spot = geometry.checkerSpot(side, point, index === null ? Math.max(0, many - 1) : index);
  const box = svg.getBoundingClientRect();
  return [box.left + spot.x / geometry.width * box.width, box.top + spot.y / geometry.height * box.height];
}"""
AT_REST = "Promise.all(document.getAnimations().map(each => each.finished.catch(() => 0))).then(() => 0)"


def state(board: Board | str = STANDARD, dice: str | None = "31", **changes: Any) -> dict[str, Any]:
    """The state of a match in the format of `matches.journal.live`, with the fields that a table reads."""
    plain: dict[str, Any] = {
        "board": board if isinstance(board, str) else board.text(),
        "status": "live",
        "phase": "to-play" if dice else "to-roll",
        "turn": "white",
        "owing": ["white"],
        "dice": dice,
        "game": 1,
        "score": [0, 0],
        "crawford": "no",
        "game_is_crawford": False,
        "cube": {"value": 1, "owner": None, "offered": None},
        "resignation": None,
    }
    return plain | changes


def graph(shown: dict[str, Any]) -> list[list[list[int]]] | None:
    """Return the ways through the roll that lies."""
    if shown["phase"] != "to-play":
        return None
    return build_turn_tree(
        Board.parse(shown["board"]), SIDES[shown["turn"]], Dice.parse(shown["dice"])
    ).to_json()


def serve(page: Page, site: str) -> None:
    """Open the page of the tests' own, as strict as any of the product's."""

    def answer(route: Route) -> None:
        headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html; charset=utf-8"}
        route.fulfill(body=PAGE.read_text(), headers=headers)

    page.route("**/a-table/", answer)
    page.goto(f"{site}/a-table/")


def lay(
    page: Page,
    shown: dict[str, Any],
    *,
    prefs: dict[str, Any] | None = None,
    theme: str = "light",
    **options: Any,
) -> None:
    """Put a state on the table, with white's hands on it unless *options* say otherwise."""
    asked = {"me": "white", "interactive": True, "turn": graph(shown)} | options
    # Nothing moves by itself unless a test is about that.
    wishes = {"speed": 0} | (prefs or {})
    page.evaluate(OPEN, {"state": shown, "options": asked, "prefs": wishes, "theme": theme})


def spot(page: Page, point: int, index: int | None = None) -> tuple[float, float]:
    """The position of a checker on a point of the player on roll: the innermost, or the one at *index*."""
    x, y = page.evaluate(SPOT, [point, index])
    return x, y


def tap(page: Page, point: int, index: int | None = None) -> None:
    """Press and let go."""
    page.mouse.click(*spot(page, point, index))


def drag(page: Page, source: int, target: int, *, to: tuple[float, float] | None = None) -> None:
    """Carry a checker from one point to another, or to any spot."""
    end = to or spot(page, target)
    page.mouse.move(*spot(page, source))
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def steps(page: Page) -> list[list[int]]:
    """Return the half-made turn."""
    found: list[list[int]] = page.evaluate("table.turn.steps")
    return found


def asked(page: Page) -> list[str]:
    """The types of all intents of the table, without "counted", which only reports the displayed counts."""
    found: list[str] = page.evaluate("intents.map(each => each.type).filter(each => each !== 'counted')")
    return found


def intents(page: Page, kind: str) -> list[dict[str, Any]]:
    """The intents of one type that the table has sent."""
    found: list[dict[str, Any]] = page.evaluate("kind => intents.filter(each => each.type === kind)", kind)
    return found
