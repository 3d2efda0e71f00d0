"""A club night from the announcement to the result, seen by the director, two phones and a passer-by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Club, Player, User
from tests.browser.eyes import faults
from tests.browser.people import (
    PHONE,
    account,
    club_of,
    drain,
    listening,
    overflow,
    snap,
    toast,
    unfold,
    wear,
)
from tournaments.models import Tournament
from tournaments.plan import setup
from tournaments.play import directing
from tournaments.status import Status

EIGHT = ("Ann", "Ben", "Cleo", "Dov", "Eva", "Fritz", "Gita", "Hugo")


def played(club: Club, by: User, *, days_ago: int = 7, name: str = "Thursday cup") -> Tournament:
    """Return a finished event of the club, with everybody in it."""
    now = timezone.now()
    details = setup.Details(name=name, starts_at=now - timedelta(days=days_ago), place="The Old Duke")
    event = setup.announce(club=club, by=by, key="lastweek22", details=details, now=now)
    keys = list(Player.objects.filter(memberships__club=club).order_by("name").values_list("key", flat=True))
    directing.admit_members(tournament_id=event.pk, player_keys=keys, by=by, now=now)
    directing.start_event(tournament_id=event.pk, by=by, now=now)
    places = {key: place for place, key in enumerate(keys, start=1)}
    return directing.record_finish(tournament_id=event.pk, places=places, by=by, now=now)


def test_a_club_night(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, bo, cem = account("Ada Okafor"), account("Bo Lindqvist"), account("Cem Aydin")
    club = club_of(ada, bo, cem, guests=("Tom Weir",))
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/")
    page.get_by_role("link", name="Announce an event").click()
    page.get_by_label("Name").fill("Thursday cup")
    page.get_by_role("button", name="Only announce it").click()
    expect(page.get_by_label("Name")).to_have_value("Thursday cup")
    page.get_by_label("Starts").fill(timezone.now().strftime("%Y-%m-%dT23:30"))
    unfold(page, "Place and limit")
    page.get_by_label("Where").fill("The Old Duke, upstairs")
    page.get_by_label("Format").fill("Swiss, 3 rounds")
    page.get_by_label("Limit").fill("8")
    snap(page, "night-1-announce")
    page.get_by_role("button", name="Save as a draft").click()
    expect(toast(page, "Saved as a draft")).to_be_visible()
    snap(page, "night-2-draft")
    page.get_by_role("link", name="Announce it").click()
    snap(page, "night-3-ask", full=False)
    page.get_by_role("dialog").get_by_role("button", name="Announce it", exact=True).click()
    expect(toast(page, "Announced: members can enter now.")).to_be_visible()
    address = page.url
    listening(page)

    phones = []
    for user in (bo, cem):
        phone = another(**PHONE)
        wear(phone, site, user)
        phone.goto("/")
        snap(phone, f"night-4-home-{user.pk}")
        phone.get_by_role("button", name="Enter myself").tap()
        expect(toast(phone, "You are in. See you there!")).to_be_visible()
        listening(phone)
        phones.append(phone)
    expect(page.locator("#event-entrants").get_by_text("2 players")).to_be_visible()
    expect(page.locator("#event-entrants").get_by_role("link", name="Cem Aydin")).to_be_visible()

    page.get_by_role("textbox", name="Guest").fill("Old Sam")
    page.get_by_role("button", name="Enter guest").click()
    expect(toast(page, "Old Sam has been added.")).to_be_visible()
    page.get_by_label("Tom Weir").check()
    page.get_by_role("button", name="Enter those I ticked").click()
    expect(toast(page, "1 player entered.")).to_be_visible()
    expect(phones[0].locator("#event-entrants").get_by_role("link", name="Tom Weir")).to_be_visible()
    snap(page, "night-5-four-in")
    snap(phones[0], "night-5-phone")

    page.get_by_role("link", name="Start", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(toast(page, "The event has begun.")).to_be_visible()
    for phone in phones:
        expect(phone.locator("#event-head .kicker--live")).to_be_visible()
        expect(phone.get_by_role("button", name="Withdraw myself")).to_have_count(0)
    drain()
    expect(phones[0].locator("#unread .count")).to_have_text("1 unread")
    snap(page, "night-6-running")

    for name, place in (("Bo Lindqvist", 1), ("Tom Weir", 2), ("Cem Aydin", 3), ("Old Sam", 3)):
        page.get_by_label(name, exact=True).fill(str(place))
    snap(page, "night-7-places")
    page.get_by_role("button", name="Save the result").click()
    expect(toast(page, "The result is public.")).to_be_visible()
    expect(phones[0].locator("#event-head .podium").first.get_by_text("Bo Lindqvist")).to_be_visible()
    expect(phones[1].locator("#event-entrants h2")).to_have_text("Final standings")
    snap(page, "night-8-result")
    snap(phones[0], "night-8-phone")

    visitor = another(**PHONE)
    visitor.goto("/")
    expect(visitor.get_by_text("Won by Bo Lindqvist")).to_be_visible()
    snap(visitor, "night-9-visitor")

    page.locator(".menu summary", has_text="More").click()
    page.get_by_role("link", name="Reopen").click()
    page.get_by_role("dialog").get_by_role("button", name="Reopen").click()
    assert page.get_by_role("dialog").is_visible(), "without a reason the browser asks for one"
    page.get_by_label("Why?").fill("Two places were mixed up")
    page.get_by_role("dialog").get_by_role("button", name="Reopen").click()
    expect(toast(page, "The event is open again.")).to_be_visible()
    expect(phones[0].locator("#event-head .podium")).to_have_count(0)
    expect(page.get_by_label("Bo Lindqvist", exact=True)).to_have_value("1")
    page.get_by_label("Bo Lindqvist", exact=True).fill("2")
    page.get_by_label("Tom Weir", exact=True).fill("1")
    page.get_by_role("button", name="Save the result").click()
    expect(phones[0].locator("#event-head .podium").first.get_by_text("Tom Weir")).to_be_visible()
    expect(page.get_by_text("Two places were mixed up")).to_be_visible()
    assert Tournament.objects.get().status == Status.FINISHED
    assert address == page.url.partition("#")[0]


class Counter:
    """A director's hand on the mouse: every press is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0
        self.typed = 0

    def press(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).and_(self.page.locator(":visible")).first.click()  # type: ignore[arg-type]
        self.presses += 1

    def type(self, label: str, words: str) -> None:
        self.page.get_by_label(label, exact=True).fill(words)
        self.typed += 1


@pytest.mark.long
def test_last_weeks_evening_again_takes_few_presses(site: str, page: Page, capsys: object) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, guests=EIGHT)
    event = played(club, ada)
    wear(page, site, ada)
    page.goto(event.get_absolute_url())
    listening(page)
    hand = Counter(page)

    hand.press("link", "The same again next week")
    hand.press("button", "Make the draft")
    expect(page.get_by_text("Look it over, then announce it.")).to_be_visible()
    hand.press("link", "Announce it")
    hand.press("button", "Announce it")
    listening(page)
    # Ada, who directs, played as well.
    hand.press("button", "Enter the 9 from last time")
    expect(toast(page, "9 players entered.")).to_be_visible()
    hand.press("link", "Start")
    hand.press("button", "Start")
    expect(page.get_by_role("heading", name="Record the result")).to_be_visible()
    for place, name in enumerate((*EIGHT, "Ada Okafor"), start=1):
        hand.type(name, str(place))
    hand.press("button", "Save the result")
    expect(toast(page, "The result is public.")).to_be_visible()

    with capsys.disabled():  # type: ignore[attr-defined]
        print(
            f"\nlast week's evening again, nine players: {hand.presses} presses, {hand.typed} numbers typed"
        )
    assert hand.presses <= 8


@pytest.mark.long
def test_ticking_all_and_a_refused_reason(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, guests=EIGHT)
    now = timezone.now()
    details = setup.Details(name="Thursday cup", starts_at=now + timedelta(hours=1))
    event = setup.announce(club=club, by=ada, key="tonight222", details=details, now=now)
    wear(page, site, ada)
    page.goto(event.get_absolute_url())
    listening(page)

    page.get_by_role("button", name="Tick all").click()
    expect(page.get_by_role("button", name="Tick none")).to_be_focused()
    expect(page.locator("#event-admit input:checked")).to_have_count(9)
    page.get_by_label("Hugo").uncheck()
    expect(page.get_by_role("button", name="Tick all")).to_be_visible()
    snap(page, "night-11-ticked")
    page.get_by_role("button", name="Enter those I ticked").click()
    expect(toast(page, "8 players entered.")).to_be_visible()

    page.locator(".menu summary", has_text="More").click()
    page.get_by_role("link", name="Cancel the event").click()
    page.get_by_label("Why?").fill("...")
    page.get_by_role("dialog").get_by_role("button", name="Cancel the event").click()
    expect(page.get_by_label("Why?")).to_have_value("...")
    expect(page.locator("dialog .field--wrong").get_by_text("Enter a reason")).to_be_visible()
    snap(page, "night-12-reason")
    assert faults(page) == []
    page.get_by_label("Why?").fill("Flooded cellar")
    page.get_by_role("dialog").get_by_role("button", name="Cancel the event").click()
    expect(toast(page, "The event is cancelled.")).to_be_visible()


@pytest.mark.long
def test_back_and_once_more_makes_one_event(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/events/new/")
    for words in ("Announced: members can enter now.", "This event already exists"):
        page.get_by_label("Name").fill("Thursday cup")
        page.get_by_label("Starts").fill("2031-03-06T19:30")
        page.get_by_role("button", name="Announce it", exact=True).click()
        expect(toast(page, words)).to_be_visible()
        page.go_back()
        page.reload()
    assert Tournament.objects.count() == 1


def test_the_event_page_prints_without_what_is_for_screens(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    event = played(club_of(ada, guests=EIGHT), ada)
    wear(page, site, ada)
    page.goto(event.get_absolute_url())
    page.emulate_media(media="print")

    for furniture in (".site-head", ".site-nav", ".site-foot", ".actions", ".toasts", ".skip"):
        for each in page.locator(furniture).all():
            assert not each.is_visible(), furniture
    expect(page.get_by_role("heading", level=1, name="Thursday cup")).to_be_visible()
    expect(page.get_by_role("heading", name="Final standings")).to_be_visible()
    snap(page, "night-10-print")


def test_nothing_scrolls_sideways_on_the_narrowest_screen_nor_at_four_times_the_size(
    site: str, page: Page
) -> None:
    ada = account("Ada Okafor")
    long = "Bartholomew Featherstonehaugh-Cholmondeley of the Upper Riverside"
    club = club_of(ada, guests=(*EIGHT, long, "Donaudampfschifffahrtsgesellschaftskapitän"))
    event = played(club, ada, name="Grand annual invitation of the Donaudampfschifffahrtsgesellschaft")
    wear(page, site, ada)
    wrong = []
    # A window of 1280 px at 400 % is 320 px wide, and low.
    for size in ({"width": 320, "height": 640}, {"width": 320, "height": 256}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for path in ("/", f"/clubs/{club.slug}/", f"/clubs/{club.slug}/members/", event.get_absolute_url()):
            page.goto(path)
            listening(page)
            page.wait_for_load_state("networkidle") if path.endswith(f"{club.slug}/") else None
            over = overflow(page)
            if over > 0:
                wrong.append(f"{path}: {over} px at {size}")
            snap(page, f"narrow-{size['height']}-{path.strip('/').replace('/', '-') or 'home'}")
    assert not wrong, "\n".join(wrong)
