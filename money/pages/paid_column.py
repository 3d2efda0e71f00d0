"""The column "Paid" of a roster file, for export and import."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from money.errors import NoMoney, NothingToPay, PaidAlready
from money.ledger import account_pages, accounts, ledger
from money.models import MoneyLine
from players.models import User
from tournaments.models import Tournament


def has_fees(event: Tournament) -> bool:
    money = account_pages.find_money(event)
    return money is not None and account_pages.has_fees(money)


def list_paid(event: Tournament) -> set[int]:
    money = account_pages.find_money(event)
    if money is None:
        return set()
    account = accounts.load_account(money)
    return {
        entry.number for entry in account.entries if account_pages.count_times_paid(account, entry.number)
    }


def record_paid(*, tournament_id: int, entries: Collection[int], by: User, now: datetime) -> None:
    """Record the fees of these entrants; those who have paid are skipped."""
    for entrant in entries:
        try:
            ledger.pay(tournament_id=tournament_id, entrant=entrant, by=by, now=now)
        except (PaidAlready, NothingToPay, NoMoney):
            continue


def cancel_paid(*, tournament_id: int, entries: Collection[int], by: User, now: datetime) -> None:
    """Cancel the fees of these entrants' first entries, because their list is taken back."""
    fees = MoneyLine.objects.filter(
        money__event=tournament_id,
        kind__in=accounts.FEES,
        item=1,
        entrant__in=entries,
        corrects__isnull=True,
        corrected_by__isnull=True,
    )
    # Both fees of an entry are cancelled together.
    lines = {line.entrant: line.number for line in fees.order_by("number")}
    for line in lines.values():
        ledger.cancel_line(
            tournament_id=tournament_id, line=line, why=_("The list is taken back."), by=by, now=now
        )
