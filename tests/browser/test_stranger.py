"""The stranger's page: light, still, and leading to what can be looked at and tried."""

from __future__ import annotations

import brotli
import pytest
from django.utils import timezone
from playwright.sync_api import Page, Response, expect

from tests.browser.eyes import faults
from tests.browser.people import account, club_of, overflow, snap
from tests.clubs import change_club
from tests.world import World

MOST_BYTES = 150_000
# Browsers call a tenth good.
MOST_SHIFT = 0.001
PACKED = (".woff2", ".png")
# With what moved, so that a failure says what it was.
WATCH = """window.shifts = [];
new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(each => ({
  value: each.value, moved: each.sources.map(({node}) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 200)),
})))).observe({type: "layout-shift", buffered: true});"""
SETTLED = "document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"


def visit(page: Page, path: str) -> None:
    """Go there and wait until nothing moves any more."""
    page.goto(path, wait_until="networkidle")
    page.evaluate(SETTLED)


def sent(response: Response) -> int:
    """Count how many bytes an answer is on the wire: style sheets, scripts and pictures in words are kept
    compressed."""
    body = response.body()
    return len(body if response.url.endswith(PACKED) else brotli.compress(body, quality=5))


@pytest.mark.parametrize("width", [375, 1280])
def test_it_is_light_and_nothing_moves(world: World, page: Page, width: int) -> None:
    answers: list[Response] = []
    page.on("response", lambda response: response.status == 200 and answers.append(response))
    page.add_init_script(WATCH)
    page.set_viewport_size({"width": width, "height": 812})
    visit(page, "/")

    shifts = page.evaluate("shifts")
    weight = {response.url: sent(response) for response in answers if "/live/" not in response.url}
    assert any(url.endswith(".css") for url in weight)
    assert sum(weight.values()) < MOST_BYTES, weight
    assert sum(each["value"] for each in shifts) < MOST_SHIFT, shifts


def test_letters_are_asked_for_before_the_style_sheets_name_them(world: World, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    page.route("**/*.css", lambda route: route.abort())
    visit(page, "/")

    assert {name.split(".")[0] for name in asked if name.endswith(".woff2")} == {"inter", "source-serif"}


@pytest.mark.parametrize(("width", "is_beside"), [(375, False), (768, False), (1280, True)])
def test_a_board_stands_beside_the_words_or_below_them(
    world: World, page: Page, width: int, is_beside: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 812})
    visit(page, "/")
    band, board, words = (
        page.locator(where).bounding_box() for where in (".front > .felt", ".front__board svg", ".hero__text")
    )
    assert band
    assert board
    assert words
    assert board["width"] > 0.8 * min(width / (2 if is_beside else 1), 600)
    if is_beside:
        assert board["x"] >= words["x"] + words["width"]
        assert band["y"] < board["y"] < board["y"] + board["height"] < band["y"] + band["height"]
    else:
        assert board["y"] >= band["y"] + band["height"]
        # On a phone it begins where it is seen without a move of the thumb.
        assert width > 375 or board["y"] < 812 / 2


@pytest.mark.parametrize("path", ["/", "/for/directors/", "/for/players/", "/for/federations/"])
def test_it_is_right_in_every_size_and_theme(world: World, page: Page, path: str) -> None:
    page.goto(path)
    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 812})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            # Colours change with the next frame, not with the call.
            page.evaluate(SETTLED)
            assert overflow(page) <= 0, (path, width)
            assert faults(page) == [], (path, width, theme)
            snap(page, f"stranger{path.replace('/', '-')}{width}-{theme}")


@pytest.mark.long
def test_it_leads_to_the_bot_to_a_club_and_to_what_it_is_for(world: World, page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "The whole club night, from first roll to last score."
    )
    for name in ("directors", "players", "federations"):
        page.goto("/")
        page.get_by_role("main").get_by_role("link", name=f"For {name}").click()
        expect(page.get_by_role("heading", name="What it costs, and how it is run")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("button", name="Play against the bot")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("link", name="Start a club").first).to_be_visible()
    expect(page.get_by_text("13/8 13/10", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="R12")).to_have_attribute("href", "/help/rules/#R12")


def test_what_runs_is_shown(world: World, page: Page) -> None:
    page.goto("/for/directors/")
    page.get_by_role("link", name="Running night").click()
    expect(page.get_by_role("heading", level=1, name="Running night")).to_be_visible()


def test_the_installation_of_one_club_leads_with_it(site: str, page: Page) -> None:
    owner = account("Ada Okafor")
    change_club(club_of(owner), by=owner, city="Bristol", now=timezone.now())
    page.goto("/")
    expect(page.get_by_role("heading", level=1, name="Bristol Backgammon")).to_be_visible()
    snap(page, "stranger-one-club")
    page.get_by_role("link", name="To the club").click()
    expect(page).to_have_url(f"{site}/clubs/bristol-backgammon/")


def test_an_empty_installation_leads_to_a_first_club(site: str, page: Page) -> None:
    page.goto("/")
    snap(page, "stranger-empty")
    page.get_by_role("link", name="Start your club").click()
    expect(page.get_by_label("Your name")).to_be_visible()
    assert "next=/welcome/club/" in page.url
