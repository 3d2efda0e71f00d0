"""A division for novices in the browser: announced by template, read by those who enter, played without a cube."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, overflow, snap, toast, wear
from tournaments.models import Tournament
from tournaments.plan import drawing
from tournaments.play import door, entering


def fine(page: Page, name: str) -> None:
    """Nothing is wrong with the page, and nothing sticks out of it."""
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, name)


@pytest.mark.long
def test_novices_read_their_rules_and_play_without_a_cube(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada, otis, runa = account("Ada Okafor"), account("Otis Fenn"), account("Runa Vik")
    club = club_of(ada, otis, runa)
    wear(page, site, ada)

    page.goto(f"/clubs/{club.slug}/events/new/?template=novices")
    expect(page.get_by_label("With the doubling cube")).not_to_be_checked()
    expect(page.get_by_label("Gammons and backgammons")).to_have_value("gammons")
    page.get_by_label("Name").fill("First steps")
    page.get_by_label("Starts").fill(timezone.now().strftime("%Y-%m-%dT23:30"))
    fine(page, "rules-1-announce")
    page.get_by_role("button", name="Announce it", exact=True).click()
    expect(toast(page, "Announced: members can enter now.")).to_be_visible()
    event = Tournament.objects.get()

    phone = another(**PHONE)
    wear(phone, site, otis)
    phone.goto(event.get_absolute_url())
    facts = phone.locator("#event-facts")
    expect(facts).to_contain_text("No doubling cube.")
    expect(facts).to_contain_text("After 3 minutes 1 penalty point")
    fine(phone, "rules-2-told")

    now = timezone.now()
    for user in (otis, runa):
        entering.enter_own_player(tournament_id=event.pk, user=user, now=now)
        door.check_in(tournament_id=event.pk, user=user, now=now)
    drawing.publish(tournament_id=event.pk, by=ada, now=now)

    phone.goto(event.get_absolute_url())
    expect(phone.locator("#event-mine")).to_contain_text("to 5 points, no cube, backgammons count as gammons")
    phone.get_by_role("button", name="Play it here on a board").tap()
    expect(phone.locator(".match__facts")).to_contain_text("to 5")
    expect(phone.locator("#match-rules")).to_contain_text("no cube, no backgammons")
    expect(phone.locator("#table svg").first).to_be_visible()
    expect(phone.locator("#table .cube")).to_be_hidden()
    fine(phone, "rules-3-board")
