"""Files of the size that phones make arrive, and what is too large is said before it is sent; without a script, on a page."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from config.front import limits
from players.models import Club, User
from records.models import MatchPhoto
from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.records.submissions.test_record_outcomes import reported, sits
from tests.tournaments.pages.test_pages_player import Two

pytestmark = pytest.mark.long

MEGABYTE = 1_000_000
MATCH = "main/1.1"


def photo(least: int) -> bytes:
    """A JPEG of at least this many bytes; it shows noise, which does not compress."""
    side = 64
    while True:
        kept = BytesIO()
        Image.frombytes("L", (side, side), os.urandom(side * side)).convert("RGB").save(
            kept, "JPEG", quality=95
        )
        if kept.tell() >= least:
            return kept.getvalue()
        side = side * 5 // 4


@pytest.fixture
def named(tmp_path: Path) -> Callable[[str, int], Path]:
    """Return a function that makes an empty file of a name and a size. A browser reads it; bytes would be sent to it first."""

    def make(name: str, size: int) -> Path:
        path = tmp_path / name
        with path.open("wb") as file:
            file.truncate(size)
        return path

    return make


@pytest.fixture
def two(two: Two) -> Two:
    """Two who say different things, so that photos are wanted."""
    a, b = sits(two)
    reported(two, a, 5, 3)
    reported(two, b, 2, 5)
    return two


@pytest.fixture
def director(two: Two) -> User:
    return two.desk.director


@pytest.fixture
def club(two: Two) -> Club:
    return two.desk.club


def test_a_photo_of_three_megabytes_arrives_and_one_of_eleven_is_not_sent(
    site: str, another: Callable[..., Page], two: Two, named: Callable[[str, int], Path]
) -> None:
    phone = another(**PHONE)
    wear(phone, site, sits(two)[0])
    phone.goto(f"/events/{two.key}/photos/{MATCH}/")
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.method))

    files = phone.locator("#photos")
    files.set_input_files(files=[named("huge.jpg", 11 * MEGABYTE)])
    expect(phone.get_by_role("alert")).to_have_text(
        "“huge.jpg” is 11 MB. A file can be at most 10 MB. Nothing was sent."
    )
    phone.get_by_role("button", name="Add", exact=True).click()
    expect(files).to_be_focused()
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, "photo-too-large-375")
    files.set_input_files(files=[named(f"{n}.jpg", 6 * MEGABYTE) for n in range(3)])
    expect(phone.get_by_role("alert")).to_have_text(
        "That is 18.1 MB in total. You can send at most 16 MB at once. Nothing was sent."
    )
    assert "POST" not in sent

    files.set_input_files(
        files=[FilePayload(name="board.jpg", mimeType="image/jpeg", buffer=photo(3 * MEGABYTE))]
    )
    expect(phone.get_by_role("alert")).to_have_count(0)
    phone.get_by_role("button", name="Add", exact=True).click()
    expect(phone.locator(".photos__picture")).to_have_count(1)
    assert MatchPhoto.objects.count() == 1


def test_a_logo_of_three_megabytes_arrives(site: str, page: Page, club: Club) -> None:
    owner = club.memberships.get(role="owner").player.user
    assert owner is not None
    wear(page, site, owner)
    page.goto(f"/clubs/{club.slug}/settings/")
    page.locator("[name=logo]").set_input_files(
        files=[FilePayload(name="logo.jpg", mimeType="image/jpeg", buffer=photo(3 * MEGABYTE))]
    )
    page.get_by_role("button", name="Use this logo").click()
    expect(page.get_by_role("button", name="Remove the logo")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_record_that_is_too_large_is_said_before_it_is_sent_and_without_a_script_on_a_page(
    site: str,
    another: Callable[..., Page],
    director: User,
    club: Club,
    theme: str,
    named: Callable[[str, int], Path],
) -> None:
    here = f"/records/{club.slug}/"
    for width, kind in ((375, PHONE), (1280, {"viewport": {"width": 1280, "height": 800}})):
        page = another(**kind, color_scheme=theme)
        wear(page, site, director)
        page.goto(here)
        page.locator("#files").set_input_files(files=[named("season.zip", 9 * MEGABYTE)])
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_role("alert")).to_have_text(
            "“season.zip” is 9 MB. A file can be at most 8 MB. Nothing was sent."
        )
        assert overflow(page) == 0
        snap(page, f"record-too-large-{width}-{theme}")

        # As without a script.
        page.locator("form[data-most-bytes]").evaluate("form => form.submit()")
        expect(page.get_by_role("heading", level=1)).to_have_text("Too large")
        expect(page.get_by_text(limits.describe_size(limits.find_body_limit(here).size))).to_be_visible()
        assert overflow(page) == 0
        assert faults(page) == []
        snap(page, f"refused-413-{width}-{theme}")
        page.get_by_role("link", name="Go back").click()
        expect(page.locator("#files")).to_be_visible()
