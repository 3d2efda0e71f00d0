"""On paper: black on white, and none of what is there to be pressed."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.test_pages import sign_in
from tests.tournaments.event_desk import Desk, a_plan

# The lightness of every visible word, and the darkness of its background.
WORDS = """() => {
  const light = (said) => {
    const [r, g, b, a = 1] = (said.match(/[\\d.]+/g) ?? [0, 0, 0]).map(Number);
    return a === 0 ? null : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  };
  const wrong = [];
  for (const each of document.querySelectorAll("body *")) {
    const words = [...each.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join("");
    if (!words || !each.checkVisibility({ visibilityProperty: true }) || each.closest(".visually-hidden")) continue;
    const style = getComputedStyle(each);
    const ink = light(each.closest("svg") ? style.fill : style.color);
    if (ink !== null && ink > 0.45) wrong.push(`pale: ${words.slice(0, 30)}`);
    for (let ground = each; ground; ground = ground.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(ground);
      const shade = light(backgroundColor);
      if ((shade !== null && shade < 0.9) || backgroundImage.includes("gradient"))
        wrong.push(`on ${ground.className}: ${words.slice(0, 30)}`);
    }
  }
  return [...new Set(wrong)];
}"""


@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("form", "tab"),
    [
        ("single-elimination", ""),
        ("single-elimination", "bracket/"),
        ("swiss", "bracket/"),
        ("swiss", "standings/"),
        ("swiss", "players/"),
        ("swiss", "schedule/"),
        ("swiss", "draw/"),
    ],
)
def test_an_event_on_paper_is_black_on_white(
    desk: Desk, site: str, page: Page, context: BrowserContext, form: str, tab: str, theme: str
) -> None:
    if tab == "draw/":
        sign_in(context, site, desk.director)
    desk.start(a_plan(form), 8)
    desk.play(desk.open()[0].key)
    page.emulate_media(media="print", color_scheme=theme)  # type: ignore[arg-type]
    page.goto(f"{site}/events/{desk.event.key}/{tab}")
    expect(page.get_by_role("main")).to_contain_text("Guest 1")
    assert page.evaluate(WORDS) == []
    for furniture in (".site-head", ".site-foot", ".tabs", "main .button"):
        assert not any(one.is_visible() for one in page.locator(furniture).all()), furniture
