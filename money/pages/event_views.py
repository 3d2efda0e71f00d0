"""Parts of an event's pages: prizes, unpaid entrants, and fees recorded by helpers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from money.auction import auction_shown
from money.ledger import accounts, ledger, shown
from money.terms import words
from players.access import context
from tournaments.pages import access, tabs
from tournaments.play.changes import Helping

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from money.ledger.accounts import Account
    from tournaments.models import Tournament
    from tournaments.pages.access import HelperLine

# Read once for all rows of a page.
_read: Final[WeakKeyDictionary[HttpRequest, Account | None]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Unpaid:
    """The unpaid entrants, as a note that does not prevent the draw."""

    names: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Ticked:
    """The payment state of an entrant."""

    number: int
    name: str
    key: str
    has_paid: bool
    # The reduced fees: reason, amount.
    reduced: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ToPay:
    """The unpaid entrants, for a helper who records fees."""

    entrants: tuple[Ticked, ...]
    fees: str


@dataclass(frozen=True, slots=True)
class HandedOut:
    """The payouts so far."""

    amount: str
    names: tuple[str, ...]
    key: str


@require_safe
def prizes(request: HttpRequest, key: str) -> HttpResponse:
    """Show the prizes, and after the end the winners."""
    event = access.find(key, request.user)
    money = shown.find(event)
    if money is None:
        return redirect(event)
    values: dict[str, Any] = {
        "money": shown.hide_lines(shown.load_page(money)),
        "auction": auction_shown.load_public_page(event),
        "body": "money/_tab_prizes.html",
    }
    opened = tabs.opened(event)
    if opened.view.parts:
        return tabs.show(request, opened, "prizes", values)
    context.set_club(request, event.club)
    return render(request, "money/prizes.html", {"event": event, **values})


@require_POST
@access.for_helpers
def mark_as_paid(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    """Record an entrant's fees."""
    said = request.POST.get("entrant", "")
    entrant = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
    return access.attempt(
        request,
        event,
        lambda: ledger.pay(tournament_id=event.pk, entrant=entrant, by=Helping(helper.pk), now=now),
        done=_("Paid."),
        to="tournaments:helping",
    )


def unpaid(request: HttpRequest, event: Tournament) -> Unpaid | None:
    """The unpaid entrants, if any."""
    account = _account(request, event)
    names = shown.list_unpaid(account) if account is not None else ()
    return Unpaid(names, event.key) if names else None


def ticked(request: HttpRequest, event: Tournament, number: int) -> Ticked | None:
    """The payment state of an entrant; None if an entry costs nothing."""
    account = _account(request, event)
    if account is None or not shown.has_fees(account.money):
        return None
    name = account.name_of(number)
    has_paid = shown.count_times_paid(account, number) > 0
    return Ticked(number, name, event.key, has_paid, tuple(shown.list_reduced(account.money)))


def to_pay(request: HttpRequest, event: Tournament) -> ToPay | None:
    """The unpaid entrants; None if an entry costs nothing."""
    account = _account(request, event)
    if account is None or not shown.has_fees(account.money):
        return None
    numbers = (entry.number for entry in account.entries if entry.withdrawn_at is None)
    rows = (ticked(request, event, number) for number in numbers)
    fees = words.format_amount(account.money.fee + account.money.registration, account.money)
    return ToPay(tuple(row for row in rows if row is not None and not row.has_paid), fees)


def handed_out(request: HttpRequest, event: Tournament) -> HandedOut | None:
    """The payouts so far, if any."""
    account = _account(request, event)
    total = sum(account.paid_out.values()) if account is not None else 0
    if account is None or not total:
        return None
    names = tuple(account.name_of(number) for number in sorted(account.paid_out))
    return HandedOut(words.format_amount(total, account.money), names, event.key)


def _account(request: HttpRequest, event: Tournament) -> Account | None:
    if request not in _read:
        money = shown.find(event)
        _read[request] = None if money is None else accounts.read(money)
    return _read[request]
