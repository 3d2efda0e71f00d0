"""A club comes into being: the first director, guests, a link that brings people in, a guest who is claimed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.accounts import accounts
from players.models import Club, Player
from tests.browser.people import PHONE, account, club_of, drain, listening, sign_in, snap, toast, wear
from tournaments.plan import setup
from tournaments.play import directing


def test_from_an_empty_site_to_a_club_with_guests_and_a_member_who_was_invited(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/welcome/{accounts.find_welcome_token()}/")
    page.get_by_label("Your name").fill("Ada Okafor")
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_label("Password").fill("three old pennies")
    snap(page, "club-1-welcome")
    page.get_by_role("button", name="Make the account").click()
    page.get_by_label("Name of your club").fill("Bristol Backgammon")
    zone = page.get_by_label("Time zone of your club")
    expect(zone).to_have_value(page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone"))
    zone.select_option("Europe/London")
    page.get_by_role("button", name="Next: tonight").click()
    expect(page.get_by_role("heading", level=1, name="What do you play tonight?")).to_be_visible()
    page.get_by_role("link", name="Skip", exact=True).click()

    expect(page.get_by_role("heading", level=1, name="Bristol Backgammon")).to_be_visible()
    expect(page.get_by_role("heading", name="First steps")).to_be_visible()
    assert Club.objects.get().time_zone == "Europe/London"
    snap(page, "club-2-first-steps")

    page.get_by_role("link", name="Members", exact=True).click()
    listening(page)
    for guest in ("Tom Weir", "Lena Fuchs", "Old Sam"):
        page.get_by_label("Name of the guest").fill(guest)
        page.keyboard.press("Enter") if guest == "Lena Fuchs" else page.get_by_role(
            "button", name="Add guest"
        ).click()
        expect(page.get_by_text(f"{guest} has been added. You can add another guest.")).to_be_visible()
        expect(page.get_by_label("Name of the guest")).to_be_focused()
        expect(page.get_by_label("Name of the guest")).to_have_value("")
    expect(page.locator("#member-list").get_by_text("4 members")).to_be_visible()
    snap(page, "club-3-guests")

    page.get_by_role("link", name="Invite people").click()
    page.get_by_label("For how many people").fill("20")
    page.get_by_label("Note to yourself").fill("Poster at the door")
    page.get_by_role("button", name="Make the link").click()
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    snap(page, "club-4-invitation")
    listening(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.get_by_label("Link", exact=True).input_value()

    page.get_by_role("link", name="Members", exact=True).click()
    listening(page)
    phone = another(**PHONE)
    phone.goto(link)
    snap(phone, "club-5-join")
    phone.get_by_role("link", name="Make an account").click()
    phone.get_by_label("Your name").fill("Bo Lindqvist")
    phone.get_by_label("E-mail address").fill("bo@example.org")
    phone.get_by_label("Password").fill("quite a few words")
    snap(phone, "club-6-signup")
    phone.get_by_role("button", name="Make my account").click()
    expect(phone.get_by_text("You are signed in as Bo Lindqvist")).to_be_visible()
    snap(phone, "club-7-join-signed-in")
    phone.get_by_role("button", name="Join the club").click()
    expect(toast(phone, "Welcome to Bristol Backgammon.")).to_be_visible()
    snap(phone, "club-8-joined")

    expect(page.locator("#member-list").get_by_role("link", name="Bo Lindqvist")).to_be_visible()
    drain()
    expect(page.locator("#unread .count")).to_have_text("1 unread")
    snap(page, "club-9-members-live")


@pytest.mark.long
def test_a_claimed_guest_keeps_the_history_and_the_old_address_leads_to_the_person(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, guests=("Lena Fuchs", "Lena F.", "Tom Weir"))
    lena, again, tom = Player.objects.filter(user=None).order_by("pk")
    now = timezone.now()
    event = setup.announce(
        club=club,
        by=ada,
        key="lastweek22",
        details=setup.Details(name="Thursday cup", starts_at=now - timedelta(days=7)),
        now=now,
    )
    directing.admit_members(tournament_id=event.pk, player_keys=[lena.key, tom.key], by=ada, now=now)
    directing.start_event(tournament_id=event.pk, by=ada, now=now)
    directing.record_finish(tournament_id=event.pk, places={lena.key: 1, tom.key: 2}, by=ada, now=now)
    # Process the outbox now, while the players have no accounts, so that Lena gets no notice later.
    drain()
    wear(page, site, ada)

    page.goto(f"/clubs/{club.slug}/members/")
    row = page.locator(".list__row", has_text="Lena Fuchs")
    row.get_by_text("Manage").click()
    snap(page, "claim-1-menu", full=False)
    row.get_by_role("button", name="Make a claim link").click()
    expect(page.get_by_role("heading", name="The link for Lena Fuchs")).to_be_visible()
    snap(page, "claim-2-link")
    link = page.get_by_label("Link", exact=True).input_value()
    page.goto(f"/clubs/{club.slug}/")
    listening(page)

    account("Lena Fuchs")
    phone = another(**PHONE)
    phone.goto(link)
    expect(phone.get_by_text("You have played here as Lena Fuchs")).to_be_visible()
    phone.get_by_role("link", name="I have one: sign in").click()
    phone.get_by_label("E-mail address").fill("lena@example.org")
    phone.get_by_label("Password", exact=True).fill("three old pennies")
    phone.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    snap(phone, "claim-3-yes")
    phone.get_by_role("button", name="Yes, that is me").click()
    expect(toast(phone, "Welcome to Bristol Backgammon.")).to_be_visible()

    phone.goto(f"/players/{lena.key}/")
    me = Player.objects.get(user__email="lena@example.org")
    expect(phone).to_have_url(f"{site}/players/{me.key}/")
    expect(phone.locator("#player-results").get_by_text("Thursday cup")).to_be_visible()
    snap(phone, "claim-4-my-page")
    drain()
    expect(page.locator("#unread .count")).to_have_text("1 unread")

    # The other Lena was a slip of the pen.
    page.goto(f"/clubs/{club.slug}/members/")
    row = page.locator(".list__row", has_text="Lena F.")
    row.get_by_text("Manage").click()
    row.get_by_role("link", name="Merge with another player").click()
    expect(page.get_by_label("This guest …")).to_have_value(again.key)
    page.get_by_label("… is the same person as").select_option(me.key)
    snap(page, "claim-5-merge")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Merge the two").click()
    expect(toast(page, "Lena Fuchs is now in the list only once.")).to_be_visible()
    expect(page.locator("#member-list").get_by_role("link", name="Lena F.")).to_have_count(0)
    listening(phone)
    drain()
    expect(phone.locator("#unread .count")).to_have_text("1 unread")
    page.goto(f"/players/{again.key}/")
    expect(page).to_have_url(f"{site}/players/{me.key}/")

    page.locator(".site-head__link", has_text="Notices").click()
    snap(page, "claim-6-notices")
    page.get_by_role("button", name="Open").first.click()
    expect(page).to_have_url(f"{site}/players/{me.key}/")


def test_a_spent_link_says_so_and_what_to_do(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/invitations/")
    page.get_by_role("button", name="Make the link").click()
    link = page.get_by_label("Link", exact=True).input_value()
    page.get_by_role("button", name="Withdraw").click()
    expect(toast(page, "The link no longer works.")).to_be_visible()

    page.context.clear_cookies()
    page.goto(link)

    expect(page.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(page.get_by_text("Ask the club for a new link.")).to_be_visible()
    snap(page, "club-10-withdrawn")


def test_a_page_left_open_until_the_session_ended_leads_back_to_itself(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    page.evaluate("document.querySelectorAll('form').forEach((form) => form.removeAttribute('hx-post'))")
    page.reload()
    page.context.clear_cookies(name="session")
    page.get_by_label("Name of the guest").fill("Tom Weir")
    page.get_by_role("button", name="Add guest").click()
    sign_in_here(page)

    expect(page).to_have_url(f"{site}/clubs/{club.slug}/members/")


def sign_in_here(page: Page) -> None:
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_label("Password", exact=True).fill("three old pennies")
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


def test_signing_in_tells_a_wrong_password(site: str, page: Page) -> None:
    account("Ada Okafor")
    sign_in(page, "ada@example.org", "three new pennies")

    expect(page.get_by_text("not correct")).to_be_visible()
    expect(page.get_by_label("E-mail address")).to_have_value("ada@example.org")
