"""The table's looks: themes under axe, space and sizes in both orientations, and the user's preferences."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from engine.board import Board
from tests.browser import tables
from tests.browser.eyes import faults
from tests.browser.tables import drag, lay, spot, state, steps, tap

HIT = Board.parse("white 24:1 23:1 13:4 8:4 6:5 black 24:1 13:6 8:3 6:4 bar:1")
BAR = Board.parse("white bar:2 13:3 8:3 6:5 4:2 black bar:3 13:5 8:3 6:4")
STACKS = Board.parse("white 13:9 6:6 black 13:8 6:7")
RACE = Board.parse("white 6:2 5:3 3:2 2:1 off:7 black 5:2 4:2 2:3 off:8")
THEMES = ("club", "sea", "night", "flat", "clear")


@pytest.mark.parametrize(
    "theme", [THEMES[0], *(pytest.param(each, marks=pytest.mark.long) for each in THEMES[1:])]
)
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
        assert box["height"] >= 44
        assert box["width"] >= 24
    for button in table.locator(".table-acts button:visible").all():
        box = button.bounding_box()
        assert box["height"] >= 44


@pytest.mark.parametrize("width", [375, 1280])
def test_stacks_carry_their_number(table: Page, width: int) -> None:
    table.set_viewport_size({"width": width, "height": 812})
    lay(table, state(STACKS, "66"))
    most = table.evaluate("table.scene.geometry.maxStack")
    written = {text for text in table.locator(".counts text").all_text_contents() if text}
    assert written == {str(number) for number in (9, 6, 8, 7) if number > most}
    assert most == (5 if width > 400 else 7)


@pytest.mark.parametrize(
    ("home", "direction"),
    [
        ("right", "counter-clockwise"),
        ("left", "clockwise"),
        *(
            pytest.param(*way, marks=pytest.mark.long)
            for way in (("right", "clockwise"), ("left", "counter-clockwise"))
        ),
    ],
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
    table.evaluate("table.preferencesDialog.open()")
    dialog = table.get_by_role("dialog", name="Your board")
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
