"""What the desk sees of a dispute: two claims, two records line beside line, a photo; on a phone and on a desk."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, in_turn, overflow, snap, wear
from tests.records.submissions.test_disputes import OTHER
from tests.records.submissions.test_record_outcomes import hand_in, record, reported, sits
from tests.tournaments.pages.test_pages_player import Two

pytestmark = pytest.mark.long

MATCH = "main/1.1"


@pytest.fixture
def two(two: Two) -> Two:
    """Two who say different things, each with a record."""
    a, b = sits(two)
    reported(two, a, 5, 3)
    reported(two, b, 2, 5)
    hand_in(two, a, record(a, b))
    hand_in(two, b, record(a, b, OTHER))
    return two


def test_a_photo_comes_from_the_phone_and_the_desk_sees_all_of_it(
    site: str, page: Page, another: Callable[..., Page], two: Two
) -> None:
    phone = another(**PHONE, color_scheme="dark")
    wear(phone, site, sits(two)[0])
    phone.goto(f"/events/{two.key}/photos/{MATCH}/")
    kept = BytesIO()
    Image.linear_gradient("L").resize((640, 480)).convert("RGB").save(kept, "JPEG")
    photo = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": kept.getvalue()}
    phone.locator("#photos").set_input_files(files=[photo])
    phone.get_by_role("button", name="Add", exact=True).click()
    expect(phone.locator(".photos__picture")).to_have_count(1)
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, "photos-375-dark")

    wear(page, site, two.desk.director)
    page.goto(f"/events/{two.key}/matches/{MATCH}/")
    expect(page.locator("#said .photos__picture")).to_have_count(1)
    expect(page.locator("#said .parting")).to_contain_text(["5-2: 24/22 13/8", "5-2: 13/11 13/8"])
    page.get_by_text("Both records of this game").click()
    expect(page.locator("#said .beside__first")).to_be_visible()
    expect(page.locator("#said .beside__first")).to_contain_text("they differ from here")
    assert overflow(page) == 0
    assert faults(page) == []
    snap(page, "dispute-1280-light")


@pytest.mark.parametrize(
    ("width", "height", "theme"), in_turn([(320, 812), (375, 812), (1280, 812), (768, 812)])
)
def test_a_dispute_is_ruled_on_any_screen(
    site: str, another: Callable[..., Page], two: Two, width: int, height: int, theme: str
) -> None:
    desk = another(viewport={"width": width, "height": height}, color_scheme=theme)
    wear(desk, site, two.desk.director)
    desk.goto(f"/events/{two.key}/matches/{MATCH}/")
    desk.get_by_text("Both records of this game").click()
    expect(desk.locator("#said .beside__first")).to_be_visible()
    assert (overflow(desk), faults(desk)) == (0, [])
    snap(desk, f"dispute-{width}-{theme}")
    # What it waits for is offered first, and its form has the evidence above it.
    desk.get_by_role("link", name="Rule on this match").first.click()
    expect(desk.locator("#said .parting")).to_have_count(2)
    desk.get_by_label("What do you decide?").select_option("accept")
    desk.get_by_role("group", name="Whose report is right, or who forfeits").get_by_text("Otis Fenn").click()
    desk.locator("[name=reason]").fill("Both were watched.")
    assert (overflow(desk), faults(desk)) == (0, [])
    snap(desk, f"dispute-rule-{width}-{theme}")
    desk.get_by_role("button", name="See the consequences").click()
    expect(desk.locator("#preview-card")).to_be_visible()
    assert (overflow(desk), faults(desk)) == (0, [])
    snap(desk, f"dispute-seen-{width}-{theme}")
    desk.get_by_role("button", name="Rule on this match", exact=True).click()
    expect(desk.get_by_text("The ruling is made: it is in the log with its reason.")).to_be_visible()
    desk.goto(f"/events/{two.key}/matches/{MATCH}/")
    expect(desk.get_by_text("Both were watched.")).to_be_visible()
