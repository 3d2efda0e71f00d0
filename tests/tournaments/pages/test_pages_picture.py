"""Pictures of brackets: nothing overlaps, every way leads somewhere, and what is drawn is well-formed."""

from __future__ import annotations

import itertools
from itertools import combinations
from xml.etree import ElementTree

import pytest

from draw.drawing import layout, rows, svg
from draw.drawing.layout import Block, Box, BoxRow, Column, lay_out_blocks
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view
from tournaments.models import PairingState
from tournaments.pages import bracket_display, timetable

SHEETS = [
    ("single-elimination", 2, {}),
    ("single-elimination", 13, {"third_place": True}),
    ("progressive-consolation", 11, {}),
    ("last-chance", 16, {}),
    ("last-chance", 32, {}),
    ("double-elimination", 12, {}),
    ("first-match-losers", 9, {}),
    ("feed-in", 20, {}),
]


def height(placed: layout.PlacedBox) -> int:
    return layout.ROOMY.height_of(placed.box)


def overlap(one: layout.PlacedBox, other: layout.PlacedBox) -> bool:
    return (
        abs(one.x - other.x) < layout.ROOMY.width
        and one.y < other.y + height(other)
        and other.y < one.y + height(one)
    )


@pytest.mark.parametrize(("form", "players", "options"), SHEETS)
def test_every_place_has_its_box_and_no_two_overlap(
    desk: Desk, form: str, players: int, options: dict[str, object]
) -> None:
    desk.start(a_plan(form, **options), players)
    shown = event_view.load_view(desk.event)
    part = shown.parts[0]

    made = lay_out_blocks(tuple(bracket_display.build_blocks(shown, part, "", timetable.UNKNOWN)))

    there = {play.key for play in part.plays if play.state != PairingState.VACANT}
    assert {placed.box.key for placed in made.boxes} == there
    assert not [(a.box.key, b.box.key) for a, b in combinations(made.boxes, 2) if overlap(a, b)]
    for placed in made.boxes:
        assert placed.x >= 0
        assert placed.y >= 0
        assert placed.x + layout.ROOMY.width <= made.width
        assert placed.y + height(placed) <= made.height
    # Every way goes onwards, from the edge of one box to that of another.
    rights = {(placed.x + layout.ROOMY.width, placed.y + height(placed) / 2) for placed in made.boxes}
    lefts = {(placed.x, placed.y + height(placed) / 2) for placed in made.boxes}
    for line in made.lines:
        assert line.x2 > line.x1
        assert (line.x1, line.y1) in rights
        assert (line.x2, line.y2) in lefts


def test_sixty_four_players_stand_in_two_screens_with_the_final_in_view(desk: Desk) -> None:
    desk.start(a_plan("last-chance"), 64)
    shown = event_view.load_view(desk.event)

    drawn = ElementTree.fromstring(bracket_display.draw_brackets(shown, shown.parts[0], "main"))

    assert float(drawn.attrib["width"]) <= 1216, "what a window of 1280 has between its gutters"
    assert float(drawn.attrib["height"]) <= 1350
    made = lay_out_blocks(
        tuple(bracket_display.build_blocks(shown, shown.parts[0], "main", timetable.UNKNOWN)), layout.DENSE
    )
    tops = sorted((placed.x, placed.y) for placed in made.boxes)
    apart = [low[1] - high[1] for high, low in itertools.pairwise(tops) if high[0] == low[0]]
    assert min(apart) >= layout.DENSE.height


def test_the_match_for_third_place_stands_under_the_final(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", third_place=True), 16)
    shown = event_view.load_view(desk.event)

    made = lay_out_blocks(tuple(bracket_display.build_blocks(shown, shown.parts[0], "", timetable.UNKNOWN)))

    at = {placed.box.key: placed for placed in made.boxes}
    assert at["third-place/1.1"].x == at["main/4.1"].x
    assert at["third-place/1.1"].y > at["main/4.1"].y
    # It adds nothing to the height of the picture.
    assert made.height == max(placed.y + height(placed) for placed in made.boxes) + layout.EDGE


def test_what_is_drawn_is_well_formed_whatever_people_are_called(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 5)
    player = desk.player(1)
    player.name = "<script>alert('&')</script> \"Bob\" O'Hara"
    player.save(update_fields=["name"])
    shown = event_view.load_view(desk.event)

    drawn = bracket_display.draw_brackets(shown, shown.parts[0])

    assert "<script" not in drawn
    ElementTree.fromstring(drawn)
    assert "&lt;script&gt;" in drawn


def test_the_way_of_one_player_is_lit_in_all_brackets_and_nobody_elses(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 8)
    row = desk.row("main/1.1")
    desk.play("main/1.1", row.a.number)
    shown = event_view.load_view(desk.event)
    drawn = bracket_display.draw_brackets(shown, shown.parts[0])

    lit = svg.highlight_player(drawn, row.b.number)

    marks = [part.partition(" ")[0] for part in lit.split(" data-f")[:-1]]
    assert len(marks) == 2, "his first match, and his place in the consolation"
    assert lit.count(f'data-n="{row.b.number}" data-f') == 2
    assert svg.highlight_player(drawn, row.a.number).count(" data-f") == 3, (
        "two rows, and the way between them"
    )


def test_a_live_match_has_its_score_and_a_dot() -> None:
    box = Box("main/1.1", BoxRow("Ann", 1, score="3"), BoxRow("Bo", 2, score="2"), "live")
    drawn = svg.render_svg(
        lay_out_blocks([Block("main", "Main draw", (Column("Final", "to 7 points", (box,)),))]), "Bracket"
    )

    root = ElementTree.fromstring(drawn)
    assert len(root.findall(".//circle")) == 1
    assert [each.text for each in root.iter("text") if each.get("class") == "s"] == ["3", "2"]


@pytest.mark.parametrize(
    "name",
    [
        "Ada Okafor",
        "Bartholomew Featherstonehaugh-Cholmondeley",
        "Donaudampfschifffahrtsgesellschaftskapitän",
        "王小明",
        "W" * 80,
    ],
)
@pytest.mark.parametrize("size", [5.0, 8.0, 11.26])
def test_a_name_is_cut_to_what_fits(name: str, size: float) -> None:
    shown = svg.fit_name(name, size)

    assert shown
    assert svg.measure_width(shown) <= size
    assert shown == name or svg.measure_width(name) > size


def test_a_row_of_a_match_being_played_says_its_table_too() -> None:
    words = rows.RowLabels(live="live", bye="bye", against="v", watch="watch", games="games")
    one, other = BoxRow("Ada", number=1), BoxRow("Bo", number=2)
    shown = rows.render_row(rows.Row(one, other, "live", "T4", "Final", "/board/"), words)
    assert '<span class="badge">T4</span><span class="badge badge--live">' in shown


@pytest.mark.parametrize(
    ("word", "dash"), [("void", ">void<"), ("d.f.", ">d.f.<"), ("3", ' aria-hidden="true">\u2013<')]
)
def test_a_row_has_one_word_for_how_a_match_ended_for_both(word: str, dash: str) -> None:
    words = rows.RowLabels(live="live", bye="bye", against="v", watch="watch", games="games")
    one, other = BoxRow("Ada", score=word, number=1), BoxRow("Bo", score=word, number=2)
    shown = rows.render_row(rows.Row(one, other, "decided", "", "", ""), words)
    assert f'<span class="match__dash"{dash}/span>' in shown
    assert ("match--one-word" in shown) == (word != "3")
