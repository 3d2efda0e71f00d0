"""One's own account: how it looks, what others see of it, taking it away, ending it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from players.models import User
from tests.browser.people import PASSWORD, account, club_of, drain, listening, sign_in, snap, toast, wear
from tests.browser.slow import Kept
from tests.runtime.support import until


@pytest.mark.long
def test_the_language_is_chosen_at_the_foot_and_follows_the_account(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada = account("Ada Okafor")
    wear(page, site, ada)
    page.goto("/clubs/")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html[lang=de]")).to_be_attached()
    expect(page).to_have_url(f"{site}/clubs/")
    snap(page, "settings-1-german")

    elsewhere = another()
    wear(elsewhere, site, ada)
    elsewhere.goto("/")
    expect(elsewhere.locator("html[lang=de]")).to_be_attached()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html[lang=en]")).to_be_attached()
    elsewhere.reload()
    expect(elsewhere.locator("html[lang=en]")).to_be_attached()


@pytest.mark.long
def test_dark_is_kept_in_a_visitors_cookie_and_in_an_account(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    page.goto("/clubs/")
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    # The page is not left for it: the browser's own word for "saved".
    until(lambda: kept_theme(page))
    page.goto("/players/")
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    snap(page, "settings-2-dark")

    ada = account("Ada Okafor")
    desk = another()
    wear(desk, site, ada)
    desk.goto("/settings/appearance/")
    desk.get_by_role("radio", name="Dark").check()
    desk.get_by_label("High contrast").check()
    snap(desk, "settings-3-appearance")
    desk.get_by_role("button", name="Save").click()
    expect(desk.locator("html[data-theme=dark][data-contrast=high]")).to_be_attached()
    phone = another()
    wear(phone, site, ada)
    phone.goto("/")
    expect(phone.locator("html[data-theme=dark][data-contrast=high]")).to_be_attached()
    snap(phone, "settings-4-high-contrast")


def kept_theme(page: Page) -> str:
    """The theme in the browser's cookie."""
    return next((one["value"] for one in page.context.cookies() if one["name"] == "theme"), "")


def test_of_two_quick_choices_the_last_one_is_kept(site: str, page: Page) -> None:
    page.goto("/clubs/")
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    first = Kept(page, "**/settings/appearance/", is_made=False)

    page.get_by_role("button", name="Dark").click()
    first.wait()
    page.get_by_role("button", name="Light").click()
    expect(page.locator("html[data-theme=light]")).to_be_attached()
    assert len(sent) == 1, "the second waits for the first"
    first.let_through()

    until(lambda: kept_theme(page) == "light")
    page.reload()
    expect(page.locator("html[data-theme=light]")).to_be_attached()


@pytest.mark.long
def test_an_alias_stands_for_the_name_and_hiding_works(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club = club_of(ada, bo)
    wear(page, site, bo)
    page.goto("/settings/")
    page.get_by_label("Shown as").get_by_label("Alias").or_(
        page.get_by_role("radio", name="Alias")
    ).first.check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Choose an alias, or be shown by your name.")).to_be_visible()
    page.get_by_role("textbox", name="Alias").fill("The Shark")
    snap(page, "settings-5-profile")
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Saved.")).to_be_visible()

    visitor = another()
    visitor.goto("/players/?q=shark")
    expect(visitor.get_by_role("link", name="The Shark")).to_be_visible()
    visitor.get_by_role("link", name="The Shark").click()
    expect(visitor.get_by_role("heading", level=1, name="The Shark")).to_be_visible()
    assert "Lindqvist" not in visitor.content()
    visitor.goto("/players/?q=lindqvist")
    expect(visitor.get_by_role("heading", name="No one found")).to_be_visible()
    snap(visitor, "settings-6-nobody")
    director = another()
    wear(director, site, ada)
    director.goto(f"/clubs/{club.slug}/members/")
    expect(director.locator(".list__row", has_text="The Shark").get_by_text("Bo Lindqvist")).to_be_visible()

    page.goto("/settings/privacy/")
    page.get_by_label("Hide me from searches").check()
    snap(page, "settings-7-privacy")
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Saved.")).to_be_visible()
    visitor.goto("/players/?q=shark")
    expect(visitor.get_by_role("heading", name="No one found")).to_be_visible()
    director.goto("/players/?q=shark")
    expect(director.get_by_role("link", name="The Shark")).to_be_visible()


def test_everything_about_one_is_made_into_a_file_while_one_watches(
    site: str, page: Page, tmp_path: Path
) -> None:
    wear(page, site, account("Ada Okafor"))
    page.goto("/settings/data/")
    listening(page)
    page.get_by_role("button", name="Make the file").click()
    expect(page.get_by_role("progressbar", name="Being made")).to_be_visible()
    expect(page.get_by_text("You can leave this page.")).to_be_visible()
    snap(page, "settings-8-export")

    drain()
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    snap(page, "settings-9-export-ready")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download").click()
    kept = tmp_path / "mine.json"
    coming.value.save_as(kept)
    assert json.loads(kept.read_text())["account"]["email"] == "ada@example.org"


@pytest.mark.long
def test_deleting_the_account_asks_for_the_password_and_leaves_no_name(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    club_of(ada, bo)
    key = bo.player.key
    wear(page, site, bo)
    page.goto("/settings/data/")
    page.get_by_label("Your password").fill("something else")
    page.get_by_role("button", name="Delete my account").click()
    expect(page.get_by_text("This is not your password.")).to_be_visible()
    snap(page, "settings-10-delete")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()
    expect(toast(page, "Your account is deleted.")).to_be_visible()
    assert not User.objects.filter(email="bo@example.org").exists()
    page.goto(f"/players/{key}/")
    expect(page.get_by_text("This player has left.")).to_be_visible()
    snap(page, "settings-11-former")
    sign_in(page, "bo@example.org")
    expect(page.get_by_text("not correct")).to_be_visible()


def test_the_only_owner_is_told_to_hand_over_first(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club_of(ada, account("Bo Lindqvist"))
    wear(page, site, ada)
    page.goto("/settings/data/")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account").click()

    expect(page.get_by_text("You are the only owner of Bristol Backgammon.")).to_be_visible()
    snap(page, "settings-12-only-owner")
