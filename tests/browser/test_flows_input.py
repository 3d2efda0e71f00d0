"""Invalid input on forms: the error is shown beside the field, and nothing typed is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.accounts import accounts
from players.models import Player
from tests.browser.people import account, club_of, listening, snap, unfold, wear
from tournaments.plan import setup
from tournaments.play import directing

LONG = "A name that does not end " * 20
BIDI = "Ada \u202eroFakO"
NOTHING = "\U0001f3b2\U0001f3b2"
REFUSED = {
    "empty": ("", "This field is required."),
    "long": (LONG.strip(), "at most"),
    "bidi": (BIDI, "invisible or control characters"),
    "emoji": (NOTHING, "at least one letter or number"),
}


def let_pass(page: Page) -> None:
    """Switch off the browser's validation, so that the server validates."""
    page.evaluate(
        """() => { document.querySelectorAll("form").forEach((form) => (form.noValidate = true));
        document.querySelectorAll("[maxlength]").forEach((field) => field.removeAttribute("maxlength")); }"""
    )


def try_all(page: Page, label: str, button: str, *, only: tuple[str, ...] = tuple(REFUSED)) -> None:
    """Type everything that is refused into one field and read the answer beside it."""
    for kind in only:
        typed, sentence = REFUSED[kind]
        let_pass(page)
        field = page.get_by_role("textbox", name=label).first
        field.fill(typed)
        page.get_by_role("button", name=button, exact=True).click()
        wrong = page.locator(".field--wrong", has=page.get_by_role("textbox", name=label))
        expect(wrong.get_by_text(sentence)).to_be_visible()
        expect(page.get_by_role("textbox", name=label).first).to_have_value(typed)
        # Screen readers announce the error with the field.
        expect(page.get_by_role("textbox", name=label).first).to_have_attribute("aria-invalid", "true")
        listening(page)


@pytest.mark.long
def test_the_name_of_a_guest(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    wear(page, site, ada)
    page.goto(f"/clubs/{club_of(ada).slug}/members/")
    listening(page)
    try_all(page, "Name of the guest", "Add guest")
    snap(page, "input-1-guest")
    # A name may be of any script, and may wear an emoji.
    for name in ("Ζωή Παπαδοπούλου", "王小明", "Ada \U0001f3b2", "O\u2019Neill-de\u00a0la Cruz"):
        page.get_by_label("Name of the guest").fill(name)
        page.get_by_role("button", name="Add guest").click()
        expect(
            page.get_by_text("has been added. You can add another guest.").filter(has_text=name.split()[0])
        ).to_be_visible()
        expect(page.locator(".htmx-settling")).to_have_count(0)


@pytest.mark.long
def test_a_club_and_its_founder(site: str, page: Page) -> None:
    page.goto(f"/welcome/{accounts.find_welcome_token()}/")
    page.get_by_label("Password").fill("three old pennies")
    let_pass(page)
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator(".field--wrong")).to_have_count(2)
    snap(page, "input-2-welcome")
    account("Ada Okafor")
    wear(page, site, account("Bo Lindqvist"))
    page.goto("/clubs/new/")
    listening(page)
    try_all(page, "Name", "Start the club")
    snap(page, "input-3-club")


@pytest.mark.long
@pytest.mark.parametrize("label", ["Name", "Alias"])
def test_ones_own_name(site: str, page: Page, label: str) -> None:
    wear(page, site, account("Ada Okafor"))
    page.goto("/settings/")
    listening(page)
    try_all(page, label, "Save", only=("long", "bidi", "emoji"))
    assert Player.objects.get().name == "Ada Okafor"


@pytest.mark.long
def test_an_announcement(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    wear(page, site, ada)
    page.goto(f"/clubs/{club_of(ada).slug}/events/new/")
    listening(page)
    unfold(page, "Description")
    page.get_by_label("More about it").fill("Bring a board.")
    unfold(page, "Description")
    try_all(page, "Name", "Announce it")
    page.get_by_label("Matches to").fill("99")
    unfold(page, "Place and limit")
    page.get_by_label("Limit").fill("1")
    unfold(page, "Place and limit")
    let_pass(page)
    page.get_by_role("button", name="Announce it", exact=True).click()
    expect(page.locator(".field--wrong")).to_have_count(3)
    # What is wrong is seen; what is right stays folded away, and said.
    expect(page.get_by_label("Limit")).to_be_visible()
    expect(page.get_by_text("More about it: Bring a board.")).to_be_visible()
    expect(page.get_by_label("More about it")).to_have_value("Bring a board.")
    expect(page.get_by_label("Matches to")).to_have_value("99")
    snap(page, "input-4-announcement")


@pytest.mark.long
def test_the_guest_at_an_event_and_a_result_that_does_not_add_up(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, guests=("Ann", "Ben", "Cleo"))
    now = timezone.now()
    details = setup.Details(name="Thursday cup", starts_at=now + timedelta(hours=1))
    event = setup.announce(club=club, by=ada, key="tonight222", details=details, now=now)
    keys = list(Player.objects.filter(user=None).values_list("key", flat=True))
    directing.admit_members(tournament_id=event.pk, player_keys=keys, by=ada, now=now)
    wear(page, site, ada)
    page.goto(event.get_absolute_url())
    listening(page)
    try_all(page, "Guest", "Enter guest")
    snap(page, "input-5-event-guest")

    directing.start_event(tournament_id=event.pk, by=ada, now=now)
    page.goto(event.get_absolute_url())
    listening(page)
    for name, place in (("Ann", "1"), ("Ben", "3"), ("Cleo", "3")):
        page.get_by_label(name, exact=True).fill(place)
    page.get_by_role("button", name="Save the result").click()
    expect(
        page.locator("#finish").get_by_role("alert").or_(page.locator("#finish .errorlist")).first
    ).to_be_visible()
    expect(page.get_by_label("Ben", exact=True)).to_have_value("3")
    snap(page, "input-6-result")


def test_signing_up_with_nothing_and_with_an_address_that_is_none(site: str, page: Page) -> None:
    page.goto("/accounts/signup/")
    let_pass(page)
    page.get_by_label("Your name").fill(NOTHING)
    page.get_by_label("E-mail address").fill("ada at example")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Make my account").click()
    expect(page.locator(".field--wrong")).to_have_count(3)
    expect(page.get_by_text("at least one letter or number")).to_be_visible()
    expect(page.get_by_label("E-mail address")).to_have_value("ada at example")
    snap(page, "input-7-signup")
