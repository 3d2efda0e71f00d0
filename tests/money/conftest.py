"""A director's desk, and an event that is played for money."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from money.ledger import accounts
from money.models import EventMoney
from money.terms import terms
from money.terms.terms import MoneyTerms
from tests.tournaments.event_desk import Desk

if TYPE_CHECKING:
    from datetime import datetime

    from money.ledger.accounts import Account


class Till(Desk):
    """A desk with a box for money."""

    def agree(self, **said: Any) -> EventMoney:
        usual: dict[str, Any] = {
            "currency": "EUR",
            "fee": 2000,
            "rake_percent": Decimal(10),
            "prizes": {"main": ["50", "30", "20"]},
        }
        return self.do(terms.set_terms, terms=MoneyTerms(**{**usual, **said}))

    @property
    def account(self) -> Account:
        money = EventMoney.objects.select_related("event__club").get(event=self.event)
        return accounts.load_account(money)


@pytest.fixture
def till(db: None, now: datetime) -> Till:
    return Till(now)
