"""A page that is open when a right ends: it is not left standing, and nothing that was typed is thrown away."""

from __future__ import annotations

import re

from django.utils import timezone
from playwright.sync_api import Page, expect

from players.clubs import clubs
from players.models import Role
from tests.browser.people import account, club_of, listening, sign_out, snap, toast, wear


def test_who_signs_out_in_one_tab_is_signed_out_in_the_other(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club_of(ada)
    wear(page, site, ada)
    page.goto("/notices/")
    listening(page)
    other = page.context.new_page()
    other.goto("/")
    sign_out(other)

    expect(page).to_have_url(re.compile("/accounts/login/"))


def test_who_is_removed_sees_the_list_of_members_no_more(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club = club_of(ada, bo)
    wear(page, site, bo)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    clubs.remove(club=club, player=bo.player, by=ada, now=timezone.now())

    expect(page.locator("#member-list")).to_have_count(0)


def test_what_was_typed_stays_and_a_message_says_why(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club = club_of(ada, bo)
    clubs.set_role(club=club, player=bo.player, role=Role.DIRECTOR, by=ada, now=timezone.now())
    wear(page, site, bo)
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    page.get_by_label("Name of the guest").fill("Tom Weir")
    bo.set_password("four new pennies")
    bo.save()

    expect(toast(page, "You have been signed out, or no longer have access to this page.")).to_be_visible()
    snap(page, "rights-ended-375", full=False)
    expect(page.get_by_label("Name of the guest")).to_have_value("Tom Weir")
    page.reload()
    expect(page).to_have_url(re.compile("/accounts/login/"))
