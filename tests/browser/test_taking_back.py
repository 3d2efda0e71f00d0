"""A result just entered is taken back on the desk: by one key or one press, within half a minute, and then not any more."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.browser.test_desk_by_keyboard import drawn
from tournaments.models import Pairing
from tournaments.play import corrections, results


def enter(page: Page, score: str) -> None:
    """Enter a result where the cursor waits."""
    field = page.locator("input[name=score]:focus")
    field.fill(score)
    page.keyboard.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text(f"{score.replace(' ', '–')} is entered.")  # noqa: RUF001


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_key_takes_the_last_result_back(
    site: str, another: Callable[..., Page], scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The two results are taken back within the limit, however slow the machine is.
    monkeypatch.setattr(corrections, "WITHIN", timedelta(hours=1))
    ada, event = drawn(8)
    page = another(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    back = page.get_by_role("button", name="Take it back")
    fields = page.locator(".match__entry input[name=score]")
    expect(back).to_have_count(0)
    fields.first.focus()
    enter(page, "7 1")
    enter(page, "7 2")
    # Four first matches; of the two winners' match one is open by now.
    expect(fields).to_have_count(3)
    expect(back).to_have_count(1)
    # Anyone who loads the page in the meantime reads what it is that would be taken back.
    page.reload()
    expect(page.locator("#desk-said")).to_contain_text("7–2 is entered.")  # noqa: RUF001
    expect(back).to_have_count(1)
    assert faults(page) == []
    snap(page, f"desk-take-back-{scheme}")

    page.keyboard.press("u")
    expect(page.locator("#desk-said")).to_contain_text("The result is taken back.")
    expect(page.locator("input[name=score]:focus")).to_have_value("")
    assert Pairing.objects.filter(tournament=event, state="decided").count() == 1
    # The one before it may go as well, and then there is none.
    page.keyboard.press("u")
    expect(back).to_have_count(0)
    expect(fields).to_have_count(4)
    assert Pairing.objects.filter(tournament=event, state="decided").count() == 0
    # The cursor waits at the match it was of.
    enter(page, "1 7")
    assert list(
        Pairing.objects.filter(tournament=event, state="decided").values_list("score_a", "score_b")
    ) == [(1, 7)]
    assert overflow(page) <= 0


@pytest.mark.long
def test_a_button_that_has_just_come_is_pressed_without_leaving_the_page(
    site: str, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections, "WITHIN", timedelta(hours=1))
    ada, event = drawn(8)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    page.locator(".match__entry input[name=score]").first.focus()
    enter(page, "7 1")
    enter(page, "7 2")
    # By itself htmx would look at a new form only then.
    page.evaluate("htmx.config.defaultSettleDelay = 60000")
    page.keyboard.press("u")
    expect(page.locator("#desk-said")).to_contain_text("The result is taken back.")
    page.evaluate("document.documentElement.dataset.stays = ''")
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Take it back")).to_have_count(0)
    expect(page.locator("html[data-stays]")).to_be_attached()
    enter(page, "1 7")


@pytest.mark.long
def test_it_goes_when_its_time_is_over_and_says_why_when_somebody_was_quicker(
    site: str, another: Callable[..., Page]
) -> None:
    ada, event = drawn(4)
    page = another(**PHONE)
    page.clock.install()
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    back = page.get_by_role("button", name="Take it back")
    fields = page.locator(".match__entry input[name=score]")
    fields.first.focus()
    enter(page, "7 1")
    snap(page, "desk-take-back-phone")
    page.clock.run_for("00:20")
    expect(back).to_have_count(1)
    page.clock.run_for("00:11")
    expect(back).to_have_count(0)

    enter(page, "7 2")
    expect(back).to_have_count(1)
    final = Pairing.objects.get(tournament=event, key="main/2.1")
    results.enter_result(
        tournament_id=event.pk, key=final.key, score=(7, 0), winner=None, by=ada, now=timezone.now()
    )
    back.click()
    expect(page.locator("#desk-said")).to_contain_text(
        "only a result that you entered in the last 30 seconds"
    )
    assert Pairing.objects.filter(tournament=event, state="decided").count() == 3
