"""The table's logic, without hands: the graph of a turn, notation and places, compared with the engine's."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.board import STANDARD, Board
from engine.clock import Clock, DelayMethod, TimeControl
from engine.dice import Dice
from engine.layout import Layout
from engine.plays import legal_plays
from engine.side import Side
from engine.situation import Situation
from engine.svg import svg_board
from engine.turns import build_turn_tree
from matches.state import clock_words
from tests.browser import tables
from tests.browser.tables import lay, state, steps

BAR = Board.parse("white bar:2 13:3 8:3 6:5 4:2 black bar:3 13:5 8:3 6:4")


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


WALK = """async cases => {
  const { Turn } = await import("/static/js/board/turn.js");
  const { formatPosition, hitsBlot, moveChecker, parsePosition } = await import("/static/js/board/position.js");
  const { formatPlay, formatSteps, parsePlay } = await import("/static/js/board/play_texts.js");
  const hitsOf = (position, side, steps) => {
    let now = position;
    return steps.flatMap(([source, target]) => {
      const isHit = hitsBlot(now, side, target);
      now = moveChecker(now, side, source, target);
      return isHit ? [target] : [];
    });
  };
  const faults = [];
  const ends = [];
  for (const { board, side, dice, nodes, plays } of cases) {
    const position = parsePosition(board);
    const turn = new Turn({ position, side, dice, nodes });
    const found = new Set();
    const seen = new Set();
    const walk = () => {
      const place = `${turn.nodePath.at(-1)} ${formatPosition(turn.position)}`;
      if (seen.has(place)) return;
      seen.add(place);
      if (turn.isComplete) found.add(formatPosition(turn.position));
      for (const edge of turn.edges) {
        const before = formatPosition(turn.position);
        turn.applyEdge(edge);
        const back = turn.findOrigins(edge[1]);
        if (![...back.keys()].includes(edge[0])) faults.push(`${board} ${dice}: the last step cannot be taken back`);
        walk();
        turn.undo();
        if (formatPosition(turn.position) !== before) faults.push(`${board} ${dice}: undo`);
      }
    };
    walk();
    if (formatPosition(turn.start) !== board) faults.push(`${board}: read and written otherwise`);
    for (const play of plays) {
      if (formatPlay(position, side, play.steps) !== play.notation) faults.push(`${play.notation}: spelled otherwise`);
      const marked = hitsOf(position, side, play.steps);
      if (formatSteps([...play.steps].reverse(), marked) !== play.notation) faults.push(`${play.notation}: not by its order`);
      if (play.steps.length === 0) continue;
      if (!turn.replay(parsePlay(play.notation))) faults.push(`${board} ${dice}: ${play.notation} cannot be typed`);
      else if (formatPosition(turn.position) !== play.board) faults.push(`${play.notation}: leads elsewhere`);
      // Each step, wherever it was made, comes back alone, or not at all.
      const whole = turn.steps;
      for (const [index, [source, target]] of whole.entries()) {
        turn.replay(whole);
        if (turn.findPathWithout(index) === null) continue;
        const before = turn.made.length;
        if (!turn.undoStep(target, source) || turn.made.length !== before - 1) faults.push(`${play.notation}: take back`);
      }
      turn.undoAll();
    }
    for (const point of turn.findMakeablePoints()) {
      const had = position[side][point];
      if (turn.makePoint(point) !== 2 || turn.position[side][point] !== had + 2) faults.push(`${board}: make ${point}`);
      turn.undoAll();
    }
    if (turn.canBearOff()) {
      turn.bearOff();
      ends.push({ board, off: turn.position[side][0] - position[side][0] });
      turn.undoAll();
    }
    if (turn.made.length || formatPosition(turn.position) !== board) faults.push(`${board}: clear`);
    ends.push({ board, dice: String(dice), found: [...found].sort() });
  }
  return { faults, ends };
}"""


def a_case(board: Board, side: Side, dice: Dice) -> dict[str, Any]:
    return {
        "board": board.text(),
        "side": side.word,
        "dice": [dice.high, dice.low],
        "nodes": build_turn_tree(board, side, dice).to_json(),
        "plays": [
            {"steps": [[*step] for step in play.steps], "notation": play.notation, "board": play.board.text()}
            for play in legal_plays(board, side, dice)
        ],
    }


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3))])
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
        cases.append((Board.from_counts(sides[0], sides[1]), chance.choice(list(Side)), dice))
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
        const { x, y } = geometry.checkerSpot(side, point, index);
        spots[`${side} ${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`] = true;
      }
    const labels = Array.from({ length: 24 }, (_, index) => [geometry.pointX(index + 1), geometry.pointNumber(index + 1)]);
    return { spots: Object.keys(spots).sort(), labels, dice: geometry.diceSpots("white", 2), width: geometry.width,
             height: geometry.height, under: Array.from({ length: 24 }, (_, index) => {
               const { x, base, tip } = geometry.triangle(index + 1);
               return geometry.placeAt(x, (base * 3 + tip) / 4) === index + 1; }).every(Boolean) };
  });
}"""


def test_the_table_and_the_still_picture_agree_point_for_point(table: Page) -> None:
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


CLOCKS = """async (times) => {
  const { formatDuration, formatFreeTime } = await import("/static/js/board/clock.js");
  const { createTranslator } = await import("/static/js/board/texts.js");
  const translate = createTranslator();
  return times.map((time) => [formatDuration(time, translate), formatFreeTime(time, translate)]);
}"""


def test_the_page_spells_times_as_the_server_does(table: Page) -> None:
    times = [10_000, 11_001, 59_999, 60_000, 3_599_001, 7_199_001, 7_200_000, 7_259_999, 76_166_000]
    times += [hours * 3_600_000 + rest for hours in range(1, 280, 3) for rest in (0, 1, 1_799_999)]
    shown = table.evaluate(CLOCKS, times)

    assert [reserve for reserve, _ in shown] == [clock_words.format_clock(time) for time in times]
    free = {time: said for time, (_, said) in zip(times, shown, strict=True)}
    assert (free[10_000], free[59_999], free[60_000], free[76_166_000]) == ("10", "60", "1:00", "21:09 h")


def test_under_ten_seconds_tenths_are_shown(table: Page) -> None:
    shown = table.evaluate(CLOCKS, [9_999, 7_250, 1, 0])
    assert [reserve for reserve, _ in shown] == ["10.0", "7.3", "0.1", "0:00"]
    table.evaluate("document.documentElement.lang = 'de'")
    shown = table.evaluate(CLOCKS, [9_999, 7_250, 1, 0])
    assert [reserve for reserve, _ in shown] == ["10,0", "7,3", "0,1", "0:00"]


LEFT = """async ([clock, now]) => {
  const { computeTimeLeft } = await import("/static/js/board/clock.js");
  const { reserve, delay } = computeTimeLeft({ clock }, clock, "white", now);
  return [reserve, delay];
}"""


def test_excused_time_is_not_shown_as_free(table: Page) -> None:
    control = TimeControl(DelayMethod.SIMPLE, 60_000, 12_000)
    clock = Clock.set(control).start(Side.WHITE, at=0).excuse(30_000)
    for now in (0, 29_000, 35_000, 50_000):
        shown = table.evaluate(LEFT, [clock.to_json(), now])
        assert tuple(shown) == clock.left(Side.WHITE, at=now)
