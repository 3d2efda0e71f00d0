"""The table by itself: its logic against the engine's, its hands, its keys, its words, its looks."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from engine.board import STANDARD, Board
from engine.dice import Dice
from engine.layout import Layout
from engine.plays import legal_plays
from engine.side import Side
from engine.situation import Situation
from engine.svg import svg_board
from engine.turns import ways_through
from matches.board_words import board_words
from tests.browser import tables
from tests.browser.eyes import faults
from tests.browser.tables import drag, graph, intents, lay, spot, state, steps, tap

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

HIT = Board.parse("white 24:1 23:1 13:4 8:4 6:5 black 24:1 13:6 8:3 6:4 bar:1")
BAR = Board.parse("white bar:2 13:3 8:3 6:5 4:2 black bar:3 13:5 8:3 6:4")
STACKS = Board.parse("white 13:9 6:6 black 13:8 6:7")
RACE = Board.parse("white 6:2 5:3 3:2 2:1 off:7 black 5:2 4:2 2:3 off:8")
THEMES = ("club", "sea", "night", "flat", "clear")


@pytest.fixture
def table(site: str, page: Page) -> Page:
    tables.serve(page, site)
    return page


def self_played(number: int, seed: int) -> list[tuple[Board, Side, Dice]]:
    """Positions of random games, with the roll that comes next."""
    chance = random.Random(seed)
    found: list[tuple[Board, Side, Dice]] = []
    board, side = STANDARD, Side.WHITE
    while len(found) < number:
        one, two = chance.randint(1, 6), chance.randint(1, 6)
        dice = Dice(max(one, two), min(one, two))
        found.append((board, side, dice))
        board, side = chance.choice(legal_plays(board, side, dice)).board, side.other
        if board.winner is not None:
            board, side = STANDARD, chance.choice([Side.WHITE, Side.BLACK])
    return found


# -- the logic, without a drawing

WALK = """async cases => {
  const { Turn } = await import("/static/js/board/turn.js");
  const { read, write } = await import("/static/js/board/position.js");
  const { notation, parsed } = await import("/static/js/board/say.js");
  const faults = [];
  const ends = [];
  for (const { board, side, dice, nodes, plays } of cases) {
    const position = read(board);
    const turn = new Turn({ position, side, dice, nodes });
    const found = new Set();
    const seen = new Set();
    const walk = () => {
      const place = `${turn.places.at(-1)} ${write(turn.position)}`;
      if (seen.has(place)) return;
      seen.add(place);
      if (turn.isComplete) found.add(write(turn.position));
      for (const way of turn.ways) {
        const before = write(turn.position);
        turn.make(way);
        const back = turn.returns(way[1]);
        if (![...back.keys()].includes(way[0])) faults.push(`${board} ${dice}: the last step cannot be taken back`);
        walk();
        turn.undo();
        if (write(turn.position) !== before) faults.push(`${board} ${dice}: undo`);
      }
    };
    walk();
    if (write(turn.start) !== board) faults.push(`${board}: read and written otherwise`);
    for (const play of plays) {
      if (notation(position, side, play.steps) !== play.notation) faults.push(`${play.notation}: spelled otherwise`);
      if (play.steps.length === 0) continue;
      if (!turn.replay(parsed(play.notation))) faults.push(`${board} ${dice}: ${play.notation} cannot be typed`);
      else if (write(turn.position) !== play.board) faults.push(`${play.notation}: leads elsewhere`);
      // Each step, wherever it was made, comes back alone, or not at all.
      const whole = turn.steps;
      for (const [index, [source, target]] of whole.entries()) {
        turn.replay(whole);
        if (turn.without(index) === null) continue;
        const before = turn.made.length;
        if (!turn.takeBack(target, source) || turn.made.length !== before - 1) faults.push(`${play.notation}: take back`);
      }
      turn.clear();
    }
    for (const point of turn.pointsToMake()) {
      const had = position[side][point];
      if (turn.makePoint(point) !== 2 || turn.position[side][point] !== had + 2) faults.push(`${board}: make ${point}`);
      turn.clear();
    }
    if (turn.canBearOff()) {
      turn.bearOff();
      ends.push({ board, off: turn.position[side][0] - position[side][0] });
      turn.clear();
    }
    if (turn.made.length || write(turn.position) !== board) faults.push(`${board}: clear`);
    ends.push({ board, dice: String(dice), found: [...found].sort() });
  }
  return { faults, ends };
}"""


def a_case(board: Board, side: Side, dice: Dice) -> dict[str, Any]:
    return {
        "board": board.text(),
        "side": side.word,
        "dice": [dice.high, dice.low],
        "nodes": ways_through(board, side, dice).to_json(),
        "plays": [
            {"steps": [[*step] for step in play.steps], "notation": play.notation, "board": play.board.text()}
            for play in legal_plays(board, side, dice)
        ],
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_way_through_the_graph_ends_where_the_engine_ends(table: Page, seed: int) -> None:
    positions = self_played(110, seed)
    answer = table.evaluate(WALK, [a_case(*each) for each in positions])
    assert answer["faults"] == []
    ends = [each["found"] for each in answer["ends"] if "found" in each]
    for (board, side, dice), found in zip(positions, ends, strict=True):
        assert found == sorted(play.board.text() for play in legal_plays(board, side, dice))


def test_bearing_off_in_one_takes_as_many_as_any_play(table: Page) -> None:
    chance = random.Random(4)
    cases = []
    for _ in range(120):
        sides = []
        for _side in range(2):
            points = [chance.randint(1, 6) for _ in range(chance.randint(1, 15))]
            sides.append({point: points.count(point) for point in set(points)})
        dice = Dice.parse(
            "".join(sorted(str(chance.randint(1, 6)) + str(chance.randint(1, 6)), reverse=True))
        )
        cases.append((Board.of(sides[0], sides[1]), chance.choice(list(Side)), dice))
    answer = table.evaluate(WALK, [a_case(*each) for each in cases])
    assert answer["faults"] == []
    most = [
        max(play.board.off(side) for play in legal_plays(board, side, dice)) - board.off(side)
        for board, side, dice in cases
    ]
    taken = {each["board"]: each["off"] for each in answer["ends"] if "off" in each}
    assert [taken.get(board.text(), 0) for board, _, _ in cases] == most


def test_nothing_is_borne_off_in_one_while_there_is_contact(table: Page) -> None:
    board = Board.parse("white 6:2 5:2 off:11 black 24:1 6:2 off:12")
    lay(table, state(board, "65"))
    assert table.evaluate("table.turn.canBearOff()") is False
    table.keyboard.press("b")
    assert steps(table) == []


PLACES = """async layouts => {
  const { Geometry } = await import("/static/js/board/geometry.js");
  return layouts.map(([below, homeLeft, numbers, shown]) => {
    const geometry = new Geometry({ below, homeLeft, numbers });
    const spots = {};
    for (const [side, point, number] of shown)
      for (let index = 0; index < Math.min(number, 5); index += 1) {
        const { x, y } = geometry.man(side, point, index);
        spots[`${side} ${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`] = true;
      }
    const labels = Array.from({ length: 24 }, (_, index) => [geometry.x(index + 1), geometry.label(index + 1)]);
    return { spots: Object.keys(spots).sort(), labels, dice: geometry.dice("white", 2), width: geometry.width,
             height: geometry.height, under: Array.from({ length: 24 }, (_, index) => {
               const { x, base, tip } = geometry.triangle(index + 1);
               return geometry.under(x, (base * 3 + tip) / 4) === index + 1; }).every(Boolean) };
  });
}"""


def test_the_table_and_the_still_picture_agree_point_for_point(table: Page) -> None:
    import re

    layouts = list(product(("white", "black"), (False, True), ("white", "black")))
    shown = [
        [side.word, point, BAR.count(side, point)]
        for side in Side
        for point in range(1, 26)
        if BAR.count(side, point)
    ]
    answers = table.evaluate(PLACES, [[*layout, shown] for layout in layouts])
    for (below, left, numbers), answer in zip(layouts, answers, strict=True):
        sides = tables.SIDES
        layout = Layout(sides[below], home_left=left, numbers=sides[numbers])
        drawn = svg_board(Situation(board=BAR, dice=Dice(4, 2)), layout)
        still = set()
        for name in ("white", "black"):
            group = re.search(rf'<g class="{name}".*?</g>', drawn)
            assert group is not None
            for x, y in re.findall(r'<use href="[^"]+" x="([\d.]+)" y="([\d.]+)"', group[0]):
                still.add((name, float(x), float(y)))
        ours = {(name, float(x), float(y)) for name, x, y in map(str.split, answer["spots"])}
        # The still picture rounds to four figures.
        for name, x, y in ours:
            assert any(
                other == name and abs(x - across) < 0.6 and abs(y - down) < 0.6
                for other, across, down in still
            ), (name, x, y)
        assert len(ours) == len(still)
        rulers = {(float(x), int(text)) for x, text in re.findall(r'"ruler" x="([\d.]+)"[^>]*>(\d+)<', drawn)}
        assert {(float(x), label) for x, label in answer["labels"]} == rulers
        assert f'viewBox="0 0 {answer["width"]} {answer["height"]}"' in drawn
        assert answer["under"] is True


# -- hands


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
    # Whichever was first comes back alone, and the source is lit while it is in the hand (R61, R62).
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
    x, y = table.evaluate("""() => { const box = table.scene.dice.lying[0].element.getBoundingClientRect();
                                     return [box.x + box.width / 2, box.y + box.height / 2]; }""")
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


def test_a_cube_is_offered_by_two_presses_on_it_and_by_one_on_its_button(table: Page) -> None:
    lay(table, state(dice=None))
    cube = table.get_by_role("button", name="Cube: double to 2")
    cube.click()
    assert intents(table, "double") == []
    cube.click()
    assert len(intents(table, "double")) == 1
    lay(table, state(dice=None))
    table.locator("[data-act=double]").click()
    assert len(intents(table, "double")) == 1


def test_an_offer_has_no_answer_by_default(table: Page) -> None:
    offered = {"value": 2, "owner": "black", "offered": 4}
    lay(table, state(dice=None, phase="doubled", turn="black", cube=offered))
    assert table.locator(".cube__value").text_content() == "4"
    for key in ("Enter", " ", "Escape", "r", "d"):
        table.keyboard.press(key)
    assert table.evaluate("intents") == []
    table.keyboard.press("t")
    assert [each["type"] for each in table.evaluate("intents")] == ["take"]


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
    assert table.evaluate("table.scene.men.isAt(table.position)") is True


def test_nothing_flies_for_those_who_want_it_calm(table: Page) -> None:
    table.emulate_media(reduced_motion="reduce")
    lay(table, state(dice="31"), prefs={"speed": 1})
    tap(table, 8)
    assert table.evaluate("table.scene.men.running.size") == 0
    table.emulate_media(reduced_motion="no-preference")
    tap(table, 6)
    assert table.evaluate("table.scene.men.running.size") == 1


def test_quick_hands_overtake_slow_checkers(table: Page) -> None:
    lay(table, state(dice="11"), prefs={"speed": 1})
    for _ in range(4):
        tap(table, 8, 2)
    for _ in range(3):
        table.keyboard.press("u")
    tap(table, 6)
    table.evaluate(tables.AT_REST)
    assert table.evaluate("table.scene.men.isAt(table.position)") is True
    assert table.locator(".man").count() == 30
    assert table.locator(".flying .man").count() == 0


def test_a_thumb_plays(site: str, another: Callable[..., Page]) -> None:
    phone = another(has_touch=True, viewport={"width": 375, "height": 812})
    tables.serve(phone, site)
    lay(phone, state(dice="31"))
    phone.touchscreen.tap(*spot(phone, 5, 0))
    assert sorted(steps(phone)) == [[6, 5], [8, 5]]
    phone.locator("[data-act=undo]").tap()
    phone.locator("[data-act=undo]").tap()
    phone.touchscreen.tap(*spot(phone, 13))
    assert steps(phone) == [[13, 10]]
    phone.touchscreen.tap(*spot(phone, 24))
    phone.locator("[data-act=confirm]").tap()
    assert intents(phone, "move")[0]["steps"] == [[13, 10], [24, 23]]


# -- keys and words


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
    assert table.evaluate("intents") == []
    table.evaluate("chat.remove(); table.prefs.set({keys: false})")
    table.keyboard.press("r")
    assert table.evaluate("intents") == []
    table.evaluate("table.prefs.set({keys: true})")
    table.keyboard.press("r")
    assert [each["type"] for each in table.evaluate("intents")] == ["roll"]


def test_the_last_play_and_the_pips_are_said_on_demand(table: Page) -> None:
    lay(table, state(dice=None))
    table.keyboard.press("o")
    assert table.evaluate("said.at(-1)") == "You: 167 pips. Yuki: 167 pips."
    table.keyboard.press("l")
    assert table.evaluate("said.at(-1)") == "Nothing has been played yet."
    table.keyboard.press("c")
    assert table.evaluate("intents.at(-1)") == {"type": "ask", "what": "clock"}
    table.keyboard.press("?")
    assert table.get_by_role("dialog").is_visible()


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
    assert table.evaluate("table.scene.men.isAt(table.position)") is True


def test_the_words_of_the_page_are_those_of_the_table(table: Page) -> None:
    english = table.evaluate('import("/static/js/board/words.js").then(module => module.ENGLISH)')
    # What is nothing but a play needs no words.
    assert board_words() == {key: text for key, text in english.items() if text != "{play}"}


# -- looks


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_any_theme(table: Page, theme: str) -> None:
    offered = {"value": 2, "owner": "black", "offered": 4}
    shown = [
        state(HIT, "64"),
        state(BAR, "42"),
        state(dice=None, phase="doubled", turn="black", cube=offered),
        state(dice=None),
    ]
    for page_theme, width in (("light", 375), ("dark", 1280)):
        table.set_viewport_size({"width": width, "height": 812})
        for each in shown:
            lay(table, each, prefs={"theme": theme}, theme=page_theme)
            assert faults(table) == []


@pytest.mark.parametrize("width", [375, 1280])
def test_the_room_is_kept_before_anything_is_drawn(site: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 812})
    tables.serve(page, site)
    box = "JSON.stringify(document.getElementById('board').getBoundingClientRect())"
    before = page.evaluate(box)
    lay(page, state(STACKS, "66"))
    assert page.evaluate(box) == before
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_thumb_finds_its_targets(table: Page) -> None:
    table.set_viewport_size({"width": 375, "height": 812})
    lay(table, state(RACE, "52"))
    for place in table.locator(".place:visible").all():
        box = place.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 24
    for button in table.locator(".table-acts button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


@pytest.mark.parametrize("width", [375, 1280])
def test_stacks_carry_their_number(table: Page, width: int) -> None:
    table.set_viewport_size({"width": width, "height": 812})
    lay(table, state(STACKS, "66"))
    most = table.evaluate("table.scene.geometry.most")
    written = {text for text in table.locator(".counts text").all_text_contents() if text}
    assert written == {str(number) for number in (9, 6, 8, 7) if number > most}
    assert most == (5 if width > 400 else 7)


@pytest.mark.parametrize(
    ("home", "direction"), [*product(("right", "left"), ("counter-clockwise", "clockwise"))]
)
def test_a_turn_can_be_played_whichever_way_the_board_lies(table: Page, home: str, direction: str) -> None:
    for me in ("white", "black"):
        shown = state(dice="31", turn=me, owing=[me])
        lay(table, shown, prefs={"home": home, "direction": direction}, me=me)
        # The own home lies on the wished hand; checkers come from the 24-point round to it the wished way.
        one, middle, last = (spot(table, point, 0) for point in (1, 13, 24))
        assert (one[0] > middle[0]) == (home == "right")
        turns = (one[1] > last[1]) == (home == "right")
        assert turns == (direction == "counter-clockwise")
        drag(table, 8, 5)
        tap(table, 6)
        assert steps(table) == [[8, 5], [6, 5]]


def test_preferences_are_kept_and_bad_ones_are_not(table: Page) -> None:
    lay(table, state())
    table.evaluate("table.prefs.set({theme: 'night', mine: 'dark', speed: 9})")
    assert table.locator("#board").get_attribute("data-board") == "night"
    kept = table.evaluate("JSON.parse(localStorage.getItem('barpoint.table'))")
    assert (kept["theme"], kept["mine"], kept["speed"]) == ("night", "dark", 2)
    assert table.evaluate("table.scene.tones") == {"white": "dark", "black": "light"}


def test_the_table_is_made_ones_own_in_a_dialog(table: Page) -> None:
    lay(table, state())
    table.evaluate("table.wishes.open()")
    dialog = table.get_by_role("dialog", name="Your table")
    dialog.get_by_label("Sea").check()
    dialog.get_by_label("On the left").check()
    dialog.get_by_label("Speed of moves").press("ArrowRight")
    dialog.get_by_label("Pip counts").uncheck()
    assert faults(table) == []
    dialog.get_by_role("button", name="Close").click()
    assert table.locator("#board").get_attribute("data-board") == "sea"
    assert table.evaluate("table.scene.geometry.homeLeft") is True
    assert table.evaluate("table.prefs.get('speed')") == 1
    assert set(table.locator(".pips text").all_text_contents()) == {""}
