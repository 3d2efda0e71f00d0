"""A bad network, an impatient finger, two tabs: nothing is missed and nothing happens twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from players.clubs import clubs
from players.models import Player
from tests.browser.people import account, club_of, listening, snap, toast, wear
from tournaments.models import Entry, Tournament
from tournaments.plan import setup
from tournaments.play import directing


@pytest.mark.long
def test_what_happened_while_the_stream_was_cut_is_shown_afterwards(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    clubs.add_guest(club=club, name="Before", by=ada, now=timezone.now())
    expect(page.get_by_role("link", name="Before")).to_be_visible()

    page.context.set_offline(True)
    # Going out of reach does not end what is open; a router that restarts does.
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("html[data-stream=off]")).to_be_attached()
    # A short gap is not worth a word; after six seconds there is one.
    expect(page.get_by_text("No live updates at the moment")).to_be_visible(timeout=10_000)
    snap(page, "network-1-offline", full=False)
    clubs.add_guest(club=club, name="Meanwhile", by=ada, now=timezone.now())
    page.context.set_offline(False)

    expect(page.get_by_role("link", name="Meanwhile")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("No live updates at the moment")).to_be_hidden()


def test_a_stream_that_lost_the_thread_has_the_part_loaded_again(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    answers = ["", f'data: {{"name":"resync","topic":"club.{club.slug}"}}\n\n']

    def stream(route: Route) -> None:
        body = 'data: {"name":"hello"}\n\n' + answers[min(1, stream.calls)]
        stream.calls += 1
        route.fulfill(status=200, content_type="text/event-stream", body="retry: 200\n\n" + body)

    stream.calls = 0  # type: ignore[attr-defined]
    page.route("**/live/**", stream)
    page.goto(f"/clubs/{club.slug}/members/")
    clubs.add_guest(club=club, name="Tom Weir", by=ada, now=timezone.now())

    expect(page.get_by_role("link", name="Tom Weir")).to_be_visible()


@pytest.mark.long
def test_an_impatient_finger_makes_one_guest(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    page.get_by_label("Name of the guest").fill("Tom Weir")
    page.get_by_role("button", name="Add guest").dblclick()
    expect(page.get_by_text("Tom Weir has been added. You can add another guest.")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert Player.objects.filter(name="Tom Weir").count() == 1

    event = setup.announce(
        club=club,
        by=ada,
        key="tonight222",
        details=setup.Details(name="Thursday cup", starts_at=timezone.now() + timedelta(hours=1)),
        now=timezone.now(),
    )
    page.goto(event.get_absolute_url())
    page.get_by_role("textbox", name="Guest").fill("Old Sam")
    page.get_by_role("button", name="Enter guest").dblclick()
    expect(toast(page, "Old Sam has been added.")).to_be_visible()
    assert Player.objects.filter(name="Old Sam").count() == 1


@pytest.mark.long
def test_the_same_form_in_two_tabs(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, account("Bo Lindqvist"))
    event = setup.announce(
        club=club,
        by=ada,
        key="tonight222",
        details=setup.Details(name="Thursday cup", starts_at=timezone.now() + timedelta(hours=1)),
        now=timezone.now(),
    )
    directing.admit_members(tournament_id=event.pk, player_keys=[ada.player.key], by=ada, now=timezone.now())
    wear(page, site, ada)
    other = page.context.new_page()
    for tab in (page, other):
        # No stream, so that neither tab knows of the other.
        tab.route("**/live/**", lambda route: route.abort())
        tab.goto(event.get_absolute_url())
        tab.get_by_label("Bo Lindqvist").check()
    for tab in (page, other):
        tab.get_by_role("button", name="Enter those I ticked").click()
        expect(tab.locator(".toast").first).to_be_visible()
    snap(other, "network-2-two-tabs")
    assert Entry.objects.filter(tournament=event).count() == 2

    for tab in (page, other):
        tab.goto(event.get_absolute_url())
    for tab in (page, other):
        tab.get_by_role("link", name="Start", exact=True).click()
        tab.get_by_role("dialog").get_by_role("button", name="Start").click()
        expect(tab.locator(".toast").first).to_be_visible()
    expect(other.locator(".toast--error")).to_have_count(0)
    snap(other, "network-3-started-twice")


def test_two_presses_announce_one_event(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/events/new/")
    page.get_by_label("Name").fill("Thursday cup")
    page.get_by_role("button", name="Announce it", exact=True).dblclick()
    expect(toast(page, "Announced")).to_be_visible()
    assert Tournament.objects.count() == 1


def test_news_closes_no_menu_and_takes_no_focus(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, guests=("Tom Weir",))
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    row = page.locator("#member-list .list__row", has_text="Tom Weir")
    row.locator("summary").filter(has_text="Manage").click()
    with page.expect_event("console", lambda message: message.text == "heard"):
        page.evaluate("document.addEventListener('live:event', () => console.log('heard'), { once: true })")
        clubs.add_guest(club=club, name="Old Sam", by=ada, now=timezone.now())
    page.wait_for_timeout(300)
    expect(row.get_by_role("button", name="Make a claim link")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Old Sam")).to_be_visible()

    page.get_by_role("link", name="Tom Weir").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Tom Weir")).to_be_focused()
    clubs.add_guest(club=club, name="Zoe", by=ada, now=timezone.now())
    expect(page.get_by_role("link", name="Zoe")).to_be_visible()
    expect(page.get_by_role("link", name="Tom Weir")).to_be_focused()


def test_a_form_that_cannot_be_sent_stays_with_what_was_typed(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/records/{club.slug}/")
    page.get_by_label("Or paste a record").fill("a long record")
    listening(page)
    page.context.set_offline(True)

    page.get_by_role("button", name="Hand in").click()

    expect(toast(page, "The server could not be reached")).to_be_visible()
    expect(page.get_by_label("Or paste a record")).to_have_value("a long record")
    snap(page, "network-form-offline", full=False)
    page.context.set_offline(False)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
