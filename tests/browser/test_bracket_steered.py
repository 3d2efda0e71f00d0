"""A large bracket on a desk: its size, its map, where winner and loser go, by pointer and by keyboard, and as lists."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, listening, overflow, snap
from tests.browser.test_event_night import sixty_four

WEIGHTS = (
    "all => Object.fromEntries(all.map(one => [one.innerText.trim(), getComputedStyle(one).fontWeight]))"
)
# Heads of rounds that take more than one line.
LINES = "all => all.filter(one => one.clientHeight > 60).map(one => one.innerText)"
WIDTH = "svg => Math.round(svg.getBoundingClientRect().width)"


@pytest.mark.long
@pytest.mark.parametrize(("width", "shown"), [(375, "Lists"), (1280, "Picture")])
def test_the_links_above_a_bracket_say_what_is_shown(site: str, page: Page, width: int, shown: str) -> None:
    event = sixty_four(account("Ada Okafor"))
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{event.get_absolute_url()}bracket/")
    weights = page.locator(".sheet-tools nav > a").evaluate_all(WEIGHTS)
    assert weights == {name: "600" if name == shown else "500" for name in ("Picture", "Lists")}
    assert page.locator(".round > summary:visible").evaluate_all(LINES) == []


@pytest.mark.long
def test_a_bracket_is_zoomed_and_walked_through(site: str, page: Page) -> None:
    event = sixty_four(account("Ada Okafor"))
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{event.get_absolute_url()}bracket/?show=all")
    listening(page)
    picture, pane, tools = (
        page.locator(".sheet-svg"),
        page.locator(".sheet-pane"),
        page.locator("[data-zoom]"),
    )
    expect(page.locator(".sheet-map")).to_be_visible()
    whole = picture.evaluate(WIDTH)

    tools.get_by_role("button", name="Larger").click()
    expect(tools.locator("[value=whole]")).to_have_text("125 %")
    expect(page.locator(".sheet-held")).to_have_attribute("style", re.compile("^inline-size"))
    assert picture.evaluate(WIDTH) == pytest.approx(whole * 1.25, abs=2)
    tools.get_by_role("button", name="Fit").click()
    expect(tools.locator("[value=whole]")).not_to_have_text("125 %")
    assert picture.evaluate("svg => svg.getBoundingClientRect().height") <= 900
    assert overflow(page) <= 0
    snap(page, "bracket-steered-fit")
    page.keyboard.press("Tab")
    pane.focus()
    page.keyboard.press("1")
    expect(tools.locator("[value=whole]")).to_have_text("100 %")

    # The keyboard goes where the players go.
    # The picture has come to rest in its new size.
    expect(page.locator(".sheet-cloth")).not_to_have_attribute("style", re.compile("will-change"))
    pane.evaluate("pane => pane.scrollTo(0, 0)")
    page.keyboard.press("Enter")
    box, ways = page.locator(".sheet-svg .p:focus"), tools.locator(".sheet-tools__ways")
    expect(box).to_have_attribute("data-c", re.compile("^round 1, match "))
    page.keyboard.press("ArrowRight")
    expect(box).to_have_attribute("data-c", re.compile("^round 2, match "))
    page.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("data-c", re.compile("^round 2, match "))
    expect(ways).to_contain_text(
        re.compile(r"round 2, match \d+: the winner goes to round 3, match \d+, the loser goes to")
    )
    expect(page.locator(".leads > path.leads__w")).to_have_count(1)
    expect(page.locator(".leads > path.leads__l")).to_have_count(1)
    snap(page, "bracket-steered-ways")
    page.keyboard.press("l")
    expect(box).to_have_attribute("data-c", re.compile("^consolation "))
    page.keyboard.press("ArrowUp")
    expect(box).to_have_attribute("data-c", re.compile("^consolation "))
    page.keyboard.press("Escape")
    expect(pane).to_be_focused()
    assert faults(page) == []


@pytest.mark.long
def test_a_bracket_is_a_list_on_a_desk_and_a_picture_on_a_phone(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    event = sixty_four(account("Ada Okafor"))
    address = f"{event.get_absolute_url()}bracket/"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(address)
    page.locator(".sheet-tools").get_by_role("link", name="Lists").click()
    expect(page.locator(".sheet-lists")).to_be_visible()
    expect(page.locator(".sheet-svg")).to_have_count(0)
    assert faults(page) == []

    phone = another(**PHONE)
    phone.goto(address)
    phone.locator(".sheet-tools").get_by_role("link", name="Picture").tap()
    expect(phone.locator(".sheet-svg")).to_be_visible()
    expect(phone.locator("[data-zoom]")).to_be_visible()
    assert overflow(phone) <= 0
    assert faults(phone) == []
    snap(phone, "bracket-steered-phone")

    # Two fingers that part make it larger, and the page itself stays unchanged.
    picture = phone.locator(".sheet-svg")
    before = picture.evaluate(WIDTH)
    pinch(phone, phone.locator(".sheet-pane"), 40, 80)
    expect(phone.locator("[data-zoom] [value=whole]")).not_to_have_text("100 %")
    assert picture.evaluate(WIDTH) == pytest.approx(2 * before, rel=0.02)
    assert phone.evaluate("visualViewport.scale") == 1
    assert overflow(phone) <= 0


def pinch(page: Page, within: Locator, before: float, after: float) -> None:
    """Put two fingers down, so many pixels left and right of a point near the top, and part them to so many."""
    within.evaluate("pane => pane.scrollIntoView({ block: 'start', behavior: 'instant' })")
    box = within.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 200
    screen = page.context.new_cdp_session(page)
    for kind, far in (("touchStart", before), ("touchMove", (before + after) / 2), ("touchMove", after)):
        fingers = [{"x": x - far, "y": y, "id": 0}, {"x": x + far, "y": y, "id": 1}]
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
