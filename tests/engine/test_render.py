"""Pictures of a board: every checker is in its place, from the view of either player."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

from engine.board import HYPERGAMMON, STANDARD, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.layout import Layout, compute_offered_value, describe_position
from engine.render import ascii_board
from engine.side import BLACK, WHITE, BySide, Side
from engine.situation import Offer, Resignation, Situation
from engine.svg import svg_board
from tests.engine.test_ids import random_board

CROWDED = Situation(
    Board.from_counts({25: 7, 6: 2, 5: 2}, {25: 1, 23: 2, 22: 3, 13: 9}),
    turn=BLACK,
    dice=Dice(5, 3),
    length=7,
    score=BySide(6, 2),
    crawford=True,
    players=BySide("Ann & Co", ""),
)
SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = [
    Layout(below, home_left, numbers)
    for below in Side
    for home_left in (False, True)
    for numbers in (None, WHITE, BLACK)
]


def test_a_crowded_board_in_letters():
    assert ascii_board(CROWDED).split("\n") == [
        " +13-14-15-16-17-18-+---+19-20-21-22-23-24-+",
        " | X                | 7 | O  O     X  X    |  O Ann & Co",
        " | X                | O | O  O     X  X    |  pips 197  off 4",
        " | X                | O |          X       |  score 6",
        " | X                | O |                  |",
        " | 9                | O |                  |",
        " |                  |BAR|                  |  7 point match  Crawford game",
        " |                  | X |                  |",
        " |                  |   |                  |",
        " |                  |   |                  |  score 2",
        " |                  |   |                  |  pips 254",
        " |                  |   |                  |  X black to play 53",
        " +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+",
    ]


def test_the_cube_lies_with_its_owner():
    held = ascii_board(Situation(cube=Cube(4, WHITE), turn=WHITE)).split("\n")
    assert held[8].endswith("cube [4]")
    assert "cube" not in ascii_board(STANDARD)
    offered = ascii_board(Situation(offer=Offer.DOUBLE, turn=WHITE)).split("\n")
    assert offered[1].endswith("X black to answer a double to 2")
    assert offered[6].endswith("offered [2]")


def read_letters(picture: str, layout: Layout) -> Board:
    """Read a picture back, by its columns and its letters alone."""
    rows = picture.split("\n")
    counts: dict[Side, dict[int, int]] = {WHITE: {}, BLACK: {}}
    for points, half in ((layout.upper, rows[1:6]), (layout.lower, rows[7:12])):
        for column, point in enumerate(points):
            start = 2 + 3 * column + (5 if column >= 6 else 0)
            told = [row[start : start + 3].strip() for row in half]
            letters = [word for word in told if word in ("O", "X")]
            if letters:
                side = WHITE if letters[0] == "O" else BLACK
                number = next((int(word) for word in told if word.isdigit()), len(letters))
                counts[side][point if side is layout.below else 25 - point] = number
    for side in Side:
        half = rows[7:12] if side is layout.below else rows[1:6]
        told = [row[21:24].strip() for row in half]
        letters = [word for word in told if word in ("O", "X")]
        counts[side][25] = next((int(word) for word in told if word.isdigit()), len(letters))
    return Board.from_counts(counts[WHITE], counts[BLACK])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_letters_say_the_board(layout):
    rng = random.Random(6)
    for board in (STANDARD, *(random_board(rng) for _ in range(40))):
        assert read_letters(ascii_board(board, layout), layout) == board


def test_numbers_of_either_side():
    top = ascii_board(STANDARD, Layout(WHITE, numbers=BLACK)).split("\n")[0]
    assert top == " +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+"
    assert Layout(BLACK, numbers=BLACK).label(3) == 3


def parsed(scene, layout=None):
    return ElementTree.fromstring(svg_board(scene, layout))


def of_class(root, name):
    return [each for each in root.iter() if name in each.get("class", "").split()]


def where(each):
    return float(each.get("x")), float(each.get("y")) < 380


def read_drawing(root, layout: Layout) -> Board:
    """Read a drawing back by where its labels, its checkers and its figures are."""
    labels = {where(text): int(text.text) for text in of_class(root, "ruler")}
    stacks = {}
    for side in Side:
        (group,) = (each for each in of_class(root, side.word) if each.tag == f"{SVG}g")
        for use in group:
            stacks[where(use)] = side, stacks.get(where(use), (side, 0))[1] + 1
    for text in of_class(root, "count"):
        if where(text) in stacks:  # the others count what is off
            stacks[where(text)] = stacks[where(text)][0], int(text.text)
    counts = {WHITE: {}, BLACK: {}}
    for place, (side, number) in stacks.items():
        numbers = layout.below if layout.numbers is None else layout.numbers
        label = labels.get(place)
        own = 25 if label is None else label if side is numbers else 25 - label
        assert label is not None or place[1] is (side is not layout.below)
        counts[side][own] = number
    return Board.from_counts(counts[WHITE], counts[BLACK])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_drawing_says_the_board(layout):
    rng = random.Random(7)
    for board in (STANDARD, *(random_board(rng) for _ in range(20))):
        assert read_drawing(parsed(board, layout), layout) == board


def test_a_drawing_stands_alone_and_speaks():
    text = svg_board(CROWDED, title="Game 3 <after the roll>")
    root = ElementTree.fromstring(text)
    title, words = root[0], root[1]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), words.get("id")]
    assert title.text == "Game 3 <after the roll>"
    assert words.text == (
        "Ann & Co: 7 on bar, 2 on 6, 2 on 5, 4 off; 197 pips. "
        "Black: 1 on bar, 2 on 23, 3 on 22, 9 on 13; 254 pips. Black to play 53."
    )
    outside = [
        value
        for each in root.iter()
        for value in each.attrib.values()
        if ("://" in value or "url(" in value) and not re.fullmatch(r"url\(#b[0-9a-f]{8}\w\)", value)
    ]
    assert outside == []
    assert len(text) < 9_000


def test_the_parts_inside_a_page_are_the_drawings_own():
    names = [
        {each.get("id") for each in parsed(scene).iter() if each.get("id")} for scene in (STANDARD, CROWDED)
    ]
    assert not names[0] & names[1]
    assert svg_board(CROWDED) == svg_board(CROWDED)


def test_dice_cube_and_turn():
    root = parsed(CROWDED)
    assert [each.get("class") for each in of_class(root, "die")] == ["die black", "die black"]
    assert [path.get("d").count("h0") for path in of_class(root, "spots")] == [5, 3]
    assert of_class(root, "value")[0].text == "Cr"
    assert float(of_class(root, "acts")[0].get("y")) > 380
    assert of_class(parsed(STANDARD), "cube") == of_class(parsed(STANDARD), "acts") == []

    def cube(situation):
        (face,) = of_class(parsed(situation, Layout(WHITE)), "value")
        return face.text, float(face.get("y")) - 380

    assert cube(Situation()) == ("64", 8)
    assert cube(Situation(cube=Cube(2, WHITE)))[1] > 50
    assert cube(Situation(cube=Cube(128, BLACK)))[1] < -50
    assert cube(Situation(offer=Offer.BEAVER)) == ("4", 8)


def test_what_is_said_of_a_situation():
    assert compute_offered_value(Situation()) == 0
    assert compute_offered_value(Situation(cube=Cube(2, WHITE), offer=Offer.RACCOON)) == 16
    assert describe_position(Situation(resignation=Resignation(WHITE, 1))).endswith(
        "Black to answer a resignation."
    )
    assert "Cube 2 with black." in describe_position(Situation(cube=Cube(2, BLACK)))
    assert describe_position(Situation(turn=BLACK)).endswith("Black to roll.")
    assert "12 off" in describe_position(Situation(Board.from_counts({1: 3}, {1: 14})))
    assert len(of_class(parsed(Situation(Board.from_counts({1: 3}, {1: 14}))), "off")) == 13
    assert ElementTree.fromstring(svg_board(HYPERGAMMON)) is not None
