"""The desk by thumb: two taps enter a result, on a tablet either way and on a phone, and nothing moves under the finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import in_turn, listening, overflow, snap, wear
from tests.browser.test_desk_by_keyboard import NEWS, drawn
from tournaments.models import Pairing

# A tablet either way, and a phone.
SIZES = [(768, 1024), (1024, 768), (375, 812)]
# As many pixels as a thumb needs.
THUMB = 44


@pytest.mark.parametrize(("width", "height", "scheme"), in_turn(SIZES))
def test_two_taps_enter_a_result(
    site: str, another: Callable[..., Page], width: int, height: int, scheme: str
) -> None:
    ada, event = drawn(8)
    page = another(
        viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    row = page.locator(".match--ready").first
    key = row.locator("input[name=match]").input_value()
    match = Pairing.objects.select_related("b__player").get(tournament=event, key=key)
    winner = row.get_by_role("button", name=f"{match.b.player.public_name} won")
    winner.tap()
    points = row.get_by_role("group", name="Points of").get_by_role("button")
    expect(points).to_have_text([str(number) for number in range(7)])
    for each in [winner, *points.all()]:
        box = each.bounding_box()
        assert min(box["width"], box["height"]) >= THUMB
    # News that come in the meantime take nothing away from under the finger.
    page.evaluate(NEWS)
    expect(points).to_have_count(7)
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, f"desk-taps-{width}-{scheme}", full=False)

    points.nth(4).tap()
    expect(page.locator("#desk-said")).to_contain_text("4–7 is entered.")  # noqa: RUF001
    match.refresh_from_db()
    assert (match.score_a, match.score_b, match.winner_id) == (4, 7, match.b_id)
    expect(page.get_by_role("group", name="Points of")).to_have_count(0)


def test_a_tap_elsewhere_puts_the_points_away(site: str, another: Callable[..., Page]) -> None:
    ada, event = drawn(4)
    page = another(viewport={"width": 768, "height": 1024}, has_touch=True, is_mobile=True)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    names = page.locator(".match__won")
    points = page.get_by_role("group", name="Points of")
    names.first.tap()
    expect(points).to_have_count(1)
    # The other one has won after all.
    names.nth(1).tap()
    expect(points).to_have_count(1)
    expect(names.first).to_have_attribute("aria-expanded", "false")
    page.get_by_role("heading", name="Needs you").tap()
    expect(points).to_have_count(0)
    names.last.tap()
    names.last.tap()
    expect(points).to_have_count(0)
    assert not Pairing.objects.filter(tournament=event, state="decided").exists()


def test_a_mouse_has_the_field_alone(site: str, page: Page) -> None:
    ada, event = drawn(4)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    expect(page.locator(".match__entry input[name=score]")).to_have_count(2)
    expect(page.locator(".match__won").first).to_be_hidden()
