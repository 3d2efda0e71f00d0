"""The table by itself, in a person's hands: taps, drags, undo, dice, cube, and what is shown of the others'
moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from engine.board import STANDARD, Board
from engine.dice import Dice
from engine.plays import legal_plays
from engine.side import Side
from tests.browser import tables
from tests.browser.tables import asked, drag, graph, intents, lay, spot, state, steps, tap

HIT = Board.parse("white 24:1 23:1 13:4 8:4 6:5 black 24:1 13:6 8:3 6:4 bar:1")
RACE = Board.parse("white 6:2 5:3 3:2 2:1 off:7 black 5:2 4:2 2:3 off:8")
# Dispatch pointer events of a finger at a position.
FINGER = """([kinds, [x, y]]) => {
  for (const kind of kinds) {
    const made = new PointerEvent(kind, {bubbles: true, isPrimary: true, pointerId: 1, clientX: x, clientY: y});
    // The tests' clock gives it the time at which it is asked for that first.
    window[kind] = { at: made.timeStamp, hear: () => table.scene.svg.dispatchEvent(made) };
  }
}"""
COUNT_FLYING = """() => {
  window.flying = [];
  table.onIntent = ({type}) => type === "changed" && flying.push(table.scene.checkers.running.size);
}"""


def test_a_tap_plays_the_higher_die_and_the_dice_can_be_swapped(table: Page) -> None:
    lay(table, state(dice="31"))
    tap(table, 8)
    assert steps(table) == [[8, 5]]
    table.get_by_role("button", name="Undo").click()
    assert steps(table) == []
    table.get_by_role("button", name="Swap", exact=False).first.click()
    tap(table, 8)
    assert steps(table) == [[8, 7]]


def test_a_point_is_made_by_a_tap_on_it(table: Page) -> None:
    lay(table, state(dice="31"))
    tap(table, 5)
    assert sorted(steps(table)) == [[6, 5], [8, 5]]
    assert intents(table, "changed")[-1]["steps"] == steps(table)


def test_a_checker_is_dragged_and_snaps_back_where_it_may_not_go(table: Page) -> None:
    lay(table, state(dice="31"))
    drag(table, 24, 20)
    assert steps(table) == [[24, 21], [21, 20]]
    table.keyboard.press("u")
    table.keyboard.press("u")
    drag(table, 13, 3)
    assert steps(table) == []
    assert table.locator(".target").count() == 0


def test_a_moved_checker_dragged_back_is_an_undo_and_its_source_is_lit(table: Page) -> None:
    lay(table, state(HIT, "64"))
    drag(table, 13, 7)
    drag(table, 24, 20)
    assert steps(table) == [[13, 7], [24, 20]]
    # Only the checker that was moved first can go back, and its source is lit while it is dragged (R61, R62).
    table.mouse.move(*spot(table, 7))
    table.mouse.down()
    assert table.locator(".target--back").count() == 1
    table.mouse.move(*spot(table, 13), steps=4)
    table.mouse.up()
    assert steps(table) == [[24, 20]]


def test_a_hit_is_undone_with_the_checker_that_hit(table: Page) -> None:
    board = Board.parse("white 24:2 13:5 8:3 6:5 black 20:1 24:1 13:5 8:3 6:5")
    lay(table, state(board, "31"))
    drag(table, 8, 5)
    assert table.evaluate("table.position.black[25]") == 1
    drag(table, 5, 8)
    assert table.evaluate("[table.position.black[25], table.position.black[20]]") == [0, 1]
    assert steps(table) == []


def test_a_tap_lifts_and_another_puts_down_where_that_is_preferred(table: Page) -> None:
    lay(table, state(dice="31"), prefs={"tap": "lift"})
    tap(table, 6)
    assert table.locator(".target").count() > 0
    tap(table, 5)
    assert steps(table) == [[6, 5]]
    tap(table, 8)
    tap(table, 8)
    assert steps(table) == [[6, 5], [8, 5]]


def test_a_whole_play_is_confirmed_by_a_tap_on_the_dice(table: Page) -> None:
    lay(table, state(dice="31"))
    tap(table, 5)
    x, y = (
        table.evaluate("""() => { const box = table.scene.dice.shownDice[0].element.getBoundingClientRect();
                                     return [box.x + box.width / 2, box.y + box.height / 2]; }""")
    )
    table.mouse.click(x, y)
    [move] = intents(table, "move")
    assert sorted(move["steps"]) == [[6, 5], [8, 5]]
    # Nothing more may happen until the server has answered.
    tap(table, 13)
    table.keyboard.press("u")
    table.keyboard.press("Enter")
    assert len(intents(table, "move")) == 1
    assert len(steps(table)) == 2
    table.evaluate("table.release()")
    table.keyboard.press("u")
    assert len(steps(table)) == 1


def test_without_confirmation_a_whole_play_is_sent_at_once(table: Page) -> None:
    lay(table, state(dice="31"), confirm=False)
    tap(table, 5)
    assert len(intents(table, "move")) == 1


def test_many_are_borne_off_by_one_press(table: Page) -> None:
    lay(table, state(RACE, "65"))
    table.get_by_role("button", name="Bear off").click()
    assert steps(table) == [[6, 0], [5, 0]]
    table.locator("[data-act=confirm]").click()
    assert intents(table, "move")[0]["steps"] == [[6, 0], [5, 0]]


@pytest.mark.parametrize("way", ["cube", "button", "key"])
def test_a_cube_is_offered_by_two_presses_whatever_hand_makes_them(table: Page, way: str) -> None:
    lay(table, state(dice=None))
    for presses in (0, 1):
        assert len(intents(table, "double")) == 0
        if way == "cube":
            table.get_by_role("button", name="Cube: double to 2").click()
        elif way == "button":
            table.locator("[data-act=double]").click()
        else:
            table.keyboard.press("d")
        if not presses:
            expect(table.locator(".table-acts__prompt")).to_have_text("Press again to double to 2.")
    assert len(intents(table, "double")) == 1


def test_a_dead_double_warns_before_it_is_made(table: Page) -> None:  # R48
    lay(table, state(dice=None), isDeadDouble=True)
    table.locator("[data-act=double]").click()
    expect(table.locator(".table-acts__prompt")).to_contain_text(
        "A dead double: winning at the present cube already gives you the match"
    )
    assert intents(table, "double") == []


def test_a_drop_stands_apart_behind_the_take_and_asks_again(table: Page) -> None:
    offered = {"value": 2, "owner": "black", "offered": 4}
    lay(table, state(dice=None, phase="doubled", turn="black", cube=offered), may=["take", "drop", "beaver"])
    shown = table.locator(".table-acts__row button:visible")
    assert [each.get_attribute("data-act") for each in shown.all()] == ["take", "beaver", "drop"]
    drop = table.locator("[data-act=drop]")
    drop.dblclick()  # one slip, however quick
    assert intents(table, "drop") == []
    expect(table.locator(".table-acts__prompt")).to_have_text(
        "Press again to drop the double and lose the game."
    )
    # Another answer takes the question away; so does Escape.
    table.locator("[data-act=beaver]").click()
    expect(table.locator(".table-acts__prompt")).to_have_text("Press again to beaver: the cube goes to 8.")
    table.keyboard.press("Escape")
    expect(table.locator(".table-acts__prompt")).to_contain_text("Take, drop or beaver?")
    table.keyboard.press("p")
    assert asked(table) == []
    table.keyboard.press("p")
    assert len(intents(table, "drop")) == 1


def test_a_key_that_is_held_down_presses_once(table: Page) -> None:
    lay(table, state(dice=None))
    for _ in range(3):
        table.keyboard.down("d")
    assert intents(table, "double") == []


def test_a_double_click_on_the_cube_only_asks(table: Page) -> None:
    lay(table, state(dice=None))
    cube = table.get_by_role("button", name="Cube: double to 2")
    cube.dblclick()  # one slip, however quick
    assert intents(table, "double") == []
    expect(table.locator(".table-acts__prompt")).to_have_text("Press again to double to 2.")
    cube.click()
    assert len(intents(table, "double")) == 1


@pytest.mark.parametrize("where", ["[data-place=cube]", "[data-act=double]"])
def test_an_enter_that_is_held_down_presses_once(table: Page, where: str) -> None:
    lay(table, state(dice=None))
    table.locator(where).focus()
    for _ in range(3):
        table.keyboard.down("Enter")
    assert intents(table, "double") == []
    expect(table.locator(".table-acts__prompt")).to_have_text("Press again to double to 2.")
    table.keyboard.up("Enter")
    table.keyboard.press("Enter")
    assert len(intents(table, "double")) == 1


def test_an_offer_has_no_answer_by_default(table: Page) -> None:
    offered = {"value": 2, "owner": "black", "offered": 4}
    lay(table, state(dice=None, phase="doubled", turn="black", cube=offered))
    assert table.locator(".cube__value").text_content() == "4"
    for key in ("Enter", " ", "Escape", "r", "d"):
        table.keyboard.press(key)
    assert asked(table) == []
    table.keyboard.press("t")
    assert asked(table) == ["take"]


def test_a_state_that_comes_again_leaves_a_half_made_turn_alone(table: Page) -> None:
    shown = state(dice="31")
    lay(table, shown)
    tap(table, 8)
    table.evaluate(
        "([state, turn]) => table.show({...state, deadline: 5}, {me: 'white', interactive: true, turn})",
        [shown, graph(shown)],
    )
    assert steps(table) == [[8, 5]]
    table.evaluate(
        "([state, turn]) => table.show({...state, game: 2}, {me: 'white', interactive: true, turn, made: [[6, 5]]})",
        [shown, graph(shown)],
    )
    assert steps(table) == [[6, 5]]


def test_the_opponents_play_moves_is_traced_and_said(table: Page) -> None:
    lay(
        table,
        state(dice="31", turn="black", owing=["black"]),
        prefs={"speed": 3},
        interactive=False,
        turn=None,
    )
    play = next(each for each in legal_plays(STANDARD, Side.BLACK, Dice(3, 1)) if each.notation == "8/5 6/5")
    line = {"seq": 9, "fact": {"v": 1, "fact": "played", "side": "black", "steps": [[8, 5], [6, 5]]}}
    table.evaluate(
        "([state, line]) => table.show(state, {me: 'white', interactive: true, line})",
        [state(play.board, None), line],
    )
    assert table.evaluate("said.at(-1)") == "Yuki: 8/5 6/5."
    assert table.locator(".trace__line").count() == 2
    assert table.evaluate("table.scene.checkers.isAt(table.position)") is True


def test_nothing_flies_for_those_who_want_it_calm(table: Page) -> None:
    table.emulate_media(reduced_motion="reduce")
    lay(table, state(dice="31"), prefs={"speed": 1})
    # A slow machine asks when a checker that flies has landed: what flies is counted as the move is made.
    table.evaluate(COUNT_FLYING)
    tap(table, 8)
    assert table.evaluate("flying") == [0]
    table.emulate_media(reduced_motion="no-preference")
    tap(table, 6)
    assert table.evaluate("flying") == [0, 1]


def test_quick_hands_overtake_slow_checkers(table: Page) -> None:
    lay(table, state(dice="11"), prefs={"speed": 1})
    for _ in range(4):
        tap(table, 8, 2)
    for _ in range(3):
        table.keyboard.press("u")
    tap(table, 6)
    table.evaluate(tables.AT_REST)
    assert table.evaluate("table.scene.checkers.isAt(table.position)") is True
    assert table.locator(".man").count() == 30
    assert table.locator(".flying .man").count() == 0


def test_a_tap_is_none_the_longer_for_a_busy_page(table: Page) -> None:
    table.clock.install()
    lay(table, state(dice="31"))
    table.evaluate(FINGER, [["pointerdown", "pointerup"], spot(table, 8)])
    table.evaluate("pointerdown.hear()")
    table.clock.run_for(1_000)
    table.evaluate("pointerup.hear()")
    assert steps(table) == [[8, 5]]


def test_a_checker_that_is_held_is_lifted_and_not_played(table: Page) -> None:
    table.clock.install()
    lay(table, state(dice="31"))
    for kind in ("pointerdown", "pointerup"):
        table.evaluate(FINGER, [[kind], spot(table, 8)])
        table.evaluate("kind => window[kind].hear()", kind)
        table.clock.run_for(1_000)
    assert steps(table) == []
    assert table.locator(".target").count() == 3


@pytest.mark.parametrize("news", ["state", "looks"])
def test_a_checker_in_the_hand_lies_down_when_the_board_is_laid_anew(table: Page, news: str) -> None:
    shown = state(dice="31")
    lay(table, shown)
    table.mouse.move(*spot(table, 8))
    table.mouse.down()
    table.mouse.move(*spot(table, 5), steps=4)
    assert table.locator(".flying .man").count() == 1
    if news == "state":
        table.evaluate(
            "state => table.show({...state, turn: 'black', owing: ['black']}, {me: 'white'})", shown
        )
    else:
        table.evaluate("table.prefs.set({home: 'left'})")
    # That nothing goes wrong here the fence knows.
    table.mouse.move(*spot(table, 13), steps=4)
    table.mouse.up()

    assert table.locator(".flying .man").count() == 0
    assert asked(table) == []


def test_a_thumb_plays(site: str, another: Callable[..., Page]) -> None:
    phone = another(has_touch=True, viewport={"width": 375, "height": 812})
    tables.serve(phone, site)
    lay(phone, state(dice="31"))
    phone.touchscreen.tap(*spot(phone, 5, 0))
    assert sorted(steps(phone)) == [[6, 5], [8, 5]]
    # A finger's click event follows the tap, so each step is waited for.
    for left in (1, 0):
        phone.locator("[data-act=undo]").tap()
        phone.wait_for_function("left => table.turn.steps.length === left", arg=left)
    phone.touchscreen.tap(*spot(phone, 13))
    assert steps(phone) == [[13, 10]]
    phone.touchscreen.tap(*spot(phone, 24))
    phone.locator("[data-act=confirm]").tap()
    phone.wait_for_function("() => intents.some(each => each.type === 'move')")
    assert intents(phone, "move")[0]["steps"] == [[13, 10], [24, 23]]
