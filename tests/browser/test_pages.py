"""Every page there is, in both themes, on a phone and on a desk: axe finds nothing, nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from players.models import User
from tests import access
from tests.browser.eyes import faults
from tests.world import World

PHONE, DESK = {"width": 375, "height": 812}, {"width": 1280, "height": 800}
# What a theme changes it changes at every size: so each is looked at once, and all four where there is time.
VIEWS = ((PHONE, ("light",)), (DESK, ("dark",)))
EVERY_VIEW = ((PHONE, ("light", "dark")), (DESK, ("light", "dark")))
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# Addresses without a page: feeds, figures, files, the API and Django's back office.
NO_PAGES = ("admin", "api", "healthz", "readyz", "metrics")
NO_PAGE = {
    "home_boards",
    "matches:boards",
    "matches:opponents",
    "money:auction_file",
    "tournaments:calendar_feed",
    "tournaments:boards",
    "tournaments:event_calendar",
    "tournaments:events_feed",
    "tournaments:results_feed",
    "tournaments:roster_csv",
    "players:download",
    "players:logo",
    "venue:worker",
    "manifest",
    "js_catalogue",
    "records:photo",
    "records:code_photo",
    "records:transcription_file",
    "records:code_transcription_file",
    # A part of a club's page.
    "rankings:club_card",
    # What a screen puts in place of what it shows.
    "venue:tv_picture",
    "set_language",
}


def sign_in(context: BrowserContext, site: str, user: User) -> None:
    """Give the browser the session of *user*."""
    client = Client()
    client.force_login(user)
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": site}])


def pages_for(role: str) -> list[access.Row]:
    """Return the addresses that show *role* a page."""
    return [
        row
        for row in access.rows()
        if row.method == "GET"
        and row.meets[role] == "200"
        and row.address not in NO_PAGE
        and not row.address.startswith(NO_PAGES)
    ]


def look_at(page: Page, where: str, views: Any = VIEWS) -> list[str]:
    """The faults of the open page in each size, with its themes."""
    wrong = []
    # Without its styles a page is as wide as it likes.
    page.wait_for_load_state("load")
    for size, themes in views:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        overflow = page.evaluate(
            "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
        )
        if overflow > 0:
            wrong.append(f"{where} at {size['width']}: {overflow} px wider than the screen")
        for theme in themes:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            # Colours change with the next frame, not with the call.
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            wrong += [f"{where} at {size['width']} {theme}: {fault}" for fault in faults(page, RULES)]
    return wrong


def alternating(place: int) -> Any:
    """Measure each page in both sizes, and show it to axe in one of them: that takes the time."""
    return tuple(
        (size, themes if number == place % len(VIEWS) else ()) for number, (size, themes) in enumerate(VIEWS)
    )


# Others see what the owner sees with fewer buttons: only what differs is looked at again.
DIFFERENT = {
    "anonymous": ("home", "players:club", "tournaments:event", "matches:match"),
    "member": ("players:club", "players:members"),
}


@pytest.mark.long
@pytest.mark.parametrize("role", ["owner", "anonymous", "member"])
def test_axe_finds_nothing_on_any_page(site: str, page: Page, context: BrowserContext, role: str) -> None:
    rows = pages_for(role)
    if role == "owner":
        # Minutes: each sixth here, and with the others in each theme in `make test-looks`.
        rows = rows[::6]
    else:
        of_owner = {row.address for row in pages_for("owner")}
        rows = [row for row in rows if row.address not in of_owner or row.address.startswith(DIFFERENT[role])]
    walk(site, page, context, role, rows, alternating)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["owner", "anonymous", "member"])
def test_axe_finds_nothing_on_any_page_in_any_theme(
    site: str, page: Page, context: BrowserContext, role: str
) -> None:
    walk(site, page, context, role, pages_for(role), lambda _: EVERY_VIEW)


def walk(
    site: str,
    page: Page,
    context: BrowserContext,
    role: str,
    rows: list[access.Row],
    views: Callable[[int], Any],
) -> None:
    """Go to each page as *role* and look at it."""
    world = World(timezone.now() - timedelta(minutes=1))
    user = world.users[role]
    if user is not None:
        sign_in(context, site, user)
    assert rows
    wrong = []
    for place, row in enumerate(rows):
        page.goto(world.path(row))
        assert page.locator("h1").count() == 1, f"{row.address} needs one first heading"
        wrong += look_at(page, row.address, views(place))

    assert not wrong, "\n".join(wrong)


def test_axe_would_find_something(site: str, page: Page) -> None:
    page.set_content("<img src='x.png'><input><a href='#'></a><p style='color:#ccc;background:#fff'>pale</p>")

    found = {fault.partition(":")[0] for fault in faults(page, RULES)}

    assert {"image-alt", "label", "link-name", "color-contrast"} <= found


@pytest.mark.long
def test_high_contrast_passes_too(site: str, page: Page, context: BrowserContext) -> None:
    world = World(timezone.now() - timedelta(minutes=1))
    owner = world.users["owner"]
    owner.high_contrast = True
    owner.save(update_fields=["high_contrast"])
    sign_in(context, site, owner)
    wrong = []
    for path in ("/", world.club.get_absolute_url(), "/styleguide/"):
        page.goto(path)
        wrong += look_at(page, path)

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("path", "status"), [("/nowhere/", 404), ("/clubs/nobody/", 404)])
def test_error_pages_are_our_own(site: str, page: Page, path: str, status: int) -> None:
    answer = page.goto(path)

    assert answer.status == status
    wrong = look_at(page, path)
    assert not wrong, "\n".join(wrong)
