"""The list of moves, without a match: frames go in, rows come out."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.tables import state

LIST = """async frames => {
  const { Moves } = await import("/static/js/board/moves.js");
  await import("/static/js/board/late_texts.js");
  const { createTranslator } = await import("/static/js/board/texts.js");
  const translate = createTranslator();
  const client = new EventTarget();
  client.players = { white: { name: "Ada" }, black: { name: "Yuki" } };
  const scrubber = document.createElement("div");
  scrubber.append(document.createElement("input"));
  const element = document.createElement("div");
  const moves = new Moves(element, { client, translate, scrubber, onSelect: () => {} });
  frames.forEach(frame => moves.add(frame, { isQuiet: true }));
  return [...element.querySelectorAll(".moves__dice")].map(each => each.textContent);
}"""


def frames(*told: tuple[dict[str, Any], str | None]) -> list[dict[str, Any]]:
    """Each fact, and the dice that lie after it."""
    return [
        {"line": {"seq": seq, "fact": fact}, "state": state(dice=dice)}
        for seq, (fact, dice) in enumerate(told, 1)
    ]


def test_a_play_stands_with_the_dice_that_lay_before_it(table: Page) -> None:
    played = {"fact": "played", "side": "white", "steps": [[8, 5], [6, 5]]}
    opened = {"fact": "opened", "white": 4, "black": 2}
    ruled = {"fact": "ruled-position", "turn": "white", "dice": "31"}
    assert table.evaluate(LIST, frames((opened, "42"), (ruled, "31"), (played, None))) == ["31"]
    # Nor does it matter what was rolled and then taken back.
    rolled, back = {"fact": "rolled", "side": "white", "dice": "65"}, {"fact": "taken-back", "to": 1}
    told = frames((opened, "42"), (played, None), (rolled, "65"), (back, "42"), (played, None))
    assert table.evaluate(LIST, told) == ["42", "42"]
