"""The desk on every screen: whole, with what needs the director first, in the order in which it is seen."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.eyes import faults
from tests.browser.people import listening, overflow, snap, wear
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.settings import Settings
from tournaments.models import Pairing
from tournaments.plan import drawing
from tournaments.play import door, incidents
from venue.calls import table_filling
from venue.models import Assignment, CallMode
from venue.rooms import breaks, room_settings, rooms
from venue.rooms.breaks import PlannedBreak

pytestmark = pytest.mark.long
SIZES = {"wide": (1280, 900), "small": (1024, 768), "tablet": (768, 1024), "phone": (375, 812)}
LEFT = "name => name.getBoundingClientRect().left"
RIGHT = """cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().right;
}"""
# The positions of focusable elements: the focus order follows the visual order from top to bottom.
ORDER = """() => {
  const there = [...document.querySelectorAll("#desk a, #desk button, #desk input, #desk select, #desk summary")];
  const seen = there.filter((each) => each.checkVisibility() && each.type !== "hidden");
  const blocks = [...new Set(seen.map((each) => each.closest(".card, .callout")))].filter(Boolean);
  return blocks.map((each) => each.getBoundingClientRect()).map(({ top, left, bottom }) => [top, left, bottom]);
}"""


def busy() -> Desk:
    """An evening in full swing: a room, matches in it and before it, and two who wait for the director."""
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.announce(a_plan("progressive-consolation", Settings(no_show_minutes=1)), 16)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-6", now=desk.now)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    for _ in range(5):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
    desk.do(door.note_latecomer, name="Cy Moss")
    Pairing.objects.filter(tournament=desk.event, table="2").update(needs_director="no-show")
    dinner = PlannedBreak(desk.now + timedelta(minutes=30), desk.now + timedelta(minutes=75), "Dinner")
    breaks.change_breaks(event=desk.event, change=lambda _before: [dinner], by=desk.director, now=desk.now)
    # One is slow, and one so slow that a person should have a look.
    for table, minutes in (("3", 55), ("4", 75)):
        since = desk.now - timedelta(minutes=minutes)
        Assignment.objects.filter(table__label=table).update(started_at=since, called_at=since)
    return desk


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_desk_is_whole_on_every_screen(site: str, browser: Browser, theme: str) -> None:
    desk = busy()
    page = browser.new_page(base_url=site, color_scheme=theme)  # type: ignore[arg-type]
    wear(page, site, desk.director)
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/events/{desk.event.key}/desk/")
        listening(page)
        # Every result can be entered at every width.
        buttons = page.get_by_role("button", name="Enter the result")
        expect(buttons).to_have_count(8)
        for button in buttons.all():
            expect(button).to_be_visible()
        assert overflow(page) <= 0, name
        assert faults(page) == [], name
        snap(page, f"desk-{name}-{theme}")
        blocks = page.evaluate(ORDER)
        assert len(blocks) > 3
        for (_, left, bottom), (top, next_left, _bottom) in pairwise(blocks):
            assert top >= bottom - 1 or next_left > left, f"{name}: what comes next stands below or beside"
        page.goto(f"/events/{desk.event.key}/room/")
        expect(page.get_by_role("button", name="Plan a break")).to_be_visible()
        assert overflow(page) <= 0, name
        assert faults(page) == [], name
        snap(page, f"desk-breaks-{name}-{theme}")
    page.context.close()


def test_a_match_becomes_slow_on_an_open_desk(site: str, page: Page) -> None:
    desk = busy()
    soon = timezone.now() + timedelta(seconds=4)
    row = Assignment.objects.select_related("pairing").get(table__label="5", ended_at=None)
    usual = timedelta(minutes=8 * row.pairing.length)
    Assignment.objects.filter(pk=row.pk).update(started_at=soon - 1.25 * usual, called_at=soon - 1.25 * usual)
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    table = page.locator(".room__table").filter(has=page.locator(".room__plate", has_text="5"))
    expect(table).to_contain_text("usually over by")


def test_rows_of_the_desk_are_of_one_height_and_say_their_length_beside_the_names(
    desk: Desk, site: str, page: Page
) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    for match in range(1, 5):
        desk.play(f"main/1.{match}")
    wear(page, site, desk.director)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"/events/{event.key}/desk/")
    rows = page.locator(".match--desk")
    expect(rows).to_have_count(4)
    page.wait_for_load_state("load")
    heights = set()
    for row in rows.all():
        box, name, note = (
            each.bounding_box() for each in (row, row.locator(".match__a"), row.locator(".match__note"))
        )
        heights.add(round(box["height"]))
        assert note["y"] < name["y"] + name["height"], "beside the names, not below them"
        assert note["x"] > name["x"] + name["width"]
        expect(row.locator(".match__note")).to_contain_text("to 5 points")
    assert len(heights) == 1
    snap(page, "desk-rows")


def test_how_a_match_ended_stands_apart_from_the_name(desk: Desk, site: str, page: Page) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    first = desk.open()[0]
    desk.do(incidents.record_no_show, key=first.key, loser=desk.pairs()[first.key][1])
    wear(page, site, desk.director)
    for width in (1280, 800):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/events/{event.key}/desk/?state=done")
        short, name = page.get_by_text("n.s.", exact=True), page.locator(".match--decided .match__b")
        expect(short).to_be_visible()
        assert name.evaluate(LEFT) - short.evaluate(RIGHT) >= 4, width


def test_on_a_phone_the_scores_of_what_is_decided_end_the_lines(desk: Desk, site: str, page: Page) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play(desk.open()[0].key)
    wear(page, site, desk.director)
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(reverse("tournaments:desk", args=[desk.fresh().key]))
    page.get_by_role("link", name="Decided").click()
    row = page.locator(".match--decided").first
    expect(row).to_be_visible()
    whole, score = row.bounding_box(), row.locator(".match__sa").bounding_box()
    assert whole["x"] + whole["width"] - score["x"] - score["width"] < 20
    assert overflow(page) == 0


def test_a_long_name_flows_on_behind_the_dot_of_a_running_event(site: str, page: Page) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.start(a_plan("swiss", rounds=3), 4)
    desk.event.name = "Great Autumn Championship of the Harbour Lights Club, Main Flight"
    desk.event.save(update_fields=["name"])
    wear(page, site, desk.director)
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"/events/{desk.event.key}/desk/")
    rows = "each => [...each.getClientRects()].map(({top, bottom}) => [top, bottom])"
    [(top, bottom)] = page.locator("#desk-status .live-dot").evaluate(rows)
    lines = page.locator("#desk-status > a").evaluate(rows)
    assert lines[0][0] < (top + bottom) / 2 < lines[0][1]
