"""An event is set up on a phone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.browser.people import PHONE, overflow, snap, wear
from tests.sheets_made import xlsx
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import codes
from tournaments.models import Stage, Tournament


@pytest.mark.long
def test_the_last_event_of_the_weekday_is_announced_again_from_a_phone(site: str, browser: Browser) -> None:
    desk = Desk(timezone.now().replace(microsecond=0) - timedelta(days=7))
    before = desk.start(a_plan("swiss", rounds=4), 6)
    page = browser.new_page(**PHONE, base_url=site)
    wear(page, site, desk.director)
    page.goto(f"/clubs/{desk.club.slug}/events/new/")

    # What is chosen is first for the eye and for the Tab key.
    first = page.locator(".template").first
    expect(first).to_have_attribute("aria-current", "true")
    expect(first).to_contain_text("As on")
    expect(first).to_contain_text("4 rounds · 4 matches each · 3 tables · over about")
    expect(page.get_by_role("heading", name="With 6 players")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Thursday")
    assert overflow(page) == 0
    snap(page, "template-cards-phone")
    page.get_by_role("button", name="32").click()
    expect(page.locator(".template.is-chosen")).to_contain_text("16 tables")
    page.get_by_role("button", name="Announce it", exact=True).click()
    expect(page.get_by_text("Announced: members can enter now.")).to_be_visible()

    again = Tournament.objects.exclude(pk=before.pk).get()
    assert Stage.objects.get(tournament=again).options == {"rounds": 4}
    page.context.close()


@pytest.mark.long
def test_players_come_from_a_file_on_a_phone(desk: Desk, site: str, browser: Browser) -> None:
    desk.announce(a_plan("swiss", rounds=4))
    desk.member("Ada Okafor")
    page = browser.new_page(**PHONE, base_url=site)
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/roster/")
    page.get_by_text("From a file").click()
    rows: list[list[str | float]] = [
        ["Name", "Rating", "Paid"],
        ["Ada Okaffor", 1720, "yes"],
        ["Bo Lind", "?", ""],
    ]
    page.get_by_label("File").set_input_files(
        {"name": "list.xlsx", "mimeType": "application/octet-stream", "buffer": xlsx(rows)}
    )
    page.get_by_role("button", name="Read the file").click()

    expect(page.get_by_text("B3: ?")).to_be_visible()
    expect(page.get_by_role("combobox", name="Ada Okaffor")).to_contain_text("Ada Okafor (")
    assert overflow(page) == 0
    snap(page, "roster-file-phone")
    page.get_by_role("button", name="Enter them").click()
    expect(page.get_by_role("alert")).to_contain_text("No one was entered.")
    # Without ratings there is nothing wrong.
    page.get_by_label("Rating").select_option("")
    page.get_by_role("button", name="Enter them").click()
    expect(page.get_by_text("2 players are in.")).to_be_visible()
    assert {entry.player.name for entry in desk.event.entries.select_related("player")} == {
        "Ada Okafor",
        "Bo Lind",
    }
    page.context.close()


@pytest.mark.long
def test_a_guest_scans_the_code_at_the_door_and_is_let_in(desk: Desk, site: str, browser: Browser) -> None:
    desk.announce(a_plan("swiss", rounds=4))
    desk.member("Ada Okafor")
    director = browser.new_page(**PHONE, base_url=site)
    wear(director, site, desk.director)
    director.goto(f"/events/{desk.event.key}/roster/")
    guest = browser.new_page(**PHONE, base_url=site)
    guest.goto(f"/d/{codes.build_door_code(desk.pk, desk.event.starts_at, desk.now)}/")
    snap(guest, "door-phone")
    guest.get_by_label("Your name").fill("Ada Okaffor")
    guest.get_by_role("button", name="Come in as a guest").click()
    expect(guest.get_by_text("Ada Okaffor: the desk knows that you are here.")).to_be_visible()
    assert overflow(guest) == 0

    # Both pages change by themselves.
    expect(director.get_by_text("Ada Okafor: ")).to_contain_text("spelt a little differently")
    assert overflow(director) == 0
    expect(director.get_by_role("heading", name="At the door")).to_be_visible()
    snap(director, "roster-door-phone")
    director.get_by_role("button", name="Let in Ada Okaffor").click()
    expect(director.get_by_text("Let in.")).to_be_visible()
    expect(guest.get_by_text("You are in, Ada Okaffor.")).to_be_visible()

    director.goto(f"/events/{desk.event.key}/print/door/")
    snap(director, "door-paper-phone")
    assert overflow(director) == 0
    assert desk.event.entries.get().checked_in_at is not None
    for page in (director, guest):
        page.context.close()
