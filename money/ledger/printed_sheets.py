"""The treasurer's list of entries: payments with who recorded them, amounts due and payouts, with totals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy

from money.ledger import account_pages, accounts
from money.ledger.accounts import Account
from money.terms import formatting

TITLE: Final = gettext_lazy("Entries by paid and due")


@dataclass(frozen=True, slots=True)
class PaidRow:
    number: int
    name: str
    has_paid: bool
    paid: str
    # The people who recorded the payments.
    by: str
    due: str
    had: str


@dataclass(frozen=True, slots=True)
class PaidSheet:
    rows: tuple[PaidRow, ...]
    have_paid: int
    paid: str
    due: str
    had: str


def build_paid_sheet(account: Account) -> PaidSheet:
    """Build the list, unpaid entrants first, then by name."""
    money = account.money

    def amount(units: int) -> str:
        return formatting.format_amount(units, money) if units else ""

    rows, paid_total = [], 0
    for row in account_pages.build_page(account).entrants:
        paid = account.paid_by(row.number)
        paid_total += paid
        rows.append(
            PaidRow(
                number=row.number,
                name=row.name,
                has_paid=row.has_paid,
                paid=amount(paid),
                by=", ".join(_list_recorders(account, row.number)),
                due=amount(row.due_units),
                had=amount(row.had_units),
            )
        )
    rows.sort(key=lambda row: (row.has_paid, row.name.casefold(), row.number))
    return PaidSheet(
        rows=tuple(rows),
        have_paid=sum(row.has_paid for row in rows),
        paid=formatting.format_amount(paid_total, money),
        due=formatting.format_amount(sum(account.due.values()), money),
        had=formatting.format_amount(sum(account.paid_out.values()), money),
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
    return list(dict.fromkeys(name for line in lines_of if (name := formatting.get_author(line))))
