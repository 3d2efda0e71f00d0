"""What the flows share: people with accounts, e-mails, hands on a page, and pictures on request."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path

from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, User
from runtime.models import Queue
from runtime.work import outbox

PASSWORD = "three old pennies"
# PICTURES=folder keeps what the pages looked like on the way.
PICTURES = os.environ.get("PICTURES", "")
PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}
OVERFLOW = "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
FOCUSED = "document.activeElement.matches('body') ? '' : document.activeElement.textContent.trim()"


def in_turn(screens: Iterable[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Return each screen with a theme, dark and light in turn.

    A theme changes the same colours at every size, so it need not be looked at in all of them.
    """
    return [(*screen, theme) for screen, theme in zip(screens, cycle(("dark", "light")), strict=False)]


def overflow(page: Page) -> int:
    """Return by how many pixels a page that has its styles is wider than the screen."""
    page.wait_for_load_state("load")
    return int(page.evaluate(OVERFLOW))


def account(name: str, **changes: object) -> User:
    """Open an account: ada@example.org for "Ada Okafor"."""
    email = f"{name.split()[0].lower()}@example.org"
    user = accounts.register(email=email, password=PASSWORD, name=name, now=timezone.now())
    if changes:
        accounts.change(user=user, now=timezone.now(), **changes)  # type: ignore[arg-type]
    return user


def club_of(
    owner: User, *members: User, guests: tuple[str, ...] = (), name: str = "Bristol Backgammon"
) -> Club:
    """Found a club with people in it."""
    club = clubs.create(owner=owner, name=name, now=timezone.now())
    for member in members:
        clubs.join(club=club, player=member.player, now=timezone.now())
    for guest in guests:
        clubs.add_guest(club=club, name=guest, by=owner, now=timezone.now())
    return club


def wear(page: Page, site: str, user: User) -> None:
    """Give the page's browser the session of *user*, without signing in by the form."""
    client = Client()
    client.force_login(user)
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": site}])


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    """Sign in by the form."""
    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    """Leave by the account menu."""
    page.locator(".account-menu > summary").click()
    page.get_by_role("button", name="Sign out").click()


def drain() -> int:
    """Carry out what waits in the outbox, and what that leaves there."""
    done = 0
    while new := sum(outbox.drain(queue=queue, now=timezone.now()) for queue in Queue.values):
        done += new
    return done


def link_in_email_to(address: str) -> str:
    """Return the link in the last e-mail to *address*, sending what waits first."""
    drain()
    message = next(each for each in reversed(mail.outbox) if each.to == [address])
    found = re.search(r"https?://\S+", str(message.body))
    assert found, message.body
    return found[0]


def listening(page: Page) -> Page:
    """Wait until the page's scripts run, all of them, and its stream is open."""
    page.wait_for_load_state("load")
    expect(page.locator("html[data-stream=on]")).to_be_attached()
    return page


def toast(page: Page, words: str) -> Locator:
    """Return the short message that says *words*."""
    return page.locator(".toast", has_text=words)


def unfold(page: Page, title: str) -> None:
    """Open or close the fields that are folded away under this heading."""
    page.locator(".fold > summary", has_text=title).click()


def snap(page: Page, name: str, *, full: bool = True) -> None:
    """Keep a picture, if pictures are wanted."""
    if PICTURES:
        # Hiding the caret would take its own style sheet, which our policy refuses.
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=full, caret="initial")
