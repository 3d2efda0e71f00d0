"""What a streamer lays over the picture of a table: on nothing, and never early."""

from __future__ import annotations

import re
import time

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.people import listening, snap
from tests.browser.slow import Kept
from tests.runtime.support import until
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing
from tournaments.play import changes
from venue.calls import calling
from venue.models import Layout, Overlay
from venue.rooms import rooms
from venue.screens import overlays

DELAY = 10
# How many moments the page keeps: those that are still to come, and the one that is shown.
KEPT = "JSON.parse(sessionStorage.getItem(`overlay:${location.pathname}`)).length"
# Everything that the page has ever kept.
WRITES = """
window.written = [];
const keep = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  window.written.push(value);
  keep.call(this, key, value);
};
"""
CLEAR = "getComputedStyle(document.%s).backgroundColor"


@pytest.fixture
def overlay(desk: Desk, site: str) -> Overlay:
    """The overlay of a table where two play."""
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1", now=desk.now)
    table = room.tables.get()
    calling.call(table=table, event=desk.event, key=desk.open()[0].key, by=desk.director, now=desk.now)
    return overlays.load_overlay(table=table, by=desk.director)


def scored(overlay: Overlay, one: int, other: int) -> None:
    """Let the score sheet at the table say this."""
    row = Pairing.objects.select_related("tournament").get(assignments__table=overlay.table)
    running = {"seats": [row.a_id, row.b_id], "score": [one, other]}
    Pairing.objects.filter(pk=row.pk).update(running=running)
    changes.invalidate_pages(type(row.tournament).objects.filter(pk=row.tournament_id), now=timezone.now())


def changed(overlay: Overlay, layout: Layout, delay: int) -> None:
    by = overlay.table.room.created_by
    assert by is not None
    overlays.change_settings(overlay=overlay, by=by, layout=layout, delay=delay, now=timezone.now())


def address(overlay: Overlay) -> str:
    return f"/overlay/{overlay.table.key}?secret={overlay.secret}"


def test_nothing_but_names_and_figures_stands_there_in_three_layouts(
    site: str, page: Page, overlay: Overlay
) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(address(overlay))
    listening(page)
    for layout in Layout:
        changed(overlay, layout, 0)
        expect(page.locator(f".over--{layout.value} .over__seat")).to_have_count(2)
        for element in ("documentElement", "body"):
            assert page.evaluate(CLEAR % element) == "rgba(0, 0, 0, 0)"
        boxes = page.locator(".over__seat, .over__what").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, top, right, bottom])"
        )
        assert all(
            left >= 0 and top >= 0 and right <= 1920 and bottom <= 1080 for left, top, right, bottom in boxes
        )
        snap(page, f"overlay-{layout.value}", full=False)
    scored(overlay, 3, 1)
    expect(page.locator(".over__score").first).to_have_text("3")


def test_an_answer_that_comes_after_a_later_one_is_not_shown_again(
    site: str, page: Page, overlay: Overlay
) -> None:
    changed(overlay, Layout.BAR, 0)
    page.add_init_script(WRITES)
    page.goto(address(overlay))
    listening(page)
    score = page.locator(".over__score").first
    scored(overlay, 1, 0)
    expect(score).to_have_text("1")
    slow = Kept(page, f"**/overlay/{overlay.table.key}/state*")
    scored(overlay, 2, 0)
    slow.wait()
    scored(overlay, 3, 0)
    expect(score).to_have_text("3")
    slow.let_through()
    moment = re.search(r'data-at="(\d+)"', slow.answer.text())
    # The page has taken it in: it may have heard more news before and after.
    page.wait_for_function('at => written.some((each) => each.includes(`"at":${at}`))', arg=moment[1])
    expect(score).to_have_text("3")


@pytest.mark.long
def test_what_is_told_late_is_never_told_early(site: str, page: Page, overlay: Overlay) -> None:
    changed(overlay, Layout.BAR, DELAY)
    opened = time.monotonic()
    page.goto(address(overlay))
    # Of what was before the page was there nothing is known: it begins with nothing.
    expect(page.locator(".over__seat")).to_have_count(2)
    assert time.monotonic() - opened >= DELAY, "told early"
    listening(page)
    written = time.monotonic()
    scored(overlay, 3, 2)
    expect(page.locator(".over__score").first).to_have_text("3")
    assert time.monotonic() - written >= DELAY, "told early"
    # Loaded again, it goes on where the stream is.
    scored(overlay, 4, 2)
    until(lambda: page.evaluate(KEPT) > 1, within=DELAY)
    page.reload()
    expect(page.locator(".over__score").first).to_have_text("3", timeout=DELAY * 500)
    expect(page.locator(".over__score").first).to_have_text("4")


def test_an_overlay_with_a_new_address_shows_nothing_at_the_old_one(
    site: str, page: Page, overlay: Overlay
) -> None:
    """Neither what it showed nor what was still to come within the delay."""
    changed(overlay, Layout.BAR, 1)
    page.goto(address(overlay))
    expect(page.locator(".over__seat")).to_have_count(2)
    listening(page)
    changed(overlay, Layout.BAR, DELAY)
    scored(overlay, 5, 2)
    until(lambda: page.evaluate(KEPT) > 1, within=DELAY)

    by = overlay.table.room.created_by
    assert by is not None
    overlays.renew_secret(overlay=overlay, by=by, now=timezone.now())

    expect(page.locator("#overlay > *")).to_have_count(0)
    until(lambda: page.evaluate(KEPT) == 0, within=DELAY)
