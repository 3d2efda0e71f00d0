"""The treasurer's list of entries: payments with who recorded them, amounts due and payouts, with totals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy

from money.ledger import account_pages, accounts
from money.ledger.account_pages import EntrantMoney
from money.ledger.accounts import Account
from money.terms import formatting
from tournaments.base import event_lines

TITLE: Final = gettext_lazy("Entries by paid and due")


@dataclass(frozen=True, slots=True)
class PaidSheet:
    # Each entrant, with the people who recorded the payments.
    rows: tuple[tuple[EntrantMoney, str], ...]
    have_paid: int
    paid: str
    due: str
    had: str


def build_paid_sheet(account: Account) -> PaidSheet:
    """Build the list, unpaid entrants first, then by name."""
    entrants = sorted(
        account_pages.build_page(account).entrants,
        key=lambda row: (row.has_paid, row.name.casefold(), row.number),
    )
    paid = sum(account.paid_by(row.number) for row in entrants)
    return PaidSheet(
        rows=tuple((row, ", ".join(_list_recorders(account, row.number))) for row in entrants),
        have_paid=sum(row.has_paid for row in entrants),
        paid=formatting.format_amount(paid, account.money),
        due=formatting.format_amount(sum(account.due.values()), account.money),
        had=formatting.format_amount(sum(account.paid_out.values()), account.money),
    )


def _list_recorders(account: Account, number: int) -> list[str]:
    """Return the people who recorded an entrant's payments, each once."""
    lines_of = (
        line
        for line in account.lines
        if line.entrant == number
        and line.kind in accounts.PAYMENTS
        and line.corrects_id is None
        # Cancelled lines do not count.
        and not hasattr(line, "corrected_by")
    )
    names = (event_lines.format_author(line.helper, line.by) for line in lines_of)
    return list(dict.fromkeys(filter(None, names)))
