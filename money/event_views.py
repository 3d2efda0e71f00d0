"""Parts of an event's pages: prizes, unpaid entrants, fees recorded by helpers, and the column "Paid" of files."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from money.auction import auction_pages
from money.errors import NoMoney, NothingToPay, PaidAlready
from money.ledger import account_pages, accounts, ledger
from money.ledger.accounts import Account
from money.models import MoneyLine
from money.terms import formatting
from money.terms.terms import STANDING
from players.access import context
from players.access.requests import parse_number
from players.models import User
from tournaments.models import Tournament
from tournaments.pages import access, tabs
from tournaments.pages.access import HelperLine
from tournaments.play.changes import HelperActor

# Cache per request, shared by all rows of a page.
_read: Final[WeakKeyDictionary[HttpRequest, Account | None]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class PaymentState:
    number: int
    name: str
    key: str
    has_paid: bool
    # The reduced fees: reason, amount.
    reduced: tuple[tuple[str, str], ...] = ()


@require_safe
def prizes(request: HttpRequest, key: str) -> HttpResponse:
    """Show the prizes, and after the end the winners."""
    event = access.load_event(key, request.user)
    money = account_pages.find_money(event)
    if money is None:
        return redirect(event)
    values: dict[str, Any] = {
        # Without the parts for directors.
        "money": replace(account_pages.load_page(money), lines=(), in_hand=""),
        "auction": auction_pages.load_page(event, is_for_all=True),
        "body": "money/_tab_prizes.html",
    }
    opened = tabs.open_event(event)
    if opened.view.parts:
        return tabs.show_tab(request, opened, "prizes", values)
    context.set_club(request, event.club)
    return render(request, "money/prizes.html", {"event": event, **values})


@require_POST
@access.require_helper
def mark_as_paid(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    entrant = parse_number(request.POST.get("entrant", "")) or 0
    return access.run_and_redirect(
        request,
        event,
        lambda: ledger.pay(tournament_id=event.pk, entrant=entrant, by=HelperActor(helper.pk), now=now),
        done=_("Paid."),
        to="tournaments:helping",
    )


def find_unpaid(request: HttpRequest, event: Tournament) -> dict[str, object] | None:
    """Return the unpaid entrants, as a note that does not prevent the draw."""
    account = _find_account(request, event)
    names = account_pages.list_unpaid(account) if account is not None else ()
    return {"names": names, "key": event.key} if names else None


def find_payment_state(request: HttpRequest, event: Tournament, number: int) -> PaymentState | None:
    """Return the payment state of an entrant; None if an entry costs nothing."""
    account = _find_account(request, event)
    if account is None or not account_pages.has_fees(account.money):
        return None
    name = account.name_of(number)
    has_paid = account_pages.count_times_paid(account, number) > 0
    return PaymentState(number, name, event.key, has_paid, tuple(account_pages.list_reduced(account.money)))


def find_helper_payments(request: HttpRequest, event: Tournament) -> dict[str, object] | None:
    """Return the unpaid entrants for a helper who records fees; None if an entry costs nothing."""
    account = _find_account(request, event)
    if account is None or not account_pages.has_fees(account.money):
        return None
    rows = (find_payment_state(request, event, number) for number in account.playing)
    fees = formatting.format_amount(account.money.fee + account.money.registration, account.money)
    return {"entrants": [row for row in rows if row is not None and not row.has_paid], "fees": fees}


def find_payouts(request: HttpRequest, event: Tournament) -> dict[str, object] | None:
    account = _find_account(request, event)
    total = sum(account.paid_out.values()) if account is not None else 0
    if account is None or not total:
        return None
    names = [account.name_of(number) for number in sorted(account.paid_out)]
    return {"amount": formatting.format_amount(total, account.money), "names": names, "key": event.key}


def _find_account(request: HttpRequest, event: Tournament) -> Account | None:
    if request not in _read:
        money = account_pages.find_money(event)
        _read[request] = None if money is None else accounts.load_account(money)
    return _read[request]


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
        **STANDING,
    )
    # Both fees of an entry are cancelled together.
    lines = {line.entrant: line.number for line in fees.order_by("number")}
    for line in lines.values():
        ledger.cancel_line(
            tournament_id=tournament_id, line=line, why=_("The list is taken back."), by=by, now=now
        )
