"""Without JavaScript everything still works, only less comfortably."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.people import account, club_of, sign_in, snap, toast
from tournaments.models import Tournament
from tournaments.status import Status


@pytest.fixture
def plain(another: Callable[..., Page]) -> Page:
    return another(java_script_enabled=False)


@pytest.mark.long
def test_a_club_night_without_javascript(site: str, plain: Page, another: Callable[..., Page]) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club = club_of(ada, bo)
    sign_in(plain, ada.email)
    plain.goto(f"/clubs/{club.slug}/")
    snap(plain, "plain-1-club")
    plain.get_by_role("link", name="Members", exact=True).click()
    plain.get_by_label("Name of the guest").fill("Tom Weir")
    plain.get_by_role("button", name="Add guest").click()
    expect(toast(plain, "Tom Weir has been added.")).to_be_visible()
    expect(plain.get_by_role("link", name="Tom Weir")).to_be_visible()
    snap(plain, "plain-2-members")
    plain.get_by_label("Find a member").fill("weir")
    plain.get_by_role("button", name="Search").click()
    expect(plain.get_by_text("1 member")).to_be_visible()

    plain.goto(f"/clubs/{club.slug}/")
    plain.get_by_role("link", name="past winners").click()
    plain.get_by_role("link", name="Announce an event").first.click()
    plain.get_by_label("Name").fill("Thursday cup")
    plain.get_by_label("Starts").fill((timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT19:30"))
    plain.get_by_role("button", name="Only announce it").click()
    expect(plain.get_by_label("Name")).to_have_value("Thursday cup")
    plain.get_by_role("button", name="Announce it", exact=True).click()
    expect(toast(plain, "Announced: members can enter now.")).to_be_visible()

    other = another(java_script_enabled=False)
    sign_in(other, bo.email)
    other.goto(plain.url)
    other.get_by_role("button", name="Enter").click()
    expect(other.get_by_text("You are in.").first).to_be_visible()

    plain.reload()
    plain.get_by_label("Tom Weir").check()
    plain.get_by_role("button", name="Enter those I ticked").click()
    plain.get_by_role("link", name="Start", exact=True).click()
    snap(plain, "plain-3-start")
    plain.get_by_role("dialog").get_by_role("button", name="Start").click()
    plain.get_by_label("Bo Lindqvist", exact=True).fill("1")
    plain.get_by_label("Tom Weir", exact=True).fill("2")
    plain.get_by_role("button", name="Save the result").click()
    expect(toast(plain, "The result is public.")).to_be_visible()
    snap(plain, "plain-4-result")
    assert Tournament.objects.get().status == Status.FINISHED


@pytest.mark.long
def test_the_theme_the_menus_and_the_wrong_name_without_javascript(site: str, plain: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    sign_in(plain, ada.email)
    plain.get_by_role("button", name="Dark").click()
    expect(plain.locator("html[data-theme=dark]")).to_be_attached()
    plain.goto(f"/clubs/{club.slug}/members/")
    plain.get_by_label("Name of the guest").fill("!!!")
    plain.get_by_role("button", name="Add guest").click()
    expect(plain.locator(".field--wrong").get_by_text("at least one letter or number")).to_be_visible()
    expect(plain.get_by_label("Name of the guest")).to_have_value("!!!")
    # The answer has an address that only takes forms: a visit to it leads to the list.
    plain.get_by_role("button", name="Light").click()
    expect(plain.get_by_role("heading", level=1, name="Members")).to_be_visible()
    plain.locator(".account-menu > summary").click()
    plain.get_by_role("button", name="Sign out").click()
    expect(plain.get_by_role("link", name="Sign up")).to_be_visible()
