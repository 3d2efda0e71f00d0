"""How the site looks: readable in every theme, usable by key and finger, whole without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from players.models.clubs import Felt
from tests.browser.eyes import faults
from tests.runtime.support import until

STYLES = Path(__file__).parents[2] / "static" / "css"
FELTS = STYLES / "tokens-felt.css"
TOKENS = (STYLES / "tokens.css", STYLES / "tokens-checkers.css")
GROUNDS = ("--plain", "--ground", "--surface", "--raised", "--sunk")
TEXTS = ("--ink", "--ink-2", "--ink-3", "--baize-text", "--walnut", "--win", "--loss", "--warn", "--live")
# Colours of text on checkers, from the lightest checkers to the darkest.
SIDES = ("ivory", "ebony", "first", "second", "third")
ON_FILL = (
    ("--baize-ink", "--baize"),
    ("--baize-ink", "--baize-deep"),
    ("--baize-text", "--baize-soft"),
    ("--gold-ink", "--gold-soft"),
    ("--loss", "--loss-soft"),
    ("--live", "--live-soft"),
    ("--loss-ink", "--loss-fill"),
    ("--ground", "--ink"),
    *product(("--ink", "--ink-2"), ("--baize-soft", "--gold-soft", "--loss-soft")),
    *product(
        ("--on-felt", "--on-felt-2", "--felt-live", "--brass-1"),
        ("--felt-1", "--felt-2", "--felt-3"),
    ),
    *product(("--on-brass",), ("--brass-1", "--brass-2")),
    *((f"--on-{side}", f"--{side}-{step}") for side in SIDES for step in (1, 2, 3)),
)
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _blocks() -> list[tuple[str, dict[str, str]]]:
    css = re.sub(r"/\*.*?\*/", "", "".join(one.read_text() for one in TOKENS), flags=re.DOTALL)
    return [
        (selector.strip(), dict(re.findall(r"(--[\w-]+):\s*([^;]+);", body)))
        for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css)
    ]


def _themes() -> dict[str, dict[str, str]]:
    blocks = _blocks()
    light: dict[str, str] = {}
    for selector, names in blocks:
        if selector.startswith(":root"):
            light = names | light
    dark = next(names for selector, names in blocks if selector == '[data-theme="dark"]')
    high = next(names for selector, names in blocks if selector == '[data-contrast="high"]')
    return {
        "light": light,
        "dark": light | dark,
        "light, high contrast": light | high,
        "dark, high contrast": light | dark | high,
    }


def _colour(theme: dict[str, str], name: str) -> str:
    value = theme[name]
    while value.startswith("var("):
        value = theme[value[4:-1]]
    return value


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(theme: dict[str, str], one: str, other: str) -> float:
    high, low = sorted((_luminance(_colour(theme, one)), _luminance(_colour(theme, other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", _themes())
def test_every_text_can_be_read_on_every_ground(name: str) -> None:
    theme = _themes()[name]
    texts = {pair: _contrast(theme, *pair) for pair in (*product(TEXTS, GROUNDS), *ON_FILL)}
    lines = {
        pair: _contrast(theme, *pair)
        for pair in (
            *product(("--field-line", "--focus", "--gold"), GROUNDS),
            # Points that are done or being played, and the ring of what is chosen, on felt.
            *product(("--ivory-3", "--felt-dot", "--on-felt"), ("--felt-2", "--felt-3")),
        )
    }
    assert {pair: value for pair, value in texts.items() if value < 4.5} == {}
    assert {pair: value for pair, value in lines.items() if value < 3} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_on_every_felt_that_a_club_may_choose(theme: str) -> None:
    found = {
        selector.strip(): dict(re.findall(r"(--[\w-]+):\s*([^;]+);", body))
        for selector, body in re.findall(r"(\.felt-\w+) \{([^{}]*)\}", FELTS.read_text())
    }
    # Green is what all pages wear.
    assert {f".felt-{each.value}" for each in Felt} == {".felt-green", *found}
    for selector, names in found.items():
        worn = _themes()[theme] | names
        poor = {
            pair: value
            for pair in product(
                ("--on-felt", "--on-felt-2", "--felt-live", "--brass-1"), ("--felt-1", "--felt-2", "--felt-3")
            )
            if (value := _contrast(worn, *pair)) < 4.5
        }
        assert poor == {}, selector
        for pair in product(("--ivory-3", "--felt-dot", "--on-felt"), ("--felt-2", "--felt-3")):
            assert _contrast(worn, *pair) >= 3, (selector, pair)


def test_the_device_is_given_the_same_dark_and_the_same_contrast_as_the_buttons() -> None:
    blocks = dict(_blocks())
    by_query = {
        selector: names
        for selector, names in _blocks()
        if selector in {'[data-theme="auto"]', "[data-theme]"}
    }
    assert by_query['[data-theme="auto"]'] == blocks['[data-theme="dark"]']
    assert by_query["[data-theme]"] == blocks['[data-contrast="high"]']


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1280, "light"), (375, "dark")],
)
@pytest.mark.parametrize(
    "path",
    ["/styleguide/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nowhere/"],
)
def test_pages_keep_to_wcag(site: str, page: Page, path: str, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 812})
    page.goto(site + path)
    assert faults(page, WCAG) == []
    assert page.evaluate(OVERFLOW) == 0


def test_nothing_is_cut_off_at_four_hundred_per_cent(site: str, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto(f"{site}/styleguide/")
    assert page.evaluate(OVERFLOW) == 0
    # There is no room for a second bar: the links stand in the header and scroll away with it.
    assert page.locator(".site-nav").evaluate("nav => getComputedStyle(nav).position") == "static"


def test_a_thumb_finds_the_links_at_the_foot(site: str, page: Page) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{site}/styleguide/")
    for link in page.locator(".site-nav a, .site-head__account").all():
        box = link.bounding_box()
        assert box["y"] > 700
        assert box["height"] >= 44
        assert box["width"] >= 44


def test_the_skip_link_leads_past_the_header(site: str, page: Page) -> None:
    page.goto(f"{site}/styleguide/")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_escape_closes_a_menu_and_gives_the_focus_back(site: str, page: Page) -> None:
    page.goto(f"{site}/styleguide/")
    menu = page.locator("main details.menu").first
    menu.locator("summary").click()
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_text("Bristol Backgammon")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(page.locator(":focus")).to_have_text("More")


def test_a_dialog_opens_and_gives_the_focus_back(site: str, page: Page) -> None:
    page.goto(f"{site}/styleguide/")
    page.get_by_role("button", name="Open a dialog").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(":focus")).to_have_text("Open a dialog")


def test_a_message_can_be_read_in_peace_and_closed(site: str, page: Page) -> None:
    page.goto(f"{site}/styleguide/?toast")
    toast = page.locator("#toasts .toast")
    expect(toast).to_contain_text("checked in")
    toast.get_by_role("button", name="Close").click()
    toast.wait_for(state="detached")


def test_the_theme_changes_at_once_and_is_remembered(site: str, page: Page) -> None:
    page.goto(f"{site}/styleguide/")
    page.get_by_role("button", name="Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    # The browser's own word for "saved".
    until(lambda: any(cookie.get("name") == "theme" for cookie in page.context.cookies()))
    page.goto(f"{site}/accounts/login/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_a_script_menus_open_and_the_theme_is_kept(site: str, another: Callable[..., Page]) -> None:
    page = another(java_script_enabled=False)
    page.goto(f"{site}/styleguide/")
    page.locator("main details.menu summary").first.click()
    expect(page.get_by_role("link", name="Start a club").first).to_be_visible()
    page.get_by_role("button", name="Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
