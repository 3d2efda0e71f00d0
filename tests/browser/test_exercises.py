"""The exercises in help: each is failed first, with the rule, and then solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from help.selectors.positions import positions
from tests.browser.eyes import faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

PREFIX = "ex-"
EXERCISES = {name.removeprefix(PREFIX): each for name, each in positions().items() if name.startswith(PREFIX)}


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


def test_an_answer_is_for_everybody_to_read(site: str, page: Page) -> None:
    name, position = next(iter(EXERCISES.items()))
    page.goto(f"{site}/help/exercises/")
    answer(page, name, next(iter(position.illegal)))
    assert faults(page) == []

    page.locator(f"#{name}").get_by_role("status").get_by_role("link").click()
    expect(page.locator(":target")).to_be_visible()
