"""One night with money in a browser, from fees to payouts."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from money import verifiers
from money.models import MoneyLine
from tests.browser.test_pages import look_at, sign_in
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan import drawing
from tournaments.play import corrections


@pytest.fixture
def desk(desk: Desk, site: str, context: BrowserContext) -> Desk:
    """A director who has signed in."""
    sign_in(context, site, desk.director)
    return desk


@pytest.mark.long
def test_a_night_with_money_from_fees_to_payouts(site: str, page: Page, desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    at = f"{site}/events/{desk.event.key}"
    page.goto(f"{at}/money/")
    wrong = look_at(page, "without money")
    page.get_by_role("link", name="Set fees and prizes").click()
    page.get_by_label("Entry fee").fill("20")
    page.get_by_label("Registration fee").fill("2.50")
    page.get_by_label("Rake in percent").fill("10")
    cells = page.locator(".shares").first.get_by_role("textbox")
    for place, share in enumerate(("50", "30", "20")):
        cells.nth(place).fill(share)
    wrong += look_at(page, "the terms")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("72.00 EUR if everyone pays")).to_be_visible()
    page.get_by_text("Open a side pool").click()
    page.get_by_label("Name", exact=True).fill("Jackpot")
    page.get_by_label("Stake").fill("5")
    page.get_by_role("button", name="Open it").click()

    page.goto(f"{at}/roster/")
    page.get_by_role("button", name="Mark as paid Guest 1").click()
    expect(page.get_by_role("button", name="Mark as paid Guest 1")).to_have_count(0)
    wrong += look_at(page, "the roster")
    page.goto(f"{at}/draw/")
    expect(page.get_by_text("3 have not paid yet: Guest 2, Guest 3, Guest 4.")).to_be_visible()
    wrong += look_at(page, "the draw with who has not paid")
    page.goto(f"{at}/money/")
    for guest in ("Guest 2", "Guest 3", "Guest 4"):
        page.get_by_role("button", name=f"Mark as paid {guest}").click()
        expect(page.get_by_role("button", name=f"Mark as paid {guest}")).to_have_count(0)
    page.get_by_role("button", name="+ Jackpot Guest 3").click()
    expect(page.get_by_role("button", name="+ Jackpot Guest 3")).to_have_count(0)
    page.get_by_label("Amount").fill("3")
    page.get_by_label("What for").fill("Chalk")
    page.get_by_role("button", name="Record an expense").click()
    expect(page.get_by_text("In the box now: 92.00 EUR")).to_be_visible()
    wrong += look_at(page, "the account")

    desk.do(drawing.publish)
    desk.play_out()
    page.goto(f"{at}/money/")
    page.get_by_role("button", name="Pay out 36.00 EUR Guest 1").click()
    expect(page.get_by_text("has been paid out 36.00 EUR")).to_be_visible()
    wrong += look_at(page, "payouts")
    final = desk.event.pairings.get(key="main/2.1")
    score = (0, 5) if final.winner_id == final.a_id else (5, 0)
    desk.do(corrections.correct_result, key=final.key, score=score, reason="The other way round")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Guest 1 was paid 36.00 EUR and is due 21.60 EUR.")
    wrong += look_at(page, "what a correction does")
    payout = MoneyLine.objects.get(kind="payout")
    row = page.locator("#money-lines li").filter(has_text="Payout")
    row.get_by_text("Take back").click()
    row.get_by_label("Why?").fill("The result was corrected")
    row.get_by_role("button", name="Record a counter-entry").click()
    expect(page.get_by_role("button", name="Pay out 21.60 EUR Guest 1")).to_be_visible()
    assert MoneyLine.objects.get(corrects=payout).amount == -3600
    page.goto(f"{at}/money/payouts/")
    wrong += look_at(page, "the sheet to sign")
    page.goto(f"{at}/prizes/")
    expect(page.get_by_role("link", name="Prizes")).to_have_attribute("aria-current", "page")
    wrong += look_at(page, "prizes for everyone")
    assert list(verifiers.verify_ledgers()) == []
    assert not wrong, "\n".join(wrong)
