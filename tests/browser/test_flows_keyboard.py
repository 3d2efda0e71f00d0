"""With the keyboard alone: everything is reached, seen while it has the focus, and left again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Club, User
from tests.browser.people import account, club_of, listening, snap, toast, wear
from tournaments.plan import setup

# What the eye sees of the focused element: its ring, and whether something lies over its middle.
LOOK = """() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const styles = [getComputedStyle(here), getComputedStyle(here, "::after")];
  if (here.closest("label, .choice")) styles.push(getComputedStyle(here.closest("label, .choice")));
  const ringed = styles.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0);
  const box = here.getBoundingClientRect();
  const over = document.elementFromPoint(box.left + Math.min(box.width / 2, 40), box.top + Math.min(box.height / 2, 20));
  const name = here.getAttribute("aria-label") || here.labels?.[0]?.textContent || here.textContent;
  return { name: name.trim().slice(0, 40), ringed, seen: !!over && (here.contains(over) || over.contains(here)) };
}"""


def announced(club: Club, by: User) -> str:
    details = setup.Details(name="Thursday cup", starts_at=timezone.now() + timedelta(hours=2))
    return setup.announce(
        club=club, by=by, key="tonight222", details=details, now=timezone.now()
    ).get_absolute_url()


def tab_to(page: Page, name: str, most: int = 60) -> None:
    """Press Tab until what has the focus says *name*."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(
            """(name) => { const e = document.activeElement; const words = [e.textContent, e.getAttribute("aria-label"),
            ...(e.labels ? [...e.labels].map((l) => l.textContent) : [])]; return words.some((w) => w && w.trim().startsWith(name)); }""",
            name,
        ):
            return
    raise AssertionError(f"Tab never came to {name}")


@pytest.mark.long
def test_from_the_address_bar_to_a_guest_and_an_entry(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    address = announced(club, ada)
    wear(page, site, ada)
    page.goto("/")
    listening(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    snap(page, "keys-1-skip", full=False)
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()

    page.goto(f"/clubs/{club.slug}/")
    listening(page)
    tab_to(page, "Members")
    page.keyboard.press("Enter")
    page.wait_for_url("**/members/")
    listening(page)
    tab_to(page, "Name of the guest")
    page.keyboard.type("Tom Weir")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tom Weir has been added. You can add another guest.")).to_be_visible()
    expect(page.locator(".htmx-settling")).to_have_count(0)
    expect(page.get_by_label("Name of the guest")).to_be_focused()
    page.keyboard.type("Old Sam")
    tab_to(page, "Add guest")
    page.keyboard.press("Space")
    expect(page.get_by_text("Old Sam has been added. You can add another guest.")).to_be_visible()
    expect(page.get_by_label("Name of the guest")).to_be_focused()

    page.goto(address)
    listening(page)
    tab_to(page, "More")
    page.keyboard.press("Enter")
    tab_to(page, "Enter myself")
    page.keyboard.press("Enter")
    expect(toast(page, "You are in. See you there!")).to_be_visible()


def test_menus_open_step_and_close_with_escape(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club_of(ada)
    wear(page, site, ada)
    page.goto("/")
    listening(page)
    tab_to(page, "Account")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="My page")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".account-menu").get_by_role("link", name="My matches")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="My page")).to_be_focused()
    snap(page, "keys-2-menu", full=False)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="My page")).to_be_hidden()
    expect(page.locator(".account-menu > summary")).to_be_focused()
    # An open menu that the focus leaves closes behind it.
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("link", name="My page")).to_be_hidden()


def test_a_dialog_keeps_the_focus_and_gives_it_back(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, account("Bo Lindqvist"))
    address = announced(club, ada)
    wear(page, site, ada)
    page.goto(address)
    listening(page)
    tab_to(page, "More")
    page.keyboard.press("Enter")
    tab_to(page, "Cancel the event")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Cancel this event?")).to_be_visible()
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    snap(page, "keys-3-dialog", full=False)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # A menu that has closed in the meantime cannot have it: what opens it has.
    expect(page.locator(".event-head .menu > summary")).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize("width", [375, 1280])
def test_the_focus_is_always_seen_and_never_under_a_bar(site: str, page: Page, width: int) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, account("Bo Lindqvist"), guests=("Ann", "Ben", "Cleo", "Dov", "Eva"))
    address = announced(club, ada)
    wear(page, site, ada)
    page.set_viewport_size({"width": width, "height": 640})
    wrong = []
    for path in (f"/clubs/{club.slug}/", f"/clubs/{club.slug}/members/", address, "/settings/"):
        page.goto(path)
        listening(page)
        for _ in range(70):
            page.keyboard.press("Tab")
            seen = page.evaluate(LOOK)
            if seen is None:
                break
            if not seen["ringed"]:
                wrong.append(f"{path}: {seen['name']!r} has the focus and does not show it")
            if not seen["seen"]:
                wrong.append(f"{path}: {seen['name']!r} has the focus and is hidden")
    assert not wrong, "\n".join(wrong)
