"""A person who comes after the start: on their own phone, and on the director's desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.settings import Settings
from tournaments.plan import drawing
from tournaments.play import directing, door, entering


@pytest.mark.long
def test_who_comes_late_is_let_in_from_the_desk_or_told_why_not(
    desk: Desk, site: str, browser: Browser
) -> None:
    desk.announce(a_plan("swiss", rounds=3, settings=Settings(needs_check_in=True)), 6)
    people = [desk.entrant(name) for name in ("Ada Okafor", "Bo Lind")]
    desk.do(directing.admit_named, names=["Dee Park"])
    desk.do(entering.check_in_entries, entries=list(range(1, 7)))
    desk.do(drawing.publish)
    desk.do(door.note_latecomer, name="Cy Moss")

    director = browser.new_page(viewport={"width": 1280, "height": 900}, base_url=site)
    wear(director, site, desk.director)
    director.goto(f"/events/{desk.event.key}/desk/")
    waiting = director.locator("#event-door strong")
    expect(waiting).to_have_text(["Cy Moss"])
    # Missing entrants are listed beside the matches, so that the director can check them in on arrival.
    missing = director.locator("#desk-missing .list__main")
    expect(missing).to_have_text(["Ada Okafor", "Bo Lind", "Dee Park"])
    snap(director, "desk-missing")
    # The whole roster is folded away below.
    director.locator("#desk-roster > summary").click()
    roster = director.locator("#desk-roster .roster__row")
    expect(roster.filter(has_text="has left").or_(roster.filter(has_text="Withdraw"))).not_to_have_count(0)
    assert faults(director) == []
    snap(director, "desk-roster")
    director.get_by_role("button", name="Check in Dee Park").click()
    expect(waiting).to_have_text(["Cy Moss", "Dee Park"])
    expect(missing).to_have_text(["Ada Okafor", "Bo Lind"])
    director.locator("#desk-roster > summary").click()
    expect(roster.first).to_be_visible()
    phones = [browser.new_page(**PHONE, base_url=site) for _ in people]
    for phone, user in zip(phones, people, strict=True):
        wear(phone, site, user)
        phone.goto(f"/events/{desk.event.key}/")
        phone.get_by_role("button", name="I am here").click()
        expect(phone.get_by_text("You will see here when you are in.")).to_be_visible()
        assert overflow(phone) == 0
    snap(phones[0], "late-waits-phone")

    # The desk learns of both by itself.
    expect(waiting).to_have_text(["Cy Moss", "Dee Park", "Ada Okafor", "Bo Lind"])
    assert faults(director) == []
    snap(director, "desk-late")
    director.set_viewport_size({"width": 375, "height": 812})
    assert overflow(director) == 0
    snap(director, "desk-late-phone")
    director.get_by_role("button", name="Let in Ada Okafor").click()
    expect(director.get_by_text("Let in.")).to_be_visible()
    expect(phones[0].get_by_text("Your next match will be set when the round is over.")).to_be_visible()

    director.locator("summary").filter(has_text="Bo Lind").click()
    director.get_by_label("Message to them").and_(director.locator(":visible")).fill("Come on Tuesday.")
    snap(director, "desk-turns-away-phone")
    assert overflow(director) == 0
    director.get_by_role("button", name="Turn away", exact=True).and_(director.locator(":visible")).click()
    expect(director.get_by_text("Turned away.")).to_be_visible()
    expect(phones[1].get_by_text("The desk could not let you in. Come on Tuesday.")).to_be_visible()
    snap(phones[1], "late-away-phone")
    for page in (director, *phones):
        page.context.close()
