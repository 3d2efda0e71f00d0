"""The first run: from the welcome link to a published draw of 16, with few clicks and fields; each step skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from players.accounts import accounts
from players.models import Club, User
from tests.browser.eyes import faults
from tests.browser.people import account, club_of, overflow, snap, wear
from tests.browser.slow import Kept
from tournaments.models import Draw, Entry, Tournament
from tournaments.status import Status

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

MOST = 20
NAMES = [
    "Ada Okafor", "Bo Lindqvist", "Cem Arslan", "Dora Weiss", "Emil Novak", "Fay Turner", "Gus Brandt", "Hana Sato",
    "Ivo Marin", "Jana Kral", "Kofi Mensah", "Lena Fuchs", "Max Oduya", "Nora Vidal", "Otto Stein", "Pia Lund",
]  # fmt: skip


class Hand:
    """Clicks and types, and counts each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.acts = 0

    def fill(self, label: str, value: str) -> None:
        self.page.get_by_role("main").get_by_label(label).fill(value)
        self.acts += 1

    def press(self, name: str) -> None:
        self.page.get_by_role("main").get_by_role("button", name=name, exact=True).click()
        self.acts += 1


def enter(hand: Hand) -> None:
    """Follow the welcome link and make the account."""
    hand.page.goto(f"/welcome/{accounts.find_welcome_token()}/")
    hand.fill("Your name", "Ada Okafor")
    hand.fill("E-mail address", "ada@example.org")
    hand.fill("Password", "three old pennies")
    hand.press("Make the account")


def test_from_the_welcome_link_to_a_published_draw_of_16(site: str, page: Page) -> None:
    hand = Hand(page)
    enter(hand)

    expect(page.get_by_role("heading", level=1, name="What is your club called?")).to_be_visible()
    own = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    expect(page.get_by_label("Time zone of your club")).to_have_value(own)
    snap(page, "first-1-club")
    hand.fill("Name of your club", "Bristol Backgammon")
    hand.fill("Town", "Bristol")
    hand.press("Next: tonight")

    expect(page.get_by_role("heading", level=1, name="What do you play tonight?")).to_be_visible()
    snap(page, "first-2-tonight")
    hand.fill("Who is here", "\n".join(NAMES))
    hand.press("Next: the draw")

    expect(page.get_by_role("heading", level=1, name="This is the draw")).to_be_visible()
    snap(page, "first-3-draw")
    for name in NAMES:
        expect(page.locator(".drawn").get_by_text(name, exact=True)).to_be_visible()
    assert Draw.objects.get().published_at is None
    hand.press("Publish the draw")

    expect(page.locator(".toast", has_text="The draw is published")).to_be_visible()
    event = Tournament.objects.get()
    assert event.status == Status.RUNNING
    assert Entry.objects.filter(tournament=event).count() == 16
    assert Draw.objects.get().published_at is not None
    assert hand.acts <= MOST, f"{hand.acts} clicks and fields"


@pytest.mark.long
def test_each_step_can_be_skipped(site: str, page: Page) -> None:
    enter(Hand(page))
    expect(page.get_by_role("heading", level=1, name="What is your club called?")).to_be_visible()
    page.get_by_role("link", name="Skip", exact=True).click()
    expect(page.get_by_role("heading", name="You are not in a club yet")).to_be_visible()
    assert not Club.objects.exists()

    page.goto("/welcome/club/")
    page.get_by_label("Name of your club").fill("Bristol Backgammon")
    page.get_by_role("button", name="Next: tonight").click()
    expect(page.get_by_role("heading", level=1, name="What do you play tonight?")).to_be_visible()
    page.get_by_role("link", name="Skip", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Bristol Backgammon")).to_be_visible()
    assert not Tournament.objects.exists()

    page.get_by_role("link", name="Announce tonight").click()
    page.get_by_label("Who is here").fill("Bo\nCem\nDora")
    page.get_by_role("button", name="Next: the draw").click()
    expect(page.get_by_role("heading", level=1, name="This is the draw")).to_be_visible()
    page.get_by_role("link", name="Skip", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Club night")).to_be_visible()
    assert Draw.objects.get().published_at is None


def test_a_time_zone_that_was_chosen_before_the_script_came_stays_chosen(
    site: str, another: Callable[..., Page]
) -> None:
    page = another(timezone_id="Asia/Tokyo")
    wear(page, site, account("Ada Okafor"))
    script = Kept(page, "**/js/main*.js", is_made=False)
    page.goto("/welcome/club/", wait_until="commit")
    zone = page.get_by_label("Time zone of your club")
    zone.select_option("Europe/London")
    script.let_through()
    page.wait_for_load_state("load")
    expect(zone).to_have_value("Europe/London")

    page.goto("/welcome/club/")
    expect(zone).to_have_value("Asia/Tokyo")


def test_a_night_without_names_waits_for_its_players(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/events/first/")
    page.get_by_label("How it is played").select_option("swiss")
    page.get_by_role("button", name="Next: the draw").click()

    expect(page.get_by_role("heading", level=1, name="Roster")).to_be_visible()
    event = Tournament.objects.get()
    assert (event.status, event.stages.get().format) == (Status.PUBLISHED, "swiss")


def test_a_club_that_speaks_german_goes_on_in_german(site: str, page: Page) -> None:
    wear(page, site, account("Ada Okafor"))
    page.goto("/welcome/club/")
    page.get_by_label("Name of your club").fill("Backgammon Bonn")
    page.get_by_label("Language of your club").select_option("de")
    page.get_by_role("button", name="Next: tonight").click()

    expect(page.locator("html[lang=de]")).to_be_attached()
    assert (Club.objects.get().language, User.objects.get().language) == ("de", "de")


@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
def test_the_screen_says_how_phones_reach_this_computer(
    site: str, page: Page, settings: SettingsWrapper, is_open: bool
) -> None:
    settings.PORT = 8123
    settings.OWN_ADDRESSES = ["192.168.7.20", "laptop", "laptop.local"] if is_open else []
    wear(page, site, account("Ada Okafor"))
    page.goto("/phones/")
    if is_open:
        expect(page.get_by_role("link", name="http://192.168.7.20:8123")).to_be_visible()
        expect(page.get_by_role("img", name="QR code of this site")).to_be_visible()
        expect(page.get_by_text("Allow incoming connections on port 8123")).to_be_visible()
    else:
        expect(page.get_by_text("HOST=0.0.0.0")).to_be_visible()
        expect(page.get_by_role("img", name="QR code of this site")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_steps_are_right_on_a_phone_and_at_a_desk(site: str, page: Page, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    wear(page, site, account("Ada Okafor"))

    def look(name: str) -> None:
        for width in (375, 1280):
            page.set_viewport_size({"width": width, "height": 812})
            assert overflow(page) <= 0, (name, width)
            assert faults(page) == [], (name, width)
            snap(page, f"first-{name}-{width}-{theme}")

    page.goto("/welcome/club/")
    look("club")
    page.get_by_label("Name of your club").fill("Bristol Backgammon")
    page.get_by_role("button", name="Next: tonight").click()
    look("tonight")
    page.get_by_label("Who is here").fill("\n".join(NAMES))
    page.get_by_role("button", name="Next: the draw").click()
    expect(page.get_by_role("heading", level=1, name="This is the draw")).to_be_visible()
    look("draw")
    page.goto("/phones/")
    look("phones")
