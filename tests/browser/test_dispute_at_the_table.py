"""A dispute of two guests who opened their match by the table's code.

One press rules, both see it and go on.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.browser.test_table_reports import reports, says
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import codes
from tournaments.base.settings import Settings
from tournaments.plan import drawing
from venue.calls import table_filling
from venue.models import CallMode
from venue.rooms import room_settings, rooms


@pytest.fixture
def desk(desk: Desk, site: str) -> Desk:
    """A round robin of four guests in a room of two tables, both of them called."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1-2", now=desk.now)
    desk.announce(a_plan("round-robin", Settings(confirm_minutes=20)), 4)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    table_filling.fill(room_id=room.pk, now=desk.now)
    return desk


@pytest.mark.long
def test_one_press_rules_and_both_phones_go_on(
    site: str, page: Page, another: Callable[..., Page], desk: Desk
) -> None:
    row = next(each for each in desk.open() if each.table == "1")
    a, b = (desk.entry(entry.number) for entry in (row.a, row.b) if entry is not None)
    table = desk.club.rooms.get().tables.get(label="1")
    address = codes.build_table_address(table.key, now=timezone.now())
    phone, other = another(**PHONE), another(**PHONE, color_scheme="dark")
    for each, entry in ((phone, a), (other, b)):
        each.goto(address)
        says(each, entry.player.public_name)
    reports(phone, 5, 3)
    other.get_by_role("button", name="Dispute").click()
    expect(phone.get_by_text("The director decides")).to_be_visible()

    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    needs = page.locator(".needs")
    expect(needs).to_contain_text(f"{b.player.public_name} says that the report is wrong.")
    expect(needs.locator(".count")).to_have_text("1")
    # The match is in the card with its field for the score, and its table in the list points there.
    expect(page.get_by_label(f"Score of {a.player.public_name} and {b.player.public_name}")).to_have_count(1)
    expect(needs.get_by_label("Score of")).to_have_count(1)
    expect(page.locator("#desk-rows .room__table").first).to_contain_text("Needs you")
    snap(page, "dispute-at-the-desk")
    page.get_by_role("link", name="Rule on this match").click()
    right = page.get_by_role("button", name=f"{a.player.public_name} is right:")
    expect(right).to_contain_text(f"{a.player.public_name} 5–3 {b.player.public_name}")  # noqa: RUF001
    assert (overflow(page), faults(page)) == (0, [])
    snap(page, "rule-one-press")
    page.get_by_label("Why?").fill("I watched the last game")
    # The Enter key does not submit, so that no dispute is ruled by accident.
    page.get_by_label("Why?").press("Enter")
    expect(right).to_be_visible()
    right.click()
    expect(page.get_by_text("The ruling is made: it is in the log with its reason.")).to_be_visible()

    for each, entry, them, score in ((phone, a, b, "5–3"), (other, b, a, "3–5")):  # noqa: RUF001
        mine = entry.player.public_name
        expect(each.get_by_text(f"{mine} {score} {them.player.public_name}")).to_be_visible()
        expect(each.get_by_text("I watched the last game")).to_be_visible()
        expect(each.get_by_text("Report the result")).to_be_hidden()
        each.reload()
        expect(each.get_by_text(f"You are {mine}.")).to_be_visible()
        expect(each.get_by_text("I watched the last game")).to_be_visible()
        expect(each.get_by_text("Your next match")).to_be_visible()
        assert (overflow(each), faults(each)) == (0, [])
    snap(phone, "after-a-ruling-light")
    snap(other, "after-a-ruling-dark")

    # The other match ends, the next ones are called, and the open page says where.
    second = next(each for each in desk.open() if each.table == "2")
    desk.play(second.key)
    expect(phone.get_by_role("link", name="Go to this match")).to_be_visible()
    phone.get_by_role("link", name="Go to this match").click()
    expect(phone.get_by_text(f"You are {a.player.public_name}.")).to_be_visible()
    expect(phone.get_by_text("Report the result")).to_be_visible()
