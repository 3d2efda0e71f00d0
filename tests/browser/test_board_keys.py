"""The table by keyboard and for the ear: arrows, typed plays, letters, and what is said of a game."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from engine.board import STANDARD
from engine.dice import Dice
from engine.plays import legal_plays
from engine.side import Side
from tests.browser.tables import asked, intents, lay, state, steps


def test_a_turn_by_keys_alone(table: Page) -> None:
    lay(table, state(dice="31"))
    table.keyboard.press("Tab")
    focused = table.locator(".place:focus")
    assert "your 24-point, 2 checkers; can go to 21, 23, 20" in (focused.get_attribute("aria-label") or "")
    table.keyboard.press("ArrowDown")
    table.keyboard.press("Home")
    for _ in range(4):
        table.keyboard.press("ArrowRight")
    assert (focused.get_attribute("aria-label") or "").startswith(
        "your 8-point, 3 checkers; can go to 5, 7, 4"
    )
    table.keyboard.press("Enter")
    assert table.evaluate("said.at(-1)") == "Lifted from 8. It can go to 5, 7, 4."
    for _ in range(4):
        table.keyboard.press("ArrowRight")
    assert (focused.get_attribute("aria-label") or "").startswith(
        "5-point, empty; put the lifted checker here"
    )
    table.keyboard.press("Enter")
    assert steps(table) == [[8, 5]]
    table.keyboard.press("ArrowLeft")
    table.keyboard.press(" ")
    assert steps(table) == [[8, 5], [6, 5]]
    assert table.evaluate("said.at(-1)") == "8/5 6/5. Confirm with Enter."
    table.keyboard.press("Enter")
    assert len(intents(table, "move")) == 1


def test_escape_puts_a_lifted_checker_back(table: Page) -> None:
    lay(table, state(dice="31"))
    table.keyboard.press("Tab")
    table.keyboard.press("Enter")
    assert table.locator(".target").count() == 3
    table.keyboard.press("Escape")
    assert table.locator(".target").count() == 0
    assert steps(table) == []


def test_a_play_is_typed(table: Page) -> None:
    lay(table, state(dice="31"))
    table.keyboard.type("8/5 6/5")
    table.keyboard.press("Enter")
    assert sorted(steps(table)) == [[6, 5], [8, 5]]
    assert table.locator(".typing").is_hidden()
    table.keyboard.press("Enter")
    assert len(intents(table, "move")) == 1


@pytest.mark.parametrize(
    ("typed", "said"), [("8/4 6/5", "not a play of this roll"), ("8-5", "cannot be read")]
)
def test_what_cannot_be_played_is_said_in_words(table: Page, typed: str, said: str) -> None:
    lay(table, state(dice="31"))
    table.keyboard.type(typed)
    table.keyboard.press("Enter")
    assert said in table.evaluate("said.at(-1)")
    assert steps(table) == []


def test_letters_are_quiet_where_somebody_writes_or_wishes_it(table: Page) -> None:
    lay(table, state(dice=None))
    table.evaluate(
        "document.getElementById('main').append(Object.assign(document.createElement('input'), {id: 'chat'}))"
    )
    table.locator("#chat").focus()
    table.keyboard.type("red")
    assert asked(table) == []
    table.evaluate("chat.remove(); table.prefs.set({keys: false})")
    table.keyboard.press("r")
    assert asked(table) == []
    table.evaluate("table.prefs.set({keys: true})")
    table.keyboard.press("r")
    assert asked(table) == ["roll"]


def test_the_last_play_and_the_pips_are_said_on_demand(table: Page) -> None:
    lay(table, state(dice=None))
    table.keyboard.press("o")
    assert table.evaluate("said.at(-1)") == "You: 167 pips. Yuki: 167 pips."
    table.keyboard.press("l")
    assert table.evaluate("said.at(-1)") == "Nothing has been played yet."
    table.keyboard.press("c")
    assert table.evaluate("intents.at(-1)") == {"type": "ask", "what": "clock"}
    table.keyboard.press("?")
    expect(table.get_by_role("dialog")).to_be_visible()


def test_what_is_said_of_a_game_is_its_notation(table: Page) -> None:
    chance = random.Random(11)
    board, side, moves = STANDARD, Side.WHITE, []
    for _ in range(24):
        dice = Dice(*sorted((chance.randint(1, 6), chance.randint(1, 6)), reverse=True))
        play = chance.choice(legal_plays(board, side, dice))
        before = state(board, str(dice), turn=side.word, owing=[side.word])
        fact = {"fact": "played", "side": side.word, "steps": [[*step] for step in play.steps]}
        moves.append(
            (before, fact, f"{'Ada' if side is Side.WHITE else 'Yuki'}: {play.notation or 'no move'}.")
        )
        board, side = play.board, side.other
        if board.winner is not None:
            break
    after = [*[before for before, _, _ in moves[1:]], state(board, None, turn=side.word)]
    lay(table, moves[0][0], me=None, interactive=False, turn=None)
    table.evaluate(
        """async shown => { for (const [state, fact] of shown) await table.show(state, {line: {fact}}); }""",
        [[later, fact] for later, (_, fact, _) in zip(after, moves, strict=True)],
    )
    assert table.evaluate("said") == [said for _, _, said in moves]
    assert table.evaluate("table.scene.checkers.isAt(table.position)") is True
