"""The pages of an auction: the desk's, what everyone may see, the sheet, the table, and the same for programs."""

from __future__ import annotations

import csv
import io
import re
from itertools import count
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from money.auction.auction_api import AuctionActShape
from money.models import AuctionLine, AuctionLot, EventAuction, MoneyLine
from players.models import NameStyle, Player
from tests.money.conftest import Till
from tests.money.test_money_pages import TERMS, at, words
from tests.tournaments.event_desk import a_plan
from tournaments.plan import drawing
from tournaments.play import corrections

AUCTION = {"prizes": "70, 30", "rake_percent": "10", "is_public": "on"}


@pytest.fixture
def desk(till: Till, client: Client) -> Till:
    client.force_login(till.director)
    till.announce(a_plan("single-elimination"), 4)
    return till


def say(desk: Till, client: Client, page: str, **form: object) -> str:
    """Send a form; return what the page says after it."""
    answer = client.post(at(desk, f"auction/{page}/"), form, follow=True)
    return words(answer)


def opened(desk: Till, client: Client) -> None:
    desk.agree(fee=0, prizes={})
    client.post(at(desk, "auction/terms/"), AUCTION)
    say(desk, client, "lots", each="yes")


def test_an_auction_is_off_until_a_director_holds_one(desk: Till, client: Client) -> None:
    assert "First choose the currency" in words(client.get(at(desk, "auction/")))
    assert client.get(at(desk, "auction/sheet/")).status_code == 404
    assert client.get(at(desk, "auction/lots.csv")).status_code == 404
    desk.agree()
    assert "offers no odds" in words(client.get(at(desk, "auction/")))
    assert client.post(at(desk, "auction/terms/"), {**AUCTION, "prizes": "70, 31"}).status_code == 422
    assert client.post(at(desk, "auction/terms/"), {**AUCTION, "prizes": "0"}).status_code == 302
    assert client.post(at(desk, "auction/terms/"), AUCTION)["Location"] == at(desk, "auction/")
    assert "The auction is removed." in say(desk, client, "call-off")
    assert not EventAuction.objects.exists()


def test_an_auction_alone_is_shown_without_zeros_of_fees(desk: Till, client: Client) -> None:
    desk.agree(fee=0, prizes={}, registration=0, added=0, rake_percent=0)
    client.post(at(desk, "auction/terms/"), AUCTION)
    said = words(client.get(at(desk, "prizes/")))
    assert "Auction of the players" in said
    assert "No prizes are named." not in said
    assert "Entry fees" not in said

    client.post(at(desk, "auction/terms/"), {**AUCTION, "is_public": ""})
    assert "No prizes are named." in words(client.get(at(desk, "prizes/")))


@pytest.mark.long
def test_an_auction_from_the_hammer_to_the_payout(desk: Till, client: Client) -> None:
    opened(desk, client)
    assert "0 of 4 sold" in words(client.get(at(desk, "auction/")))
    answer = client.post(at(desk, "auction/sell/"), {"lot": 1, "price": "much", "buyer": "Zoe"})
    assert "Write an amount" in words(answer, 422)
    assert [answer.text.count(f'value="{typed}"') for typed in ("much", "Zoe")] == [1, 1]
    for lot in (1, 2, 3, 4):
        told = say(desk, client, "sell", lot=lot, price=f"{lot}0", buyer="guest 2" if lot == 1 else "Zoe")
    assert "All lots that are sold 100.00 EUR" in told
    # A buyer with the name of a player is that player.
    assert EventAuction.objects.get().parties.get(number=1).entrant == 2
    told = say(desk, client, "buy-back", lot=4, entrant=4, percent="50 %")
    assert "Guest 4 · 50 % · 20.00 EUR" in told
    for typed in ("half", "9e999999", "sNaN"):
        answer = client.post(at(desk, "auction/buy-back/"), {"lot": 2, "entrant": 2, "percent": typed})
        assert "100 percent" in words(answer, 422)
        assert answer.text.count(f'value="{typed}"') == 1
    for lot, party, amount in ((1, 1, 1000), (2, 2, 2000), (3, 2, 3000), (4, 2, 2000), (4, 3, 2000)):
        told = say(desk, client, "pay", lot=lot, party=party, amount=amount)
    assert "In the auction's box now: 100.00 EUR" in told
    assert "Still to be paid" not in told
    desk.do(drawing.publish)
    desk.play_out()
    final = desk.row("main/2.1")
    told = words(client.get(at(desk, "auction/")))
    assert "Pay out" in told
    # The winner is Guest 1 in lot 1: 63.00 of 90.00 go to who bought them.
    assert final.winner.number == 1
    assert "Paid out." in say(desk, client, "pay-out", party=1, amount=6300)
    score = (0, 5) if final.winner_id == final.a_id else (5, 0)
    desk.do(corrections.correct_result, key=final.key, score=score, reason="The other way round")
    told = words(client.get(at(desk, "auction/")))
    assert "Guest 2 was paid 63.00 EUR and is due 27.00 EUR." in told
    line = AuctionLine.objects.get(kind="payout").number
    say(desk, client, "take-back", line=line, why="Corrected")
    assert "Pay out 27.00 EUR" in words(client.get(at(desk, "auction/")))


def test_everyone_sees_the_table_where_the_club_wants_it(desk: Till, client: Client) -> None:
    opened(desk, client)
    say(desk, client, "sell", lot=1, price="10", buyer="Zoe Smith")
    client.logout()
    told = words(client.get(at(desk, "prizes/")))
    assert "Zoe Smith 10.00 EUR" in told
    assert "Prizes include every sold lot, paid or not." in told
    assert "auction's box" not in told
    assert client.get(at(desk, "auction/")).status_code == 302
    client.force_login(desk.director)
    client.post(at(desk, "auction/terms/"), {**AUCTION, "is_public": ""})
    client.logout()
    assert "Zoe Smith" not in words(client.get(at(desk, "prizes/")))


def test_a_buyer_is_found_by_the_whole_name_and_by_the_one_that_is_shown(desk: Till, client: Client) -> None:
    for number, name in enumerate(("Anna Meyer", "Bo Holm", "Cleo Diaz", "Anna Mohr"), 1):
        Player.objects.filter(entries__tournament=desk.event, entries__number=number).update(name=name)
    desk.club.name_style = NameStyle.LAST_INITIAL
    desk.club.save()
    opened(desk, client)
    for lot, buyer in enumerate(("Bo H.", "Bo Holm", "anna mohr"), 1):
        say(desk, client, "sell", lot=lot, price="10", buyer=buyer)

    parties = EventAuction.objects.get().parties.order_by("number")
    assert list(parties.values_list("entrant", flat=True)) == [2, 4]
    client.logout()
    told = words(client.get(at(desk, "prizes/")))
    assert "Bo H. 10.00 EUR" in told
    assert "Bo Holm" not in told


def test_lots_are_put_up_alone_or_as_a_field_and_taken_away(desk: Till, client: Client) -> None:
    desk.agree()
    client.post(at(desk, "auction/terms/"), AUCTION)
    assert "The field" in say(desk, client, "lots", name="The field", player=["3", "4"])
    assert "Put up 2 players, each alone" in words(client.get(at(desk, "auction/")))
    answer = client.post(at(desk, "auction/lots/"), {"name": "The rest", "player": ["2", "3", "x"]})
    assert "in no other lot" in words(answer, 422)
    assert 'value="The rest"' in answer.text
    assert re.findall(r'value="(\d)"\s+checked', answer.text) == ["2"]
    say(desk, client, "lots", each="yes")
    assert "The lot is removed." in say(desk, client, "lots/take-down", lot=1)
    assert AuctionLot.objects.count() == 2


def test_the_sheet_and_the_table_have_every_lot(desk: Till, client: Client) -> None:
    opened(desk, client)
    say(desk, client, "sell", lot=1, price="10", buyer="=Zoe")
    told = words(client.get(at(desk, "auction/sheet/")))
    assert all(f"Guest {number}" in told for number in (1, 2, 3, 4))
    answer = client.get(at(desk, "auction/lots.csv"))
    assert answer["Content-Disposition"].startswith("attachment")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["lot"] for row in rows] == ["1", "2", "3", "4"]
    # No spreadsheet takes a name for a formula.
    assert (rows[0]["owner"], rows[0]["cost"], rows[0]["paid"]) == ("'=Zoe", "10.00", "0.00")
    assert "Auction sheet" in words(client.get(at(desk, "print/")))


@pytest.mark.long
def test_a_reduced_fee_is_a_button_with_its_amount(desk: Till, client: Client) -> None:
    form = {**TERMS, "reduced": "Junior: 10 + 1,25\nStudent: 15"}
    assert client.post(at(desk, "money/terms/"), form).status_code == 302
    told = words(client.get(at(desk)))
    assert "Junior 11.25 EUR Guest 1" in told
    assert "Reduced: Student 15.00 EUR" in told
    assert "Junior 11.25 EUR Guest 1" in words(client.get(at(desk, "roster/")))
    shown = client.get(at(desk, "money/terms/")).content.decode()
    assert "Junior: 10.00 + 1.25\nStudent: 15.00" in shown
    client.post(at(desk, "money/pay/"), {"entrant": 1, "reduced": "Junior", "back": "roster"})
    assert [line.note for line in MoneyLine.objects.all()] == ["Junior", "Junior"]
    for wrong in ("Junior 10", ": 10", "Junior: x", "Junior: 20.001"):
        assert client.post(at(desk, "money/terms/"), {**TERMS, "reduced": wrong}).status_code == 422


@pytest.mark.long
def test_an_auction_over_the_api(desk: Till) -> None:
    client = APIClient()
    client.force_authenticate(desk.director)
    numbers = count(1)
    root = f"/api/v1/events/{desk.event.key}/auction/"

    def post(page: str, status: int = 201, **said: Any) -> Any:
        named = {"Idempotency-Key": f"a request, number {next(numbers)}"}
        answer = client.post(f"{root}{page}/", said, format="json", headers=named)
        assert answer.status_code == status, answer.content
        return answer.json()

    terms = {"prizes": ["70", "30"], "rake_percent": "10.00", "is_public": False}
    assert client.put(root, terms, format="json").json()["code"] == "no_money"
    assert client.get(root).status_code == 404
    desk.agree()
    assert client.put(root, terms, format="json").json()["terms"] == terms
    assert post("lots", players=[1, 2], name="Two")["number"] == 1
    assert post("lots", 409, players=[1])["code"] == "bad_lot"
    [sold] = post("lines", act="sell", lot=1, amount=1001, buyer="Zoe")
    assert (sold["kind"], sold["party"], sold["amount"]) == ("sale", 1, 1001)
    assert post("lines", 409, act="sell", lot=1, amount=5, entrant=3)["code"] == "lot_sold"
    post("lines", 400, act="buy_back", lot=1)
    post("lines", act="buy_back", lot=1, entrant=2, percent="50")
    post("lines", act="pay", lot=1, party=1, amount=501)
    assert post("lines", 409, act="pay_out", party=1, amount=5)["code"] == "not_settled"
    told = client.get(root).json()
    assert told["sums"] == {"pool": 1001, "rake": 100, "payouts": 0, "carried": 901}
    assert told["lots"][0]["owners"] == [
        {"party": 1, "percent": "50.00", "cost": 501, "paid": 501, "won": 0},
        {"party": 2, "percent": "50.00", "cost": 500, "paid": 0, "won": 0},
    ]
    desk.do(drawing.publish)
    desk.play_out()
    [paid] = post("lines", act="pay_out", party=1, amount=client.get(root).json()["parties"][0]["due"])
    assert len(post("lines", act="take_back", line=paid["number"], note="A slip")) == 1
    assert len(client.get(f"{root}lines/").json()["results"]) == 5
    assert APIClient().get(root).status_code == 404
    client.put(root, {**terms, "is_public": True}, format="json")
    seen = APIClient().get(root).json()
    assert seen["lots"][0]["price"] == 1001
    assert [owner["paid"] for owner in seen["lots"][0]["owners"]] == [None, None]
    assert {(party["to_pay"], party["paid_out"]) for party in seen["parties"]} == {(None, None)}
    told = client.get(root).json()
    assert [owner["paid"] for owner in told["lots"][0]["owners"]] == [501, 0]
    assert [party["to_pay"] for party in told["parties"]] == [0, 500]


def test_a_field_that_an_act_of_an_auction_does_not_read_is_refused() -> None:
    form = AuctionActShape(data={"act": "pay_out", "party": 1, "amount": 5, "percent": "50"})
    assert not form.is_valid()
    assert form.errors["percent"][0].code == "unknown_field"
    assert AuctionActShape(data={"act": "sell", "lot": 1, "amount": 5, "buyer": "Ann"}).is_valid()
