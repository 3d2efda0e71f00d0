"""The replay of a match by slider, keys, finger and automatically: every position agrees with the engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.formats import position_id, xgid
from engine.side import Side
from matches.journal import replays
from opinion.positions import positions
from tests.browser.eyes import faults
from tests.matches.support import Table

PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}
STATES = """async () => {
  const { Film } = await import("/static/js/replay/film.js");
  const { xgid, positionId } = await import("/static/js/replay/ids.js");
  const film = new Film(JSON.parse(document.getElementById("replay-data").textContent).film);
  return film.entries.map(({ key, state }) => [key, state.board, xgid(state, film.rules), positionId(state)]);
}"""
SHOWN = "document.getElementById('position-id').value"
# A finger from right to left goes on.
SWIPE = """([from, to]) => {
  const board = document.getElementById("table");
  const box = board.getBoundingClientRect();
  const at = (type, x) => board.dispatchEvent(new PointerEvent(type, {bubbles: true, isPrimary: true, pointerType: "touch",
    clientX: box.left + x, clientY: box.top + 100}));
  at("pointerdown", from);
  at("pointerup", to);
}"""


@pytest.fixture
def played(site: str) -> Table:
    """A match that is over, with cubes and more than one game."""
    table = Table(timezone.now() - timedelta(hours=1))
    table.play_out(pace=1)
    return table


def address(table: Table) -> str:
    return f"/matches/{table.match.key}/replay/"


def come(page: Page, where: str) -> None:
    """Open a replay, its board laid."""
    page.goto(where)
    expect(page.locator("#table .tabletop__ground")).to_be_attached()


def at(page: Page, key: str) -> None:
    """Wait until this entry is the one that is shown."""
    expect(page.locator("#sheet [aria-current]")).to_have_attribute("data-key", key)


def test_every_position_is_the_engines(page: Page, played: Table) -> None:
    come(page, address(played))
    wanted = [
        [
            entry.key,
            entry.situation.board.text(),
            xgid.encode(entry.situation),
            position_id.encode(entry.situation.board, entry.situation.turn),
        ]
        for entry in replays.load_replay(played.row).entries
    ]

    assert page.evaluate(STATES) == wanted


@pytest.mark.long
def test_slider_keys_links_and_list_lead_through_the_match(page: Page, played: Table) -> None:
    entries = replays.load_replay(played.row).entries
    keys = [entry.key for entry in entries]
    asked: list[str] = []
    come(page, address(played))
    page.wait_for_load_state("networkidle")
    # With each new address the browser looks for the page's picture, which it has.
    page.on("request", lambda request: request.url.endswith("/mark.svg") or asked.append(request.url))
    at(page, keys[0])

    page.keyboard.press("ArrowRight")
    at(page, keys[1])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    at(page, keys[1])
    page.keyboard.press("End")
    at(page, keys[-1])
    expect(page.get_by_role("button", name="Next position")).to_be_disabled()
    page.keyboard.press("Home")
    at(page, keys[0])
    page.get_by_role("slider").fill("5")
    at(page, keys[5])
    page.wait_for_function("key => location.hash === `#${key}`", arg=keys[5])
    assert page.evaluate("document.getElementById('link').value").endswith(f"?at={keys[5]}")
    page.get_by_role("button", name="Next position").click()
    at(page, keys[6])
    page.locator(f"#move-{keys[2]}").click()
    at(page, keys[2])
    page.keyboard.press("ArrowRight")
    at(page, keys[3])
    expect(page.get_by_role("slider")).to_have_attribute(
        "aria-valuetext", f"Game 1, {page.locator('#entry').text_content()}"
    )
    second = next((entry for entry in entries if entry.game == 2), None)
    if second is not None:
        page.locator("#games").select_option(second.key)
        at(page, second.key)
    assert asked == [], "stepping asks nobody"

    page.goto("about:blank")
    page.goto(f"{address(played)}#{keys[-2]}")
    at(page, keys[-2])
    assert page.evaluate("scrollY") == 0, "an address leads to a position and not down the page"
    page.keyboard.press("End")
    at(page, keys[-1])
    page.goto(f"{address(played)}?at={keys[4]}")
    at(page, keys[4])
    shown = entries[4].situation
    assert page.evaluate(SHOWN) == position_id.encode(shown.board, shown.turn)


@pytest.mark.long
def test_it_plays_by_itself_until_somebody_steps(page: Page, played: Table) -> None:
    keys = [entry.key for entry in replays.load_replay(played.row).entries]
    page.emulate_media(reduced_motion="reduce")
    come(page, address(played))
    page.locator("#speed").select_option("800")
    # Each position is shown only for a moment, so all are recorded.
    page.evaluate(
        "window.heard = []; document.addEventListener('replay:shown', ({detail}) => { heard.push(detail.key); })"
    )
    page.locator("body").press("Space")
    expect(page.locator("#autoplay")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("key => heard.includes(key)", arg=keys[2])
    assert page.evaluate("[...new Set(heard)].slice(0, 2)") == keys[1:3]
    page.keyboard.press("Home")
    expect(page.locator("#autoplay")).to_have_text("Autoplay")
    at(page, keys[0])


def test_either_side_can_be_looked_from(page: Page, played: Table) -> None:
    come(page, address(played))
    below = page.locator(".replay__seats .seat--below")
    expect(below).to_have_id("seat-white")
    before = page.locator("#table .tabletop__men").inner_html()
    page.get_by_role("button", name="Turn the board").click()
    expect(below).to_have_id("seat-black")
    page.wait_for_function(
        "before => document.querySelector('#table .tabletop__men').innerHTML !== before", arg=before
    )


def test_clocks_scores_and_chances_stand_as_they_stood(page: Page, played: Table) -> None:
    from matches.state import clock_words

    entries = replays.load_replay(played.row).entries
    come(page, address(played))
    place = next(place for place, entry in enumerate(entries) if entry.action is None)
    page.get_by_role("slider").fill(str(place))
    at(page, entries[place].key)
    score, clocks = entries[place].situation.score, entries[place].clocks
    assert clocks is not None
    for side in Side:
        seat = page.locator(f"#seat-{side.word}")
        expect(seat.locator(".seat__points")).to_have_text(str(score[side]))
        expect(seat.locator(".seat__reserve")).to_have_text(
            clock_words.format_clock(round(clocks[side] / 100) * 100)
        )
    expect(page.locator("#chance")).to_contain_text("Chance to win the match at this score: Ann")


@pytest.mark.long
def test_a_finger_across_the_board_steps(another: Callable[..., Page], played: Table) -> None:
    keys = [entry.key for entry in replays.load_replay(played.row).entries]
    page = another(**PHONE)
    come(page, address(played))
    page.evaluate(SWIPE, [250, 80])
    at(page, keys[1])
    page.evaluate(SWIPE, [80, 250])
    at(page, keys[0])
    page.evaluate(SWIPE, [80, 90])
    at(page, keys[0])
    assert page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, played: Table, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    come(page, address(played))
    page.keyboard.press("ArrowRight")
    assert faults(page) == []
    come(page, f"{address(played)}embed/")
    assert faults(page) == []


def test_it_is_read_without_a_script(another: Callable[..., Page], played: Table) -> None:
    entries = replays.load_replay(played.row).entries
    page = another(java_script_enabled=False)
    page.goto(address(played))

    expect(page.locator("#still svg.board")).to_be_visible()
    expect(page.locator("#sheet a[id]")).to_have_count(len(entries))
    expect(page.locator("#scrubber")).to_be_hidden()
    page.locator(f"#move-{entries[6].key}").click()
    expect(page.locator("#xgid")).to_have_value(xgid.encode(entries[6].situation))


def test_a_frame_steps_too(page: Page, played: Table) -> None:
    come(page, f"{address(played)}embed/")
    first = page.locator("#entry").text_content()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#entry")).not_to_have_text(first or "")
    assert page.context.cookies() == []


@pytest.mark.long
def test_the_score_sheet_is_what_is_printed(page: Page, played: Table) -> None:
    come(page, address(played))
    page.emulate_media(media="print")

    expect(page.locator("#table")).to_be_hidden()
    expect(page.locator("#scrubber")).to_be_hidden()
    expect(page.locator("#sheet a[id]").last).to_be_visible()
    assert page.evaluate(
        "document.getElementById('sheet').scrollHeight <= document.getElementById('sheet').clientHeight + 1"
    )


def test_others_hear_which_position_is_shown_and_can_lead_to_one(page: Page, played: Table) -> None:
    keys = [entry.key for entry in replays.load_replay(played.row).entries]
    come(page, address(played))
    page.evaluate(
        "document.addEventListener('replay:shown', ({detail}) => document.body.dataset.heard = JSON.stringify(detail))"
    )
    page.evaluate("key => document.dispatchEvent(new CustomEvent('replay:go', {detail: {key}}))", keys[7])
    at(page, keys[7])
    assert json.loads(page.locator("body").get_attribute("data-heard") or "") == {"key": keys[7], "place": 7}


@pytest.mark.long
def test_an_address_the_page_has_not_heard_of_yet_is_not_written_over(page: Page, played: Table) -> None:
    page.clock.install()
    # The browser is slow to say that the address has changed.
    page.add_init_script(
        "window.addEventListener('hashchange', event => window.isDeaf && event.stopImmediatePropagation(), true)"
    )
    come(page, address(played))
    keys = [key for key, *_ in page.evaluate(STATES)]
    page.evaluate("key => { location.hash = key; }", keys[6])
    at(page, keys[6])

    page.evaluate("key => { window.isDeaf = true; location.hash = key; }", keys[9])
    page.clock.run_for(5_000)

    assert page.evaluate("location.hash") == f"#{keys[9]}"
    page.evaluate("() => { window.isDeaf = false; window.dispatchEvent(new HashChangeEvent('hashchange')); }")
    at(page, keys[9])


def test_each_position_has_a_link_to_its_page_and_none_where_a_game_is_over(
    page: Page, played: Table
) -> None:
    come(page, address(played))
    shown = page.evaluate(STATES)
    entries = replays.load_replay(played.row).entries
    link = page.locator("#position-page")
    middle = next(place for place, entry in enumerate(entries) if place > 5 and entry.action is not None)
    for place in (0, middle):
        page.evaluate("key => { location.hash = key; }", shown[place][0])
        said = positions.to_address(positions.parse_position(shown[place][2]))
        expect(link).to_have_attribute("href", f"/position/{said}/")
        expect(link).to_be_visible()
    page.evaluate(
        """told => { document.getElementById("xgid").value = told;
        document.dispatchEvent(new CustomEvent("replay:shown", { detail: {} })); }""",
        "XGID=------a------e---c-e------:0:0:1:00:0:0:0:3:10",
    )
    expect(link).to_be_hidden()
    page.evaluate("key => { location.hash = key; }", shown[middle - 1][0])
    page.evaluate("key => { location.hash = key; }", shown[middle][0])
    expect(link).to_have_attribute(
        "href", f"/position/{positions.to_address(positions.parse_position(shown[middle][2]))}/"
    )
    link.click()
    expect(page.locator("svg.board")).to_be_visible()
    expect(page.get_by_label("XGID")).to_have_value(shown[middle][2])
