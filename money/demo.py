"""The money of the demo events."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext as _

from money.ledger import ledger
from money.terms import terms
from players.models import User
from tournaments.models import Entry, Tournament

TERMS: Final = terms.MoneyTerms(
    currency="EUR",
    fee=1000,
    registration=200,
    rake_percent=Decimal(10),
    prizes={"main": ["50", "25", "10"], "consolation": ["15"]},
)
POOL_STAKE: Final = 500
# Seven of eight entrants have paid; of these, about every other one is in the side pool.
PAID_OF_EIGHT: Final = 7
POOL_EVERY: Final = 2


def set_up_demo_money(event: Tournament, *, by: User, now: datetime) -> None:
    """Set fees, prizes and a side pool, and record the payments of most entrants."""
    terms.set_terms(tournament_id=event.pk, terms=TERMS, by=by, now=now)
    pool = terms.open_pool(
        tournament_id=event.pk, terms=terms.PoolTerms(_("Side pool"), POOL_STAKE), by=by, now=now
    )
    for place, entry in enumerate(Entry.objects.filter(tournament=event).order_by("number")):
        if place % 8 >= PAID_OF_EIGHT:
            continue
        ledger.pay(tournament_id=event.pk, entrant=entry.number, by=by, now=now)
        if place % POOL_EVERY == 0:
            ledger.stake(tournament_id=event.pk, entrant=entry.number, pool=pool.number, by=by, now=now)
