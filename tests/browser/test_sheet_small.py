"""On a phone, the bar that records a game covers none of the inputs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from records.models import SheetAct
from tests.browser.eyes import faults
from tests.browser.people import overflow, snap
from tests.browser.test_sheet_at_the_table import keeping, names
from tests.records.sheets.test_table_clock import timed
from tests.tournaments.pages.test_pages_player import Two

pytestmark = pytest.mark.long

MINUTE = 60_000
# Of how many of the answers the middle is not what a finger would hit there.
COVERED = """() => {
  const hit = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    if (top + height > innerHeight) return false;
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return !each.contains(found) && !found?.contains(each);
  };
  return [...document.querySelectorAll(".pick, .sheet__form legend")].filter(hit).map((each) => each.textContent.trim());
}"""

# Which of the questions and answers that are seen have a part under the bar.
UNDER_THE_BAR = """() => {
  const bar = document.querySelector(".sheet__sum").getBoundingClientRect();
  const under = (each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top < bar.bottom && bottom > bar.top + 0.5;
  };
  const seen = (each) => getComputedStyle(each).visibility === "visible";
  return [...document.querySelectorAll(".pick, .sheet__form legend")]
    .filter((each) => seen(each) && under(each))
    .map((each) => each.textContent.trim());
}"""


@pytest.fixture
def two(two: Two) -> Two:
    """Two who play with a clock, and lose a point by their flag."""
    return timed(two, flag_points=1)


@pytest.mark.parametrize(
    ("width", "height", "theme"), [(375, 667, "light"), (375, 812, "dark"), (320, 568, "light")]
)
def test_a_fallen_flag_leaves_every_answer_free(
    site: str, another: Callable[..., Page], two: Two, width: int, height: int, theme: str
) -> None:
    a, _b = names(two)
    screen = {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    phone = keeping(another(**screen, color_scheme=theme), two, site, 0)
    phone.locator("[data-face=a] button").click()
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    act = SheetAct.objects.get()
    SheetAct.objects.filter(pk=act.pk).update(tap=act.tap | {"at": act.tap["at"] - 11 * MINUTE})
    phone.reload()
    expect(phone.locator("[data-flag]")).to_contain_text(f"{a} has run out of time.")
    snap(phone, f"flag-{width}x{height}-{theme}", full=False)

    assert phone.evaluate(COVERED) == []
    # The bar is there below, and writes as ever.
    phone.get_by_label(a, exact=True).check()
    phone.locator("[data-write]").click()
    expect(phone.locator('[data-points="a"]')).to_have_text("1")
    assert (overflow(phone), faults(phone)) == (0, [])


@pytest.mark.parametrize(
    ("width", "height", "theme"),
    [(375, 667, "light"), (375, 667, "dark"), (320, 568, "light"), (667, 375, "light")],
)
def test_a_running_clock_leaves_the_cubes_free(
    site: str, another: Callable[..., Page], two: Two, width: int, height: int, theme: str
) -> None:
    """After a game there are its line, the clock and its two buttons: the bar lies on no cube below them."""
    a, b = names(two)
    screen = {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    phone = keeping(another(**screen, color_scheme=theme), two, site, 0)
    assert phone.evaluate(UNDER_THE_BAR) == []
    phone.get_by_label(b, exact=True).check()
    phone.locator("[data-write]").click()
    expect(phone.locator('[data-points="b"]')).to_have_text("1")
    phone.locator("[data-face=a] button").click()
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    expect(phone.locator("[data-stop]")).to_be_visible()
    expect(phone.locator("[data-take-back]")).to_be_visible()
    snap(phone, f"cubes-{width}x{height}-{theme}", full=False)

    assert phone.evaluate(UNDER_THE_BAR) == []
    phone.get_by_label(a, exact=True).check()
    phone.get_by_label("2", exact=True).check()
    expect(phone.locator("[data-sum]")).not_to_be_empty()
    phone.locator("[data-write]").click()
    expect(phone.locator('[data-points="a"]')).to_have_text("2")
    assert (overflow(phone), faults(phone)) == (0, [])
