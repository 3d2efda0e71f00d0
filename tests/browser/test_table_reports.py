"""Phones without an account at a table, and a desk: a result reported by the code, confirmed elsewhere, seen on the bracket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, drain, in_turn, listening, overflow, snap, wear
from tests.records.conftest import CLEAN
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import codes
from tournaments.base.settings import Settings
from tournaments.models import Pairing, PairingState
from tournaments.play import disputes

MATCH = "main/1.1"
SCREENS = [(320, 568), (375, 812), (1280, 800)]


@pytest.fixture
def desk(desk: Desk, site: str) -> Desk:
    """A knock-out of four guests, under way."""
    desk.start(a_plan("single-elimination", Settings(confirm_minutes=20)), 4)
    return desk


def match(desk: Desk) -> Pairing:
    return Pairing.objects.select_related("a__player", "b__player").get(tournament=desk.pk, key=MATCH)


def names(desk: Desk) -> tuple[str, str]:
    row = match(desk)
    return row.a.player.name, row.b.player.name


def scans(page: Page, desk: Desk) -> Page:
    """Open what the code of the match leads to."""
    page.goto(codes.build_match_address(match(desk), now=timezone.now()))
    return page


def says(page: Page, name: str) -> Page:
    page.get_by_role("button", name=name).click()
    expect(page.get_by_text(f"You are {name}.")).to_be_visible()
    listening(page)
    return page


def reports(page: Page, a: int, b: int) -> None:
    page.locator("#points-a").fill(str(a))
    page.locator("#points-b").fill(str(b))
    page.get_by_role("button", name="Report", exact=True).click()


def test_reported_by_the_code_and_confirmed_on_another_phone(
    site: str, page: Page, another: Callable[..., Page], desk: Desk
) -> None:
    a, b = names(desk)
    phone = says(scans(another(**PHONE), desk), a)
    other = says(scans(another(**PHONE), desk), b)
    wall = page
    wall.goto(f"/events/{desk.event.key}/bracket/")
    listening(wall)

    reports(phone, 5, 3)
    expect(phone.get_by_text(f"Waiting for {b} to confirm it.")).to_be_visible()
    expect(phone.locator("[data-until]")).to_contain_text("(")
    # The same device says that it is the other player.
    phone.get_by_role("link", name="I am the other player").click()
    phone.get_by_role("button", name=b).click()
    expect(phone.get_by_text(f"You are {b}.")).to_be_visible()
    phone.get_by_role("button", name="Confirm").click()
    expect(phone.get_by_role("alert")).to_contain_text("was reported from this device")
    assert match(desk).state == PairingState.READY

    expect(other.get_by_text(f"{a} says: you 3")).to_be_visible()
    snap(other, "table-asked")
    other.get_by_role("button", name="Confirm").click()

    expect(other.get_by_text("The result stands.").first).to_be_visible()
    expect(wall.locator(".sheet-svg .p.ready")).to_have_count(1)
    row = match(desk)
    assert (row.state, row.score_a, row.score_b) == (PairingState.DECIDED, 5, 3)
    late = another(**PHONE)
    scans(late, desk)
    expect(late.locator("[data-code=match_decided]")).to_be_visible()


@pytest.mark.long
def test_disputed_and_ruled_at_the_desk(
    site: str, page: Page, another: Callable[..., Page], desk: Desk
) -> None:
    a, b = names(desk)
    phone = says(scans(another(**PHONE), desk), a)
    other = says(scans(another(**PHONE), desk), b)
    reports(phone, 5, 3)
    other.get_by_role("button", name="Dispute").click()
    expect(phone.get_by_text("The director decides")).to_be_visible()
    other.get_by_text("Report the result").click()
    reports(other, 4, 5)
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/matches/{MATCH}/")
    listening(page)
    expect(page.locator(".claims")).to_contain_text("5–3")  # noqa: RUF001
    expect(page.locator(".claims")).to_contain_text("4–5")  # noqa: RUF001
    assert faults(page) == []
    snap(page, "table-dispute")

    desk.do(disputes.rule_on_match, key=MATCH, score=(5, 3), reason="Both were watched")

    expect(phone.get_by_text("The result stands.")).to_be_visible()
    expect(other.get_by_text("The result stands.")).to_be_visible()


@pytest.mark.long
def test_decided_by_an_uploaded_record(
    site: str, page: Page, another: Callable[..., Page], desk: Desk, tmp_path: Path
) -> None:
    a, b = names(desk)
    phone = says(scans(another(**PHONE), desk), b)
    reports(phone, 2, 5)
    expect(phone.get_by_text(f"Waiting for {a} to confirm it.")).to_be_visible()
    file = tmp_path / "match.mat"
    file.write_bytes(CLEAN.replace(b"Ada :", a.encode() + b" :").replace(b"Bo :", b.encode() + b" :"))
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/matches/{MATCH}/")
    page.get_by_role("link", name="Hand in a record").click()
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Hand in").click()
    # Of a single file the page of its verdict comes at once, and looks by itself for the verdict.
    expect(page.get_by_role("heading", name="Waits for the referee")).to_be_visible()
    drain()

    expect(phone.get_by_text("The result stands.")).to_be_visible()
    expect(page.get_by_text("The record ends as reported: the result stands.")).to_be_visible()
    assert faults(page) == []
    snap(page, "table-decided-by-record")


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "theme"), in_turn(SCREENS))
def test_it_fits_every_screen(
    site: str, another: Callable[..., Page], desk: Desk, theme: str, width: int, height: int
) -> None:
    a, b = names(desk)
    phone = scans(another(viewport={"width": width, "height": height}, color_scheme=theme), desk)
    assert (overflow(phone), faults(phone)) == (0, [])
    snap(phone, f"table-who-{width}-{theme}")
    says(phone, a)
    assert (overflow(phone), faults(phone)) == (0, [])
    snap(phone, f"table-report-{width}-{theme}")
    reports(phone, 5, 3)
    expect(phone.get_by_text(f"Waiting for {b} to confirm it.")).to_be_visible()
    phone.get_by_text("Code for another phone").click()
    assert (overflow(phone), faults(phone)) == (0, [])
    snap(phone, f"table-waits-{width}-{theme}")
