"""Help's headings, the history and the articles: on a phone and on a desk, light and dark."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from help.files import ARTICLES
from tests.browser.eyes import faults
from tests.browser.people import in_turn, overflow, snap

ADDRESSES = (
    "/help/",
    "/help/exercises/",
    "/help/history/",
    "/help/articles/",
    *(f"/help/articles/{name}/" for name in ARTICLES),
)


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "theme"), in_turn([(375, 900), (1280, 900)]))
def test_help_fits_and_can_be_read(
    site: str, page: Page, width: int, height: int, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": height})
    for address in ADDRESSES:
        page.goto(site + address)
        assert overflow(page) <= 0, address
        assert faults(page) == [], address
        snap(page, f"{address.strip('/').replace('/', '-')}-{width}-{theme}")


def test_a_newcomer_finds_an_article_from_the_headings(site: str, page: Page) -> None:
    page.goto(f"{site}/help/")
    headings = page.get_by_role("region", name="The game")
    expect(headings.get_by_role("link")).to_have_count(7)
    headings.get_by_role("link", name="Articles").click()
    page.get_by_role("link", name="Opening moves").click()
    expect(page.get_by_role("heading", level=1, name="Opening moves")).to_be_visible()
    page.get_by_role("link", name="Articles").click()
    expect(page).to_have_url(f"{site}/help/articles/")
