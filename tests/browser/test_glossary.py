"""The glossary by keyboard: typing filters, arrows walk, Enter opens, Escape shows all again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults


@pytest.mark.long
def test_a_term_is_found_without_a_mouse(site: str, page: Page) -> None:
    page.goto(f"{site}/help/glossary/")
    terms = page.locator("[data-term]:visible")
    every = terms.count()
    assert faults(page) == []
    # The skip link, the way back to help, the field.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("searchbox", name="Find a term")).to_be_focused()

    page.keyboard.type("prime")
    expect(terms).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="Prime", exact=True)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox", name="Find a term")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site}/help/glossary/#prime")

    page.keyboard.press("Escape")
    expect(terms).to_have_count(every)
    page.keyboard.type("zzz")
    expect(page.get_by_role("status").filter(has_text="No term matches.")).to_be_visible()
    expect(terms).to_have_count(0)
