"""The exercises in help: each is failed first, with the rule, and then solved; on the board and in notation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine.formats.notation import parse_play
from help.positions import load_positions
from tests.browser.boards import place, spot, wish
from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap

PREFIX = "ex-"
EXERCISES = {
    name.removeprefix(PREFIX): each for name, each in load_positions().items() if name.startswith(PREFIX)
}


def answer(page: Page, name: str, play: str) -> None:
    field = page.locator(f"#{name}-play")
    field.fill(play)
    field.press("Enter")
    expect(page.locator(f"#{name}").get_by_role("status")).to_be_visible()
    expect(page.locator(f"#{name}-play")).to_have_value(play)


@pytest.mark.long
def test_each_exercise_is_failed_and_solved(site: str, page: Page) -> None:
    page.goto(f"{site}/help/exercises/")
    for name, position in EXERCISES.items():
        said = page.locator(f"#{name}").get_by_role("status")
        play, rule = next(iter(position.illegal.items()))
        answer(page, name, play)
        expect(said.get_by_role("link", name=rule)).to_have_attribute("href", f"/help/rules/#{rule}")
        expect(said).not_to_contain_text("Right")

        answer(page, name, position.legal[0])
        expect(said).to_contain_text("Right: this play is legal.")
        # The page shows the exercise that was tried, not its own beginning.
        expect(page.locator(f"#{name}")).to_be_in_viewport()


@pytest.mark.long
def test_an_answer_is_for_everybody_to_read(site: str, page: Page) -> None:
    name, position = next(iter(EXERCISES.items()))
    page.goto(f"{site}/help/exercises/")
    answer(page, name, next(iter(position.illegal)))
    assert faults(page) == []

    page.locator(f"#{name}").get_by_role("status").get_by_role("link").click()
    expect(page.locator(":target")).to_be_visible()


def come(page: Page, name: str) -> Locator:
    """Come to an exercise whose board is laid, and return its section."""
    page.goto("/help/exercises/")
    section = page.locator(f"#{name}")
    section.scroll_into_view_if_needed()
    expect(section.locator("[data-act=confirm]")).to_be_visible()
    section.locator(".tabletop").scroll_into_view_if_needed()
    return section


def drag(page: Page, section: Locator, source: int, target: int) -> None:
    start, end = spot(section, source), spot(section, target)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()


@pytest.mark.long
def test_a_mouse_answers_on_the_board(site: str, page: Page) -> None:
    wish(page, speed=0)
    page.set_viewport_size({"width": 1280, "height": 900})
    section = come(page, "both-dice")
    said = section.get_by_role("status")
    drag(page, section, 7, 2)
    expect(said.get_by_role("link", name="R19")).to_be_visible()
    expect(section.get_by_label("Your play in notation")).to_have_value("7/2")

    drag(page, section, 18, 7)
    section.locator("[data-act=confirm]").click()
    expect(said).to_contain_text("Right: this play is legal.")
    expect(said).to_be_in_viewport()
    expect(section.get_by_label("Your play in notation")).to_have_value("18/7")
    # Another play can be tried.
    expect(section.locator("[data-act=undo]")).to_be_enabled()
    assert overflow(page) <= 0
    assert faults(page) == []
    snap(page, "exercise-1280", full=False)


@pytest.mark.long
def test_each_exercise_is_solved_on_its_board(site: str, page: Page) -> None:
    wish(page, speed=0)
    for name, position in EXERCISES.items():
        section = come(page, name)
        for hop in parse_play(position.legal[0]):
            for _time in range(hop.times):
                drag(page, section, hop.points[0], hop.points[-1])
        section.locator("[data-act=confirm]").click()
        expect(section.get_by_role("status")).to_contain_text("Right: this play is legal.")


@pytest.mark.long
def test_a_thumb_answers_on_the_board_of_a_phone(site: str, browser: Browser) -> None:
    context = browser.new_context(base_url=site, **PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    wish(page, speed=0)
    section = come(page, "larger-die")
    said = section.get_by_role("status")
    page.touchscreen.tap(*spot(section, 16))
    section.locator("[data-act=confirm]").tap()
    expect(said).to_contain_text("Right: this play is legal.")
    expect(said).to_be_in_viewport()
    assert overflow(page) <= 0
    snap(page, "exercise-375", full=False)
    # A checker that cannot move is tapped: the rule says why.
    section = come(page, "bar-first")
    page.touchscreen.tap(*spot(section, 13))
    expect(section.get_by_role("status").get_by_role("link", name="R26")).to_be_visible()
    assert faults(page) == []
    context.close()


@pytest.mark.long
def test_keys_answer_on_the_board_they_are_pressed_at_and_on_no_other(site: str, page: Page) -> None:
    wish(page, speed=0)
    page.set_viewport_size({"width": 1280, "height": 1600})
    section = come(page, "both-dice")
    other = page.locator("#larger-die")
    expect(other.locator("[data-act=confirm]")).to_be_visible()
    place(section, 18).focus()
    page.keyboard.press("Space")
    expect(section.locator("[data-act=undo]")).to_be_enabled()
    place(other, 16).focus()
    page.keyboard.press("Space")
    expect(other.locator("[data-act=confirm]")).to_be_enabled()
    page.keyboard.press("u")
    expect(other.locator("[data-act=undo]")).to_be_disabled()
    expect(section.locator("[data-act=undo]")).to_be_enabled()

    place(section, 13).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(section.get_by_role("status")).to_contain_text("Right: this play is legal.")
    expect(other.get_by_role("status")).to_be_empty()


def test_without_a_script_an_exercise_is_answered_in_notation(site: str, browser: Browser) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/help/exercises/")
    section = page.locator("#both-dice")
    expect(section.get_by_role("img")).to_be_visible()
    expect(section.get_by_text("on the board")).to_be_hidden()
    section.get_by_label("Your play in notation").fill("18/7")
    section.get_by_role("button", name="Check").click()
    expect(section.get_by_role("status")).to_contain_text("Right: this play is legal.")
    expect(section.get_by_label("Your play in notation")).to_have_value("18/7")
    snap(page, "exercise-no-script", full=False)
    context.close()
