"""A director's desk, and an event that is played for money."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from money.ledger import accounts
from money.ledger.accounts import Account
from money.models import EventMoney
from money.terms import terms
from money.terms.terms import MoneyTerms
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan.templates import StagePlan


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

    def announce_stages(self) -> None:
        """A Swiss of twelve; its first four play for the title, and the rest in a knock-out with consolation."""
        swiss = StagePlan(format="swiss", name="swiss", options={"rounds": 3})
        title, rest = (
            StagePlan(format=form, name=name, takes=({"stage": "swiss", "first": first, "last": last},))
            for form, name, first, last in (
                ("single-elimination", "title", 1, 4),
                ("progressive-consolation", "rest", 5, 12),
            )
        )
        self.announce(a_plan([swiss, title, rest]), 12)

    @property
    def account(self) -> Account:
        money = EventMoney.objects.select_related("event__club").get(event=self.event)
        return accounts.load_account(money)


@pytest.fixture
def till(db: None, now: datetime) -> Till:
    return Till(now)
