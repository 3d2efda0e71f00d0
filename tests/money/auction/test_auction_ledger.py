"""The ledger of an auction: lots, sales, shares, payments and payouts, and that no line is ever changed."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from money import receivers, verifiers
from money.auction import auction_account as accounts
from money.auction import auction_ledger, auctions
from money.auction.auction_account import AuctionAccount
from money.auction.auction_ledger import Buyer
from money.auction.auctions import AuctionTerms
from money.errors import (
    BadBuyer,
    BadLot,
    BadPrice,
    BadShare,
    BadTerms,
    DueChanged,
    LinesThere,
    LotSold,
    NoAuction,
    NoMoney,
    NothingToPay,
    NotSettled,
    NotSold,
    PaidAlready,
    PaysFirst,
    TooLate,
    UnknownLine,
    UnknownLot,
)
from money.ledger import ledger
from money.models import AuctionKind, AuctionLine, EventAuction
from money.terms import terms
from money.terms.terms import ReducedFee
from players.accounts import accounts as people
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tournaments.base.errors import NotDirector, ReasonNeeded, TournamentError
from tournaments.hooks import event_repeated
from tournaments.plan import drawing
from tournaments.play import corrections

KNOCK_OUT = a_plan("single-elimination")
ZOE = Buyer(name="Zoe")


def night(till: Till, players: int = 4, **said: Any) -> None:
    """An event with an auction in which every player is a lot."""
    till.announce(KNOCK_OUT, players)
    till.agree(fee=0, prizes={})
    usual: dict[str, Any] = {"prizes": ["70", "30"], "rake_percent": Decimal(10)}
    till.do(auctions.set_terms, terms=AuctionTerms(**{**usual, **said}))
    till.do(auctions.add_lot_for_each)


def account(till: Till) -> AuctionAccount:
    return accounts.load_account(
        EventAuction.objects.select_related("money__event").get(money__event=till.event)
    )


def pays_all(till: Till) -> None:
    there = account(till)
    for lot, sale in there.sales.items():
        for party in sale.owners:
            if there.to_pay(lot, party):
                till.do(auction_ledger.pay, lot=lot, party=party, amount=there.to_pay(lot, party))


def finish(till: Till) -> None:
    till.do(drawing.publish)
    till.play_out()


@pytest.mark.long
def test_an_auction_from_lots_to_payouts(till: Till) -> None:
    night(till)
    for lot, price in enumerate((1000, 500, 300, 200), 1):
        till.do(auction_ledger.sell, lot=lot, price=price, buyer=ZOE if lot < 3 else Buyer(1))
    till.do(auction_ledger.buy_back, lot=2, entrant=2, percent=Decimal("33.33"))
    there = account(till)
    assert {there.party_name(number) for number in there.parties} == {"Zoe", "Guest 1", "Guest 2"}
    assert there.settlement.pool == 2000
    assert {key: amount for key, amount in there.costs.items() if key[0] == 2} == {(2, 1): 333, (2, 3): 167}
    with pytest.raises(DueChanged):
        till.do(auction_ledger.pay, lot=2, party=1, amount=500)
    pays_all(till)
    assert account(till).in_hand == 2000
    with pytest.raises(NotSettled):
        till.do(auction_ledger.pay_out, party=1, amount=1)
    finish(till)
    there = account(till)
    assert sum(there.due(party) for party in there.parties) == 1800
    for party in there.parties:
        if there.due(party):
            with pytest.raises(DueChanged):
                till.do(auction_ledger.pay_out, party=party, amount=there.due(party) - 1)
            till.do(auction_ledger.pay_out, party=party, amount=there.due(party))
            with pytest.raises(PaidAlready):
                till.do(auction_ledger.pay_out, party=party, amount=there.due(party))
    assert account(till).in_hand == 200
    assert list(verifiers.verify_auctions()) == []


@pytest.mark.long
def test_who_won_the_consolation_takes_no_prize_from_the_owners_of_semi_finalists(till: Till) -> None:  # A3
    till.announce(a_plan("progressive-consolation"), 8)
    till.agree(fee=0, prizes={})
    till.do(auctions.set_terms, terms=AuctionTerms(prizes=["50", "30", "20"]))
    for lot in till.do(auctions.add_lot_for_each):
        till.do(auction_ledger.sell, lot=lot.number, price=100, buyer=ZOE)
    finish(till)
    final, *semis = (till.row(key) for key in ("main/3.1", "main/2.1", "main/2.2"))
    lost = [row.a if row.winner == row.b else row.b for row in (final, *semis)]
    due = dict(zip([final.winner, *lost], (400, 240, 80, 80), strict=True))
    assert {lot: amount for lot, amount in account(till).won.items() if amount} == {
        entry.number: amount for entry, amount in due.items() if entry
    }


@pytest.mark.long
def test_the_owner_of_the_winner_of_the_event_has_the_first_prize(till: Till) -> None:
    """A later knock-out of those who did not come into the deciding one has a consolation."""
    till.announce_stages()
    till.agree(fee=0, prizes={})
    till.do(auctions.set_terms, terms=AuctionTerms(prizes=["100"]))
    for lot in till.do(auctions.add_lot_for_each):
        till.do(auction_ledger.sell, lot=lot.number, price=100, buyer=ZOE)
    finish(till)
    winner = till.row("title/main/2.1").winner
    assert {lot: amount for lot, amount in account(till).won.items() if amount} == {winner.number: 1200}


@pytest.mark.long
def test_a_corrected_result_changes_what_is_due_and_nothing_that_was_paid_out(till: Till) -> None:
    night(till)
    for lot in (1, 2, 3, 4):
        till.do(auction_ledger.sell, lot=lot, price=100 * lot, buyer=Buyer(name=f"Buyer {lot}"))
    pays_all(till)
    finish(till)
    final = till.row("main/2.1")
    won = final.winner.number
    due = account(till).due(won)
    till.do(auction_ledger.pay_out, party=won, amount=due)
    before = list(AuctionLine.objects.order_by("number").values())
    score = (0, 5) if final.winner_id == final.a_id else (5, 0)
    till.do(corrections.correct_result, key=final.key, score=score, reason="The other way round")
    there = account(till)
    assert (there.had(won), there.due(won)) == (due, 270)
    assert list(AuctionLine.objects.order_by("number").values()) == before
    with pytest.raises(PaidAlready):
        till.do(auction_ledger.pay_out, party=won, amount=270)
    line = AuctionLine.objects.get(kind=AuctionKind.PAYOUT).number
    till.do(auction_ledger.cancel_line, line=line, why="The result was corrected")
    till.do(auction_ledger.pay_out, party=won, amount=270)
    assert list(verifiers.verify_auctions()) == []


def test_prizes_count_lots_that_are_not_paid_and_their_buyer_pays_first(till: Till) -> None:
    night(till)
    for lot in (1, 2, 3, 4):
        till.do(auction_ledger.sell, lot=lot, price=1000, buyer=ZOE)
    finish(till)
    assert account(till).settlement.prize_money == 3600
    with pytest.raises(PaysFirst, match=r"Zoe still has to pay 40\.00 EUR"):
        till.do(auction_ledger.pay_out, party=1, amount=3600)


def test_a_field_is_one_lot_and_nobody_is_in_two(till: Till) -> None:
    till.announce(KNOCK_OUT, 4)
    till.agree()
    till.do(auctions.set_terms, terms=AuctionTerms(["100"]))
    field = till.do(auctions.add_lot, players=[3, 4, 3], name="The field")
    assert account(till).fields[field.number] == (3, 4)
    for players in ([], [4, 1], [9]):
        with pytest.raises(BadLot):
            till.do(auctions.add_lot, players=players)
    till.do(auctions.add_lot_for_each)
    with pytest.raises(BadLot):
        till.do(auctions.add_lot_for_each)
    till.do(auction_ledger.sell, lot=1, price=50, buyer=ZOE)
    with pytest.raises(LotSold):
        till.do(auctions.remove_lot, lot=1)
    till.do(auctions.remove_lot, lot=2)
    assert account(till).free == (1,)


def test_what_cannot_be_sold(till: Till) -> None:
    night(till)
    for price in (0, -1, 10**13):
        with pytest.raises(BadPrice):
            till.do(auction_ledger.sell, lot=1, price=price, buyer=ZOE)
    with pytest.raises(UnknownLot):
        till.do(auction_ledger.sell, lot=9, price=1, buyer=ZOE)
    for buyer in (Buyer(), Buyer(name="  "), Buyer(99)):
        with pytest.raises(BadBuyer):
            till.do(auction_ledger.sell, lot=1, price=1, buyer=buyer)
    till.do(auction_ledger.sell, lot=1, price=1, buyer=Buyer(name="Zoë Smith"))
    with pytest.raises(LotSold):
        till.do(auction_ledger.sell, lot=1, price=2, buyer=ZOE)
    # One buyer, however the name is typed.
    till.do(auction_ledger.sell, lot=2, price=1, buyer=Buyer(name="zoe  smith"))
    assert list(account(till).parties) == [1]
    finish(till)
    with pytest.raises(TooLate):
        till.do(auction_ledger.sell, lot=3, price=1, buyer=ZOE)


def test_shares_are_of_players_of_the_lot_and_of_what_is_left(till: Till) -> None:
    night(till)
    with pytest.raises(NotSold):
        till.do(auction_ledger.buy_back, lot=1, entrant=1, percent=Decimal(50))
    till.do(auction_ledger.sell, lot=1, price=1000, buyer=ZOE)
    for entrant, percent in (
        (2, "50"),
        (1, "0"),
        (1, "-5"),
        (1, "100.01"),
        (1, "1.005"),
        (1, "NaN"),
        (1, "1e9"),
    ):
        with pytest.raises(BadShare):
            till.do(auction_ledger.buy_back, lot=1, entrant=entrant, percent=Decimal(percent))
    till.do(auction_ledger.buy_back, lot=1, entrant=1, percent=Decimal(100))
    with pytest.raises(PaidAlready):
        till.do(auction_ledger.buy_back, lot=1, entrant=1, percent=Decimal(1))
    till.do(auction_ledger.pay, lot=1, party=2, amount=1000)
    with pytest.raises(PaidAlready):
        till.do(auction_ledger.pay, lot=1, party=1, amount=1000)
    with pytest.raises(NotSold):
        till.do(auction_ledger.pay, lot=1, party=3, amount=1000)
    till.do(auction_ledger.sell, lot=2, price=1000, buyer=Buyer(2))
    with pytest.raises(BadShare):
        till.do(auction_ledger.buy_back, lot=2, entrant=2, percent=Decimal(1))
    till.do(auction_ledger.sell, lot=3, price=1000, buyer=ZOE)
    till.do(auction_ledger.pay, lot=3, party=1, amount=1000)
    with pytest.raises(LinesThere):
        till.do(auction_ledger.buy_back, lot=3, entrant=3, percent=Decimal(1))


def test_a_sale_is_taken_back_with_its_shares_but_not_under_a_payment(till: Till) -> None:
    night(till)
    till.do(auction_ledger.sell, lot=1, price=1000, buyer=ZOE)
    till.do(auction_ledger.buy_back, lot=1, entrant=1, percent=Decimal(50))
    paid = till.do(auction_ledger.pay, lot=1, party=2, amount=500)
    with pytest.raises(LinesThere):
        till.do(auction_ledger.cancel_line, line=1, why="The wrong lot")
    with pytest.raises(ReasonNeeded):
        till.do(auction_ledger.cancel_line, line=paid.number, why=" ")
    till.do(auction_ledger.cancel_line, line=paid.number, why="A slip")
    assert len(till.do(auction_ledger.cancel_line, line=1, why="The wrong lot")) == 2
    with pytest.raises(PaidAlready):
        till.do(auction_ledger.cancel_line, line=1, why="Again")
    with pytest.raises(UnknownLine):
        till.do(auction_ledger.cancel_line, line=4, why="A counter-entry")
    with pytest.raises(LinesThere):
        till.do(auctions.remove_lot, lot=1)
    till.do(auction_ledger.sell, lot=1, price=2000, buyer=Buyer(1))
    assert account(till).sales[1].price == 2000
    assert list(verifiers.verify_auctions()) == []


def test_terms_are_fixed_with_the_first_sale_but_not_who_sees_them(till: Till) -> None:
    till.announce(KNOCK_OUT, 4)
    with pytest.raises(NoMoney):
        till.do(auctions.set_terms, terms=AuctionTerms(["100"]))
    till.agree()
    with pytest.raises(NoAuction):
        till.do(auctions.add_lot, players=[1])
    for bad in (AuctionTerms([]), AuctionTerms(["60", "41"]), AuctionTerms(["100"], Decimal(101))):
        with pytest.raises(BadTerms):
            till.do(auctions.set_terms, terms=bad)
    till.do(auctions.set_terms, terms=AuctionTerms(["100"]))
    till.do(auctions.delete_auction)
    till.do(auctions.set_terms, terms=AuctionTerms(["60", "40"]))
    till.do(auctions.add_lot_for_each)
    till.do(auction_ledger.sell, lot=1, price=10, buyer=ZOE)
    with pytest.raises(LinesThere):
        till.do(auctions.set_terms, terms=AuctionTerms(["100"]))
    till.do(auctions.set_terms, terms=AuctionTerms(["60", "40"], is_public=True))
    for act in (auctions.delete_auction, terms.delete_terms):
        with pytest.raises(LinesThere):
            till.do(act)
    with pytest.raises(LinesThere):
        till.agree(currency="USD")


def test_only_directors_of_the_club_write(till: Till) -> None:
    night(till)
    other = people.register(email="other@example.org", password=None, name="Other", now=till.now)
    with pytest.raises(NotDirector):
        auction_ledger.sell(tournament_id=till.pk, lot=1, price=1, buyer=ZOE, by=other, now=till.now)


def test_no_line_is_ever_changed(till: Till) -> None:
    night(till)
    till.do(auction_ledger.sell, lot=1, price=10, buyer=ZOE)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        AuctionLine.objects.update(amount=20)


def test_a_person_takes_home_what_they_bought(till: Till) -> None:
    night(till)
    till.do(auction_ledger.sell, lot=1, price=10, buyer=Buyer(2))
    till.do(auction_ledger.sell, lot=2, price=20, buyer=ZOE)
    assert [line["units"] for line in receivers.export_auction_lines(till.player(2))] == [10]
    assert receivers.export_auction_lines(till.player(1)) == []


def test_a_later_event_of_a_series_has_the_same_auction_without_lots(till: Till) -> None:
    night(till)
    like = till.event
    event = till.announce(KNOCK_OUT, 2)
    event_repeated.send(sender=None, event=event, like=like, now=till.now)
    there = EventAuction.objects.get(money__event=event)
    assert (there.prizes, there.rake_percent, there.lots.count()) == (["70", "30"], Decimal(10), 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_not_a_unit_is_lost_whatever_treasurers_do(till: Till, seed: int) -> None:
    chance = random.Random(seed)
    till.announce(a_plan(chance.choice(["single-elimination", "round-robin"])), chance.randint(2, 8))
    till.agree(currency="KWD", decimals=chance.choice([0, 2, 3]))
    prizes = chance.choice([["100"], ["50", "30", "20"], ["100/3", "100/3", "33.3"], ["40", "0", "10"]])
    till.do(auctions.set_terms, terms=AuctionTerms(prizes, Decimal(chance.choice(["0", "12.5", "33.33"]))))
    done = 0

    def some(count: int) -> int:
        ok = 0
        for _ in range(count):
            try:
                act(till, chance)
            except TournamentError:
                pass
            else:
                ok += 1
            must_add_up(till)
        return ok

    done += some(10)
    if account(till).free:
        till.do(auctions.add_lot_for_each)
    done += some(40)
    till.do(drawing.publish)
    till.play_out()
    done += some(40)
    before = list(AuctionLine.objects.order_by("number").values())
    rows = [row for row in till.event.pairings.filter(kind="played") if row.winner_id]
    row = chance.choice(rows)
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    till.do(corrections.correct_result, key=row.key, score=score, reason="The other way round", stand=False)
    must_add_up(till)
    done += some(10)
    assert list(AuctionLine.objects.order_by("number").values())[: len(before)] == before
    assert done >= 8


def act(till: Till, chance: random.Random) -> None:
    there = account(till)
    lot, who = chance.randint(1, len(there.lots) + 1), chance.randint(1, len(there.entries) + 1)
    party = chance.choice([*there.parties, 1])
    kind = chance.choice(["up", "sell", "sell", "back", "pay", "pay", "out", "out", "counter"])
    if kind == "up":
        till.do(auctions.add_lot, players=chance.sample(range(1, len(there.entries) + 2), 2))
    elif kind == "sell":
        buyer = chance.choice([Buyer(who), ZOE, Buyer(name="Yan")])
        till.do(auction_ledger.sell, lot=lot, price=chance.choice([1, 333, 10_001]), buyer=buyer)
    elif kind == "back":
        percent = Decimal(chance.choice(["50", "33.33", "0.01"]))
        till.do(auction_ledger.buy_back, lot=lot, entrant=who, percent=percent)
    elif kind == "pay":
        owes = [(each, one) for each, sale in there.sales.items() for one in sale.owners]
        lot, party = chance.choice(owes or [(lot, party)])
        amount = there.to_pay(lot, party) if owes else 1
        till.do(auction_ledger.pay, lot=lot, party=party, amount=amount)
    elif kind == "out":
        till.do(auction_ledger.pay_out, party=party, amount=there.due(party) - there.had(party))
    else:
        till.do(auction_ledger.cancel_line, line=chance.randint(1, len(there.lines) + 1), why="A slip")


def must_add_up(till: Till) -> None:
    there = account(till)
    result = there.settlement
    assert result.pool == sum(result.payouts.values()) + result.rake + result.carried
    assert sum(there.costs.values()) == result.pool
    assert min([*there.costs.values(), *there.gains.values(), 0]) == 0
    assert list(verifiers.verify_auctions()) == []


# Reduced fees


def test_a_reduced_fee_is_a_line_with_its_reason(till: Till) -> None:
    till.announce(KNOCK_OUT, 3)
    till.agree(registration=500, reduced=[ReducedFee("Junior", 1000, 250), ReducedFee("Helper", 0, 1)])
    lines = till.do(ledger.pay, entrant=1, reduced="Junior")
    assert [(line.amount, line.note) for line in lines] == [(1000, "Junior"), (250, "Junior")]
    with pytest.raises(PaidAlready):
        till.do(ledger.pay, entrant=1)
    with pytest.raises(NothingToPay):
        till.do(ledger.pay, entrant=2, reduced="Senior")
    assert [line.amount for line in till.do(ledger.pay, entrant=2, reduced="Helper")] == [1]
    till.do(ledger.pay, entrant=3)
    assert till.account.settlement.fees == 3000
    assert till.account.registration == 751
    assert list(verifiers.verify_ledgers()) == []
    with pytest.raises(LinesThere):
        till.agree(registration=500)


@pytest.mark.parametrize(
    "reduced",
    [[("Junior", 2000)], [("Junior", 2001)], [("Junior", 0)], [("Junior", -1)], [("A b", 5), ("a B", 6)]],
)
def test_a_reduced_fee_is_lower_and_there_once(till: Till, reduced: list[tuple[str, int]]) -> None:
    till.announce(KNOCK_OUT, 2)
    with pytest.raises(BadTerms):
        till.agree(reduced=[ReducedFee(*one) for one in reduced])
