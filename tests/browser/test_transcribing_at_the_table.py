"""A match transcribed at its table: rejected for a play that cannot be, mended on the same screen, accepted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from records.models import Submission
from runtime.work import outbox
from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.tournaments.pages.test_pages_player import Two
from tournaments.base import codes
from tournaments.models import Report

pytestmark = pytest.mark.long


def deliver() -> None:
    """Do what a worker does."""
    while found := list(outbox.list_due(now=timezone.now()).values_list("pk", flat=True)):
        for pk in found:
            outbox.deliver(outbox_id=pk, now=timezone.now())


def begin(page: Page, two: Two, site: str) -> Page:
    """Go from the code at the table to an empty transcription, as the one who is written left."""
    row = two.match()
    assert row.a.player.user
    wear(page, site, row.a.player.user)
    page.goto(codes.build_match_address(row, now=timezone.now()))
    page.get_by_role("link", name="Transcribe the match").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#typed-asked")).to_contain_text("the opening roll")
    # Until its script is loaded, the page submits a line as a form and reloads.
    expect(page.locator(".typed__controls")).to_be_attached()
    return page


def enter(page: Page, text: str, shown: str) -> None:
    """Type a line, and wait until the sheet shows it."""
    page.locator("#typed-text").fill(text)
    page.locator("#typed-text").press("Enter")
    expect(page.locator("#typed-sheet")).to_contain_text(shown)
    expect(page.locator("#typed-waiting")).to_be_empty()


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    deliver()
    expect(page.get_by_role("heading", level=1)).to_contain_text("finding")


def test_a_match_is_transcribed_rejected_mended_and_accepted(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    page = begin(another(**PHONE), two, site)
    enter(page, "31 8/5 6/5", "8/5 6/5")
    enter(page, "64 24/14", "24/14")
    snap(page, "typed-running")
    assert overflow(page) == 0
    assert faults(page) == []
    enter(page, "resign match", "esign")
    # An error in the paper score sheet is transcribed unchanged.
    page.locator("#typed-sheet").get_by_text("24/14").click()
    expect(page.locator("#typed-text")).to_have_value("64: 24/14")
    page.locator("#typed-as-written").check()
    enter(page, "64 24/13", "24/13")
    hand_in(page)

    rejected = Submission.objects.get()
    page.goto(f"/records/{two.desk.club.slug}/{rejected.key}/")
    expect(page.locator(".finding--fault").first).to_be_visible()
    snap(page, "typed-rejected")
    page.get_by_role("button", name="Correct this record").click()
    expect(page.locator("#typed-text")).to_have_value("64: 24/13")
    snap(page, "typed-mending")
    enter(page, "64 24/14", "24/14")
    expect(page.locator(".typed__fault")).to_have_count(0)
    assert not Report.objects.exists()
    hand_in(page)

    accepted = Submission.objects.order_by("pk").last()
    assert accepted.mends == rejected
    assert accepted.file
    assert accepted.file.word in {"accepted", "noted"}
    report = Report.objects.get()
    assert (report.score_a, report.score_b) == (0, 5)
    page.goto(f"/records/{two.desk.club.slug}/{accepted.key}/")
    # Changes are listed line by line; on a phone the original is above the corrected line.
    changed = page.locator("#mends .beside__first")
    expect(changed).to_have_count(1)
    expect(changed.locator("td")).to_have_text(["64: 24/13", "64: 24/14"])
    places = [cell.bounding_box() for cell in changed.locator("td").all()]
    assert places[0]
    assert places[1]
    assert places[0]["y"] + places[0]["height"] <= places[1]["y"] + 1
    assert (overflow(page), faults(page)) == (0, [])
    snap(page, "typed-accepted")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert overflow(page) == 0
    snap(page, "typed-accepted-1280")


def test_hand_in_waits_for_what_is_on_its_way_and_what_was_typed_early_stays(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    page = begin(another(), two, site)
    held: list[Route] = []
    page.route("**/typed/page.js*", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.locator("#typed-text").fill("31 8/5 6/5")
    while not held:
        page.evaluate("null")
    for route in held:
        route.continue_()
    expect(page.locator(".typed__controls")).to_be_attached()
    expect(page.locator("#typed-text")).to_have_value("31 8/5 6/5")

    sending: list[Route] = []
    page.route("**/transcribe/**", lambda route: _hold(route, sending))
    page.locator("#typed-text").press("Enter")
    while not sending:
        page.evaluate("null")
    page.get_by_role("button", name="Hand in").click()
    assert not Submission.objects.exists()
    page.unroute("**/transcribe/**")
    sending[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    record = Submission.objects.select_related("file").get()
    assert record.file
    assert b"8/5 6/5" in bytes(record.file.content)


def test_what_is_typed_while_a_line_is_on_its_way_stays(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    page = begin(another(), two, site)
    field, sheet, waiting = (page.locator(f"#typed-{name}") for name in ("text", "sheet", "waiting"))

    def send(text: str, typed: str) -> None:
        """Type a line, and the next one before the answer comes."""
        held: list[Route] = []
        page.route("**/transcribe/**", lambda route: _hold(route, held))
        field.fill(text)
        field.press("Enter")
        expect(field).to_have_value("")
        while not held:
            page.evaluate("null")
        field.fill(typed)
        held[0].continue_()
        page.unroute("**/transcribe/**")

    send("31 8/5 6/5", "64 24/1")
    expect(sheet).to_contain_text("8/5 6/5")
    expect(field).to_have_value("64 24/1")

    # A refused line waits for the one that is typed, and is sent before it.
    send("64 24/1", "52 13/8 24/22")
    expect(page.locator("#typed-problem")).not_to_be_empty()
    expect(field).to_have_value("52 13/8 24/22")
    expect(waiting).to_contain_text("1 not sent yet: 64 24/1")
    field.press("Enter")
    expect(field).to_have_value("64 24/1")
    expect(waiting).to_contain_text("1 not sent yet: 52 13/8 24/22")
    enter(page, "64 24/14", "13/8")
    lines = sheet.inner_text()
    assert lines.index("24/14") < lines.index("13/8")
    expect(field).to_have_value("")


def _hold(route: Route, held: list[Route]) -> None:
    """Keep the first line that is sent back."""
    if route.request.method == "POST" and not held:
        held.append(route)
    else:
        route.continue_()


def test_without_network_it_says_that_it_will_be_handed_in(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    page = begin(another(**PHONE), two, site)
    enter(page, "31 8/5 6/5", "8/5 6/5")
    page.context.set_offline(True)
    page.locator("#typed-text").fill("64 24/14")
    page.locator("#typed-text").press("Enter")
    expect(page.locator("#typed-waiting")).to_contain_text("1 not sent yet")

    page.get_by_role("button", name="Hand in").click()

    expect(page.locator("#typed-waiting")).to_contain_text("It is handed in as soon as all of it is sent.")
    snap(page, "typed-hand-in-offline")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    expect(page.locator("#main")).to_contain_text("24/14")


def test_a_wrong_name_is_corrected_and_a_missing_one_is_pointed_out(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    page = begin(another(**PHONE), two, site)
    enter(page, "31 8/5 6/5", "8/5 6/5")
    page.get_by_text("Names and points").click()
    right = page.get_by_label("Right column")
    right.fill(" ")
    page.get_by_label("Left column").fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("This field is required.")).to_be_visible()
    expect(right).to_be_focused()
    expect(page.get_by_label("Left column")).to_have_value("Ann")
    right.fill("Ben")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann – Ben")  # noqa: RUF001
    expect(page.locator("#typed-sheet")).to_contain_text("8/5 6/5")
