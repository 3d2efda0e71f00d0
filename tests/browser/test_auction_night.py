"""An auction of the players in a browser, from the lots to the payout, and its paper in German."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from money import verifiers
from money.auction import auction_ledger, auctions
from money.auction.auction_ledger import Buyer
from money.terms import terms
from money.terms.terms import MoneyTerms
from tests.browser.test_pages import look_at, sign_in
from tests.browser.test_papers import Printer, in_language, missing
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan import drawing
from tournaments.play import corrections

pytestmark = pytest.mark.long


@pytest.fixture
def desk(desk: Desk, site: str, context: BrowserContext) -> Desk:
    """A director who has signed in, and an event with a currency."""
    sign_in(context, site, desk.director)
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(terms.set_terms, terms=MoneyTerms("EUR"))
    return desk


def sell(page: Page, lot: str, price: str, buyer: str) -> None:
    row = page.locator("#auction-lots .auction-lot").filter(has_text=lot)
    row.get_by_text("Sell").click()
    row.get_by_label("Hammer price").fill(price)
    row.get_by_label("Buyer").fill(buyer)
    row.get_by_role("button", name="Sold").click()
    expect(row.locator(".list__end strong")).to_have_text(f"{price}.00 EUR")


def test_an_auction_from_the_lots_to_the_payout(site: str, page: Page, desk: Desk) -> None:
    at = f"{site}/events/{desk.event.key}"
    page.goto(f"{at}/money/")
    page.get_by_role("link", name="To the auction").click()
    wrong = look_at(page, "without an auction")
    page.get_by_role("link", name="Hold an auction").click()
    cells = page.get_by_role("group", name="Prizes in percent, by place").get_by_role("textbox")
    for at_place, share in enumerate(("70", "30", "")):
        cells.nth(at_place).fill(share)
    page.get_by_label("Rake in percent").fill("10")
    page.get_by_label("Everyone sees lots").check()
    wrong += look_at(page, "the terms")
    page.get_by_role("button", name="Save").click()

    page.get_by_text("Put several up as a field").click()
    page.get_by_label("Name of the lot").fill("The field")
    page.get_by_label("Guest 3").check()
    page.get_by_label("Guest 4").check()
    page.get_by_role("button", name="Put up as one lot").click()
    expect(page.get_by_text("0 of 1 sold")).to_be_visible()
    page.get_by_role("button", name="Put up 2 players, each alone").click()
    expect(page.get_by_text("0 of 3 sold")).to_be_visible()
    wrong += look_at(page, "lots that are for sale")
    sell(page, "Guest 1", "100", "Zoe Buyer")
    sell(page, "Guest 2", "60", "guest 1")
    sell(page, "The field", "40", "Zoe Buyer")
    row = page.locator("#auction-lots .auction-lot").filter(has_text="The field")
    row.get_by_text("Buy a share back").click()
    row.get_by_label("Player").select_option(label="Guest 4")
    row.get_by_label("Percent").fill("25")
    row.get_by_role("button", name="Record the share").click()
    expect(row.get_by_text("Guest 4 · 25\u00a0% · 10.00 EUR")).to_be_visible()
    for said in (
        "Zoe Buyer has paid 100.00 EUR Guest 1",
        "Guest 1 has paid 60.00 EUR Guest 2",
        "Zoe Buyer has paid 30.00 EUR The field",
        "Guest 4 has paid 10.00 EUR The field",
    ):
        page.get_by_role("button", name=said).click()
        expect(page.get_by_role("button", name=said)).to_have_count(0)
    expect(page.get_by_text("In the auction's box now: 200.00 EUR")).to_be_visible()
    wrong += look_at(page, "lots that are sold and paid")

    desk.do(drawing.publish)
    desk.play_out()
    page.goto(f"{at}/auction/")
    page.get_by_role("button", name="Pay out").first.click()
    expect(page.get_by_text("has been paid out")).to_be_visible()
    wrong += look_at(page, "payouts")
    final = desk.event.pairings.get(key="main/2.1")
    score = (0, 5) if final.winner_id == final.a_id else (5, 0)
    desk.do(corrections.correct_result, key=final.key, score=score, reason="The other way round")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("is due")
    wrong += look_at(page, "what a correction does")
    page.goto(f"{at}/prizes/")
    expect(page.locator("#auction")).to_contain_text("Zoe Buyer 75\u00a0%")
    wrong += look_at(page, "the auction for everyone")
    page.goto(f"{at}/auction/sheet/")
    wrong += look_at(page, "the sheet")
    assert list(verifiers.verify_auctions()) == []
    assert not wrong, "\n".join(wrong)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext on this machine")
def test_the_sheet_of_an_auction_in_german_on_paper(
    site: str, page: Page, desk: Desk, tmp_path: Path
) -> None:
    desk.do(auctions.set_terms, terms=auctions.AuctionTerms(["70", "30"]))
    desk.do(auctions.add_lot, players=[3, 4], name="Das Feld")
    desk.do(auctions.add_lot_for_each)
    desk.do(auction_ledger.sell, lot=1, price=4000, buyer=Buyer(name="Zoë Käufer"))
    in_language(desk, "de")
    for size in ("A4", "Letter"):
        told = Printer(page, tmp_path, size).print(f"{site}/events/{desk.event.key}/auction/sheet/")
        wanted = ["Auktionsblatt", "Das Feld", "Guest 1", "Guest 2", "Zoë Käufer", "40,00"]
        assert missing(wanted, told) == []
