"""The desk in a running night: what is played is on the first screen, each match once, and the keyboard goes from score to score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import listening, overflow, snap, toast, wear
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing
from tournaments.plan import drawing
from tournaments.play import directing
from venue.calls import table_filling
from venue.models import Assignment, CallMode
from venue.rooms import room_settings, rooms

SIZES = {"desktop": (1280, 800), "phone": (375, 740)}
# The skip link, and at most three more.
MOST_TABS = 5
HIGHEST_PHONE_DESK = 3_100
# Between the tabs and the first card, with the place of the last result.
HIGHEST_GAP = 52
TOP = "document.querySelector('#desk .card').getBoundingClientRect().top"
FOOT_OF_TABS = "document.querySelector('nav.tabs').getBoundingClientRect().bottom"
# A press that does not move the page.
PRESS = "each => each.click()"
SCORE = ".match__entry input[name=score]"


def running(mode: CallMode = CallMode.AUTOMATIC) -> Desk:
    """A night in a room of six tables: all are called, three matches have begun, the others wait."""
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.announce(a_plan("progressive-consolation"), 16)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-6", now=desk.now)
    room_settings.set_room(event=desk.event, room=room, mode=mode, by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    for _ in range(6):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
    Assignment.objects.filter(table__label__in=("1", "2", "3")).update(started_at=desk.now)
    return desk


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_what_is_played_is_on_the_first_screen(
    site: str, another: Callable[..., Page], size: str, scheme: str
) -> None:
    desk = running()
    width, height = SIZES[size]
    is_phone = size == "phone"
    page = another(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        has_touch=is_phone,
        is_mobile=is_phone,
    )
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    listening(page)
    expect(page.locator("#ending")).to_be_visible()
    snap(page, f"first-{size}-{scheme}")
    snap(page, f"first-{size}-{scheme}-screen", full=False)
    below = page.evaluate(
        "document.elementsFromPoint(9, innerHeight - 9).at(0).closest('nav')?.getBoundingClientRect().top ?? innerHeight"
    )
    box = page.locator(SCORE).first.bounding_box()
    assert box["y"] + box["height"] < below, "the first score is on the first screen"
    if is_phone:
        assert page.evaluate("document.documentElement.scrollHeight") < HIGHEST_PHONE_DESK
    # The matches are in the order of their tables, then the waiting ones; no match is listed twice.
    expect(page.locator("#desk-rows > .match--desk .room__plate")).to_have_text(list("123456"))
    expect(page.locator(".queue .match--desk")).to_have_count(2)
    names = page.locator("#desk :is(.match__a, .match__b, .list__main)").all_inner_texts()
    assert Counter(each.strip() for each in names if each.startswith("Guest")) == Counter(
        f"Guest {number}" for number in range(1, 17)
    )
    assert faults(page) == []
    page.locator("#desk-rows .menu > summary").first.click()
    expect(page.get_by_role("button", name="Mark as broken").first).to_be_in_viewport(ratio=1)
    assert overflow(page) <= 0


@pytest.mark.long
def test_the_keyboard_goes_from_score_to_score(site: str, page: Page) -> None:
    desk = running()
    page.set_viewport_size({"width": 1280, "height": 800})
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    listening(page)
    scores = page.locator(SCORE)
    expect(scores).to_have_count(8)
    pressed = 0
    while not scores.first.evaluate("each => each === document.activeElement"):
        page.keyboard.press("Tab")
        pressed += 1
        if page.locator(".skip[href='#desk-rows']:focus").count():
            page.keyboard.press("Enter")
        assert pressed <= MOST_TABS
    for number in range(1, 8):
        page.keyboard.press("Tab")
        expect(scores.nth(number)).to_be_focused()
    # What else a row has is reached by arrows, and the menu of its table opens.
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(scores.nth(5)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(scores.nth(4)).to_be_focused()
    page.keyboard.type("5 2")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(scores.nth(4)).to_be_focused()
    menu = page.locator("#desk-rows .menu").nth(4)
    page.keyboard.press("End")
    while not menu.locator("summary").evaluate("each => each === document.activeElement"):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(menu.locator(".menu__panel :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    expect(scores.nth(5)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("Enter")
    # It says who, and the next score is that of the next table.
    row = Pairing.objects.select_related("a__player", "b__player").get(table="5")
    said = page.locator("#desk-said")
    expect(said).to_contain_text(f"{row.a.player.public_name} – {row.b.player.public_name}: 5–2 is entered.")  # noqa: RUF001
    expect(page.locator("#desk-rows .match--desk:has(:focus) .room__plate")).to_have_text("6")
    strip = said.bounding_box()
    tabs = page.locator("nav.tabs").bounding_box()
    assert strip["y"] >= tabs["y"] + tabs["height"], "it covers nothing"
    # At once, because the news of the result replace the cards.
    tops = page.locator("#desk .card").evaluate_all(
        "cards => cards.map(each => each.getBoundingClientRect().top)"
    )
    assert tops
    assert min(tops) >= strip["y"] + strip["height"], "it covers nothing"
    snap(page, "first-said", full=False)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_the_last_result_covers_and_moves_nothing(
    desk: Desk, site: str, another: Callable[..., Page], size: str
) -> None:
    desk.announce(a_plan("single-elimination"))
    desk.do(directing.admit_named, names=["Giacinta Belforte", "Leilani Kapuareyes", "Noor Al-Sayegh", "Bo"])
    desk.do(drawing.publish)
    width, height = SIZES[size]
    is_phone = size == "phone"
    page = another(viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone)
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    listening(page)
    before = page.evaluate(TOP)
    assert before - page.evaluate(FOOT_OF_TABS) <= HIGHEST_GAP
    page.locator(SCORE).first.fill("5 2")
    page.locator(SCORE).first.press("Enter")
    back = page.get_by_role("button", name="Take it back")
    expect(back).to_be_visible()
    expect(page.locator(SCORE)).to_have_count(1)
    snap(page, f"last-result-{size}", full=False)
    assert page.evaluate(TOP) == before
    back.click()
    expect(page.locator(SCORE)).to_have_count(2)
    assert page.evaluate(TOP) == before


@pytest.mark.long
def test_a_free_table_shows_whom_it_gets_and_calls_them(site: str, page: Page) -> None:
    desk = running(CallMode.CONFIRMED)
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    listening(page)
    Assignment.objects.filter(table__label="2").update(started_at=None)
    row = page.locator("#desk-rows .match--desk").nth(1)
    row.get_by_label("Score of").fill("5 0")
    row.get_by_label("Score of").press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("5–0 is entered.")  # noqa: RUF001
    expect(row.locator(".room__plate")).to_have_text("2")
    row.get_by_role("button", name="Call to 2").click()
    expect(row).to_contain_text("called")
    expect(page.locator(".queue .match--desk")).to_have_count(1)


@pytest.mark.long
def test_the_page_stays_where_the_director_was(site: str, page: Page) -> None:
    desk = running(CallMode.CONFIRMED)
    page.set_viewport_size({"width": 1280, "height": 500})
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    listening(page)
    page.evaluate("scrollTo(0, 150)")
    page.get_by_role("link", name="Waiting").click()
    listening(page)
    expect(page.get_by_role("link", name="Waiting")).to_have_attribute("aria-current", "true")
    page.go_back()
    listening(page)
    # The names lead to the match.
    row = page.locator("#desk-rows .match--desk").nth(3)
    name = row.locator(".match__a").inner_text()
    row.get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_url(re.compile("/matches/"))
    page.go_back()
    listening(page)
    row.locator(".menu > summary").click()
    page.evaluate("scrollTo(0, 250)")
    row.get_by_role("button", name="Take the call back").evaluate(PRESS)
    expect(row.get_by_role("button", name="Call to 4")).to_be_visible()
    listening(page)
    assert page.evaluate("scrollY") == 250
    page.get_by_role("link", name="Pause the event").evaluate(PRESS)
    page.get_by_label("Why?").fill("Dinner")
    page.get_by_role("button", name="Pause the event").click()
    expect(page.get_by_text("The event is paused: no results")).to_be_attached()
    listening(page)
    assert page.evaluate("scrollY") == 250


@pytest.mark.long
def test_a_message_covers_no_row_of_the_desk_and_no_menu(site: str, page: Page) -> None:
    desk = running()
    page.set_viewport_size({"width": 1280, "height": 800})
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    listening(page)
    row = page.locator(".room__table").last
    row.locator(".menu > summary").click()
    row.get_by_role("button", name="No-show").first.evaluate(PRESS)
    message = toast(page, "The no-show is entered.")
    expect(message).to_be_visible()
    page.locator(".room__table .menu > summary").last.click()
    snap(page, "desk-message", full=False)
    covered = """toast => {
      const one = toast.getBoundingClientRect();
      return [...document.querySelectorAll(".room__table, .match--desk, .menu[open] > .menu__panel")].filter(each => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < one.right && right > one.left && top < one.bottom && bottom > one.top;
      }).length;
    }"""
    assert message.evaluate(covered) == 0


@pytest.mark.long
def test_a_page_of_an_act_begins_at_its_first_field(site: str, page: Page) -> None:
    desk = running()
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/acts/withdraw/")
    expect(page.locator("#act-form select:focus")).to_have_count(1)
    page.goto(f"/events/{desk.event.key}/acts/end-early/")
    expect(page.get_by_label("Why?")).to_be_focused()
    page.keyboard.type("The room closes")
    page.get_by_role("button", name="See the consequences").click()
    expect(page.locator("#preview-card")).to_be_focused()
    assert faults(page) == []
    # Where nothing is typed first, the heading says where one is.
    match = desk.open()[0].key
    page.goto(f"/events/{desk.event.key}/acts/no-show/?match={match}")
    expect(page.locator("h1:focus, #act-form :focus")).to_have_count(1)
