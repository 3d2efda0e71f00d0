"""Whole random nights through the services: acts of treasurers neither lose nor create money."""

from __future__ import annotations

import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from money import verifiers
from money.errors import MoneyError
from money.ledger import ledger
from money.models import LineKind, MoneyLine
from money.terms import terms
from money.terms.terms import PoolTerms
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tournaments.base.errors import TournamentError
from tournaments.models import Entry
from tournaments.plan import drawing
from tournaments.play import corrections

pytestmark = pytest.mark.long
PRIZES = (
    {"main": ["50", "30", "20"]},
    {"main": ["50", "25"], "consolation": ["25"]},
    {"main": ["100/3", "100/3", "33.3"]},
    {"main": ["40", "30", "20", "10", "0", "0", "0"]},
    {},
)
FORMATS = ("single-elimination", "progressive-consolation", "round-robin")


class Night:
    def __init__(self, till: Till, chance: random.Random) -> None:
        self.till, self.chance = till, chance
        self.acts = 0

    def begin(self) -> None:
        till, chance = self.till, self.chance
        till.announce(a_plan(chance.choice(FORMATS)), chance.randint(2, 9))
        till.agree(
            currency=chance.choice(["EUR", "JPY", "KWD"]),
            decimals=chance.choice([0, 2, 3]),
            fee=chance.choice([0, 7, 1001, 2500]),
            registration=chance.choice([0, 3, 499]),
            added=chance.choice([0, 1, 5000]),
            rake_percent=Decimal(chance.choice(["0", "10", "12.5", "33.33", "100"])),
            prizes=chance.choice(PRIZES),
        )
        for number in range(chance.randint(0, 2)):
            prizes = chance.choice([["100"], ["60", "40"], ["50"]])
            reading = chance.choice(["main", "main-first", "consolation-first"])
            pool = PoolTerms(f"Pool {number}", chance.choice([1, 333]), prizes, Decimal(5), reading)
            till.do(terms.open_pool, terms=pool)

    def some_acts(self, count: int) -> None:
        for _ in range(count):
            self.till.now += timedelta(seconds=1)
            try:
                self.act()
            except (MoneyError, TournamentError):
                self.must_add_up()
            else:
                self.acts += 1
                self.must_add_up()

    def act(self) -> None:
        till, chance = self.till, self.chance
        who = chance.choice([entry.number for entry in Entry.objects.filter(tournament=till.event)])
        account = till.account
        kind = chance.choice(
            ["pay", "pay", "again", "stake", "stake", "spend", "counter", "out", "out", "split"]
        )
        if kind in {"pay", "again"}:
            till.do(ledger.pay, entrant=who, again=kind == "again")
        elif kind == "stake":
            till.do(ledger.stake, entrant=who, pool=chance.randint(1, 2))
        elif kind == "spend":
            till.do(ledger.spend, amount=chance.choice([1, 250, 9999]), note="Tea")
        elif kind == "counter":
            till.do(ledger.cancel_line, line=chance.randint(1, len(account.lines) + 1), why="A slip")
        elif kind == "out":
            owed = account.due.get(who, 0) - account.paid_out.get(who, 0)
            till.do(ledger.pay_out, entrant=who, amount=owed)
        else:
            self.split(account.due)

    def split(self, due: Any) -> None:
        both = self.chance.sample(sorted(due), min(2, len(due)))
        together = sum(due[who] for who in both)
        first = self.chance.randint(0, max(0, together))
        self.till.do(ledger.split, shares=dict(zip(both, (first, together - first), strict=False)))

    def correct(self) -> None:
        rows = [row for row in self.till.event.pairings.filter(kind="played") if row.winner_id]
        row = self.chance.choice(rows)
        score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
        self.till.do(
            corrections.correct_result, key=row.key, score=score, reason="The other way round", stand=False
        )
        self.must_add_up()
        while self.till.open():
            self.till.play(self.till.open()[0].key)
        self.till.fresh()

    def must_add_up(self) -> None:
        account = self.till.account
        result = account.settlement
        taken = account.total(LineKind.FEE) + account.total(LineKind.STAKE) + account.money.added
        assert taken == sum(result.payouts.values()) + result.kept + result.expenses + result.carried
        assert sum(account.due.values()) == sum(result.payouts.values())
        assert (
            min([share.amount for share in result.shares] + [carry.amount for carry in result.carries] + [0])
            == 0
        )
        box = taken + account.registration - account.total(LineKind.EXPENSE) - sum(account.paid_out.values())
        assert account.in_hand == box
        assert list(verifiers.verify_ledgers()) == []


@pytest.mark.parametrize("seed", range(12))
def test_not_a_unit_is_lost_or_made_in_a_whole_night(till: Till, seed: int) -> None:
    night = Night(till, random.Random(seed))
    night.begin()
    night.some_acts(15)
    till.do(drawing.publish)
    night.some_acts(5)
    till.play_out()
    night.some_acts(15)
    before = list(MoneyLine.objects.order_by("number").values())
    night.correct()
    night.some_acts(10)
    # Later acts change none of the earlier lines.
    assert list(MoneyLine.objects.order_by("number").values())[: len(before)] == before
    assert night.acts > 5
