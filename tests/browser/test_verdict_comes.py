"""A page that waits for the referee: the stream brings the verdict; where it is cut the page asks, ever more seldom, and says why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Club, User
from records.models import Submission
from records.submissions import submissions, wait_state
from records.submissions.submissions import SentFile
from runtime import nodes
from tests.browser.eyes import faults
from tests.browser.people import account, club_of, drain, in_turn, listening, overflow, snap, wear
from tests.records.conftest import CLEAN, WRONG

SCREENS = [(375, 812), (1280, 800)]
NEVER = 100_000


@pytest.fixture
def otis(site: str) -> User:
    """A member."""
    return account("Otis Fenn")


@pytest.fixture
def club(otis: User) -> Club:
    """His club."""
    return club_of(account("Greta Halloway"), otis)


def handed_in(club: Club, by: User, *files: bytes) -> str:
    """Hand in some files, and return where their page is."""
    sent = [SentFile(f"{number}.mat", data) for number, data in enumerate(files)]
    row = submissions.hand_in(club=club, by=by, files=sent, now=timezone.now())[0]
    return reverse("records:batch", args=[club.slug, row.batch])


def test_the_stream_brings_each_verdict(
    site: str, page: Page, club: Club, otis: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait_state, "FIRST_LOOK", NEVER)
    monkeypatch.setattr(wait_state, "LAST_LOOK", NEVER)
    wear(page, site, otis)
    page.goto(handed_in(club, otis, WRONG))
    listening(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    drain()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rejected")

    page.goto(handed_in(club, otis, CLEAN, CLEAN + b"\n", CLEAN + b"\n\n"))
    listening(page)
    expect(page.locator("#sent")).to_contain_text("The referee has read 0 of 3.")
    first = Submission.objects.order_by("-pk")[2]
    assert first.file
    submissions.adjudicate({"file": first.file.pk}, now=timezone.now())
    expect(page.locator("#sent")).to_contain_text("The referee has read 1 of 3.")
    drain()
    expect(page.locator("#sent")).to_contain_text("The referee has read everything.")
    expect(page.locator("progress")).to_have_count(0)


def test_without_a_stream_the_page_asks_by_itself(
    site: str, page: Page, club: Club, otis: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait_state, "FIRST_LOOK", 1)
    page.context.route("**/live/**", lambda route: route.abort())
    wear(page, site, otis)
    page.goto(handed_in(club, otis, CLEAN))
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    drain()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Accepted")


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "theme"), in_turn(SCREENS))
def test_who_waits_long_is_told_why(
    site: str, another: Callable[..., Page], club: Club, otis: User, theme: str, width: int, height: int
) -> None:
    page = another(viewport={"width": width, "height": height}, color_scheme=theme)
    wear(page, site, otis)
    page.goto(handed_in(club, otis, WRONG))
    expect(page.get_by_role("heading", level=1)).to_have_text("Waits for the referee")
    expect(page.locator("#why")).to_have_count(0)
    # At its next poll the page finds that the submission has waited for long and no worker is running.
    Submission.objects.update(at=timezone.now() - timedelta(seconds=20))
    expect(page.locator("#why")).to_contain_text("no worker of this server is running")
    assert (overflow(page), faults(page)) == (0, [])
    snap(page, f"verdict-nobody-{width}-{theme}")
    nodes.record_heartbeat(role="web", now=timezone.now())
    page.goto(handed_in(club, otis, CLEAN, WRONG, CLEAN + b"\n"))
    Submission.objects.update(at=timezone.now() - timedelta(seconds=20))
    expect(page.locator("#why")).to_contain_text("still checking earlier records")
    assert (overflow(page), faults(page)) == (0, [])
    snap(page, f"verdict-batch-{width}-{theme}")
