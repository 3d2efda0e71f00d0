"""Two treasurers at one box in the same moment: each line is written once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections

from money import verifiers
from money.auction import auction_ledger, auctions
from money.auction.auction_ledger import Buyer
from money.auction.auctions import AuctionTerms
from money.errors import LotSold, PaidAlready
from money.ledger import ledger
from money.models import AuctionKind, AuctionLine, AuctionParty, EventAuction, LineKind, MoneyLine
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tournaments.models import Tournament
from tournaments.plan import drawing
from tournaments.play import changes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
TREASURERS, LONGEST = 4, 60


def together(work: Callable[[], object]) -> list[type[Exception]]:
    """Run the work for all treasurers at once; the result is the types of the exceptions."""
    gate = threading.Barrier(TREASURERS)
    told: list[type[Exception]] = []

    def run() -> None:
        try:
            gate.wait(LONGEST)
            work()
        except Exception as problem:
            told.append(type(problem))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(TREASURERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    return told


@pytest.fixture
def ready(till: Till) -> Till:
    """All players have paid, and the final order is known."""
    till.announce(a_plan("single-elimination"), 4)
    till.agree()
    for entrant in (1, 2, 3):
        till.do(ledger.pay, entrant=entrant)
    till.do(drawing.publish)
    till.play_out()
    return till


def test_a_fee_is_taken_once(ready: Till) -> None:
    assert together(lambda: ready.do(ledger.pay, entrant=4)) == [PaidAlready] * (TREASURERS - 1)
    assert MoneyLine.objects.filter(entrant=4).count() == 1
    assert list(verifiers.verify_ledgers()) == []


def test_a_prize_is_paid_out_once(ready: Till) -> None:
    owed = ready.account.due[1]
    assert together(lambda: ready.do(ledger.pay_out, entrant=1, amount=owed)) == [PaidAlready] * (
        TREASURERS - 1
    )
    assert MoneyLine.objects.get(kind=LineKind.PAYOUT).amount == owed


def test_a_line_is_taken_back_once(ready: Till) -> None:
    assert together(lambda: ready.do(ledger.cancel_line, line=1, why="A slip")) == [PaidAlready] * (
        TREASURERS - 1
    )
    assert list(verifiers.verify_ledgers()) == []


def test_different_lines_all_come(ready: Till) -> None:
    assert together(lambda: ready.do(ledger.spend, amount=5, note="Tea")) == []
    assert ready.account.total(LineKind.EXPENSE) == 5 * TREASURERS
    assert list(verifiers.verify_ledgers()) == []


@pytest.mark.services
def test_without_the_lock_the_database_still_refuses_the_second(
    ready: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard off: all have looked before the first has written."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite one writes at a time whatever we do")
    gate = threading.Barrier(TREASURERS)
    owed = ready.account.due[1]
    create = MoneyLine.objects.create

    def late(**row: Any) -> MoneyLine:
        gate.wait(LONGEST)
        return create(**row)

    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )
    monkeypatch.setattr(MoneyLine.objects, "create", late)
    assert together(lambda: ready.do(ledger.pay_out, entrant=1, amount=owed)) == [IntegrityError] * (
        TREASURERS - 1
    )
    assert MoneyLine.objects.get(kind=LineKind.PAYOUT).amount == owed


@pytest.fixture
def hammer(till: Till) -> Till:
    """Four lots; the first is sold."""
    till.announce(a_plan("single-elimination"), 4)
    till.agree()
    till.do(auctions.set_terms, terms=AuctionTerms(["100"]))
    till.do(auctions.add_lot_for_each)
    till.do(auction_ledger.sell, lot=1, price=500, buyer=Buyer(name="Zoe"))
    return till


def test_a_lot_is_sold_once(hammer: Till) -> None:
    buyers = iter(range(1, TREASURERS + 1))

    def sell() -> None:
        hammer.do(auction_ledger.sell, lot=2, price=700, buyer=Buyer(next(buyers)))

    assert together(sell) == [LotSold] * (TREASURERS - 1)
    assert AuctionLine.objects.filter(kind=AuctionKind.SALE, lot=2).count() == 1


def test_a_lot_is_paid_once(hammer: Till) -> None:
    assert together(lambda: hammer.do(auction_ledger.pay, lot=1, party=1, amount=500)) == [PaidAlready] * (
        TREASURERS - 1
    )
    assert list(verifiers.verify_auctions()) == []


@pytest.mark.services
def test_without_the_lock_the_database_still_sells_a_lot_once(
    hammer: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard off: all have looked before the first has written, each for another buyer."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite one writes at a time whatever we do")
    for number in range(1, TREASURERS + 1):
        AuctionParty.objects.create(auction=EventAuction.objects.get(), number=number + 1, entrant=number)
    gate = threading.Barrier(TREASURERS)
    buyers = iter(range(1, TREASURERS + 1))
    create = AuctionLine.objects.create

    def late(**row: Any) -> AuctionLine:
        gate.wait(LONGEST)
        return create(**row)

    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )
    monkeypatch.setattr(AuctionLine.objects, "create", late)

    def sell() -> None:
        hammer.do(auction_ledger.sell, lot=2, price=700, buyer=Buyer(next(buyers)))

    assert together(sell) == [IntegrityError] * (TREASURERS - 1)
    assert AuctionLine.objects.filter(kind=AuctionKind.SALE, lot=2).count() == 1
