"""Pages of an event's money for its directors: the account, the payout sheet and receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from money.ledger import account_pages, accounts, printed_sheets
from money.models import EventMoney
from money.terms.terms_forms import ExpenseForm, MoneyTermsForm, PoolForm
from tournaments.pages import access
from tournaments.status import BEFORE_START, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament

USUAL = "EUR"


@require_safe
@access.require_director
def account(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show payments, amounts due, and all lines."""
    return render_account(request, event)


@require_safe
@access.require_director
def payouts(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the payout sheet, with space for signatures."""
    money = _get_money(event)
    return render(
        request,
        "money/payouts.html",
        {"event": event, "money": account_pages.load_page(money), "now": timezone.now()},
    )


@require_safe
@access.require_director
def paid_sheet(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the treasurer's list of entries, for printing."""
    sheet = printed_sheets.build_paid_sheet(accounts.load_account(_get_money(event)))
    values = {"event": event, "title": printed_sheets.TITLE, "sheet": sheet, "now": timezone.now()}
    return render(request, "money/paid_sheet.html", values)


@require_safe
@access.require_director
def receipt(request: HttpRequest, event: Tournament, entrant: int) -> HttpResponse:
    """Show an entrant's payments and payouts, for printing."""
    seen = account_pages.load_page(_get_money(event))
    row = next((row for row in seen.entrants if row.number == entrant), None)
    if row is None:
        raise Http404
    lines = [line for line in reversed(seen.lines) if line.entrant == entrant]
    values = {"event": event, "money": seen, "row": row, "lines": lines, "now": timezone.now()}
    return render(request, "money/receipt.html", values)


def render_account(
    request: HttpRequest, event: Tournament, extra: Mapping[str, object] | None = None, *, status: int = 200
) -> HttpResponse:
    """Show the account; *extra* has forms with errors. The typed shares of a split stay."""
    money = account_pages.find_money(event)
    values: dict[str, Any] = {"event": event, "tab": "money", "money": None}
    if money is None:
        values["may_set_terms"] = Status(event.status) in BEFORE_START
    else:
        seen = account_pages.load_page(money)
        values |= {"money": seen, "spend_form": ExpenseForm(decimals=money.decimals)}
        values["shares"] = [(row, request.POST.get(f"share-{row.number}", "")) for row in seen.winners]
        if seen.may_change:
            values["pool_form"] = PoolForm(decimals=money.decimals)
    return render(request, "money/account.html", {**values, **(extra or {})}, status=status)


def get_usual_terms(event: Tournament) -> dict[str, Any]:
    """Return the initial terms: those of the club's latest event with money."""
    last = EventMoney.objects.filter(event__club=event.club).order_by("-opened_at").first()
    return MoneyTermsForm.build_initial(last) if last is not None else {"currency": USUAL}


def _get_money(event: Tournament) -> EventMoney:
    money = account_pages.find_money(event)
    if money is None:
        raise Http404
    return money
