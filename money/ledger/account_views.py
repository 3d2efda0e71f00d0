"""Pages of an event's money for its directors, and the acts on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from money.ledger import account_pages, accounts, ledger, printed_sheets
from money.models import EventMoney
from money.terms import terms
from money.terms.terms_forms import ExpenseForm, MoneyTermsForm, PoolForm, parse_amount
from players.access.callers import found_or_404
from players.access.requests import parse_number, parse_numbers, refusals_added_to
from tournaments.models import Tournament
from tournaments.pages import access
from tournaments.status import BEFORE_START, Status

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

USUAL = "EUR"


@access.require_director("GET", "HEAD")
def account(request: HttpRequest, event: Tournament) -> HttpResponse:
    return render_account(request, event)


@access.require_director("GET", "HEAD")
def payouts(request: HttpRequest, event: Tournament) -> HttpResponse:
    money = account_pages.get_money(event)
    return render(request, "money/payouts.html", {"event": event, "money": account_pages.load_page(money)})


@access.require_director("GET", "HEAD")
def paid_sheet(request: HttpRequest, event: Tournament) -> HttpResponse:
    sheet = printed_sheets.build_paid_sheet(accounts.load_account(account_pages.get_money(event)))
    values = {"event": event, "title": printed_sheets.TITLE, "sheet": sheet, "now": timezone.now()}
    return render(request, "money/paid_sheet.html", values)


@access.require_director("GET", "HEAD")
def receipt(request: HttpRequest, event: Tournament, entrant: int) -> HttpResponse:
    seen = account_pages.load_page(account_pages.get_money(event))
    row = found_or_404(next((row for row in seen.entrants if row.number == entrant), None))
    lines = [line for line in reversed(seen.lines) if line.entrant == entrant]
    values = {"event": event, "money": seen, "row": row, "lines": lines}
    return render(request, "money/receipt.html", values)


def render_account(
    request: HttpRequest, event: Tournament, extra: Mapping[str, object] | None = None, status: int = 200
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


ACCOUNT = "money:account"
ROSTER = "tournaments:roster"
MOST = 10**6
# An entry number and the amount of the prize, as the page showed them.
PRIZE: Final = re.compile(r"\b([0-9]{1,5}):([0-9]{1,12})\b")


@access.require_director("GET", "POST")
def agree(request: HttpRequest, event: Tournament) -> HttpResponse:
    money = account_pages.find_money(event)
    # At first the terms of the club's latest event with money.
    last = money or EventMoney.objects.filter(event__club=event.club).order_by("-opened_at").first()
    initial = MoneyTermsForm.build_initial(last) if last is not None else {"currency": USUAL}
    form = MoneyTermsForm(request.POST or None, initial=initial)
    if form.is_valid():
        with refusals_added_to(form):
            terms.set_terms(
                tournament_id=event.pk, terms=form.terms, by=access.require_user(request), now=timezone.now()
            )
            messages.success(request, _("The terms are saved."))
            return redirect(ACCOUNT, key=event.key)
    values = {
        **{"event": event, "form": form, "back": reverse(ACCOUNT, args=[event.key])},
        "drop": reverse("money:drop", args=[event.key]) if money is not None else "",
    }
    return render(request, "money/terms.html", values, status=422 if form.is_bound else 200)


@access.require_director(form=ACCOUNT)
def drop(request: HttpRequest, event: Tournament) -> HttpResponse:
    return run_act(request, event, terms.delete_terms, done=_("The event is played without money."))


@access.require_director(form=ACCOUNT)
def open_pool(request: HttpRequest, event: Tournament) -> HttpResponse:
    money = account_pages.find_money(event)
    form = PoolForm(request.POST, decimals=money.decimals if money else 2)
    show_again = partial(render_account, request, event, {"pool_form": form})
    if not form.is_valid():
        return show_again(422)
    done = _("The side pool is open.")
    return run_act(request, event, terms.open_pool, terms=form.terms, done=done, show_again=show_again)


@access.require_director(form=ACCOUNT)
def close_pool(request: HttpRequest, event: Tournament) -> HttpResponse:
    pool = read_number(request, "pool")
    return run_act(request, event, terms.close_pool, pool=pool, done=_("The side pool is closed."))


@access.require_director(form=ACCOUNT)
def pay(request: HttpRequest, event: Tournament) -> HttpResponse:
    if request.POST.get("everybody") == "yes":
        # One field for all: Django rejects a form with more than 1,000 fields.
        entrants = parse_numbers(request.POST.get("entrant", "").split())
        return run_act(
            request, event, ledger.pay_all, entrants=entrants, done=_("All players are marked as paid.")
        )
    again, reduced = request.POST.get("again") == "yes", request.POST.get("reduced", "")
    entrant = read_number(request, "entrant")
    return run_act(request, event, ledger.pay, entrant=entrant, again=again, reduced=reduced, done=_("Paid."))


@access.require_director(form=ACCOUNT)
def stake(request: HttpRequest, event: Tournament) -> HttpResponse:
    entrant, pool = read_number(request, "entrant"), read_number(request, "pool")
    return run_act(request, event, ledger.stake, entrant=entrant, pool=pool, done=_("Paid."))


@access.require_director(form=ACCOUNT)
def spend(request: HttpRequest, event: Tournament) -> HttpResponse:
    money = account_pages.find_money(event)
    form = ExpenseForm(request.POST, decimals=money.decimals if money else 2)
    show_again = partial(render_account, request, event, {"spend_form": form})
    if not form.is_valid():
        return show_again(422)
    done = _("The expense is recorded.")
    return run_act(request, event, ledger.spend, done=done, show_again=show_again, **form.cleaned_data)


@access.require_director(form=ACCOUNT)
def take_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    line, why = read_number(request, "line"), request.POST.get("why", "")
    return run_act(request, event, ledger.cancel_line, line=line, why=why, done=_("The line is taken back."))


@access.require_director(form=ACCOUNT)
def pay_out(request: HttpRequest, event: Tournament) -> HttpResponse:
    if request.POST.get("everybody") == "yes":
        found = PRIZE.findall(request.POST.get("prizes", ""))
        prizes = {int(entrant): int(amount) for entrant, amount in found}
        return run_act(request, event, ledger.pay_out_all, prizes=prizes, done=_("All prizes are paid out."))
    entrant, amount = read_number(request, "entrant"), read_number(request, "amount", most=10**12)
    return run_act(request, event, ledger.pay_out, entrant=entrant, amount=amount, done=_("Paid out."))


@access.require_director(form=ACCOUNT)
def split(request: HttpRequest, event: Tournament) -> HttpResponse:
    show_again = partial(render_account, request, event, {"split": request.POST})
    money = account_pages.find_money(event)
    shares: dict[int, int] = {}
    for name, typed in request.POST.items():
        who = name.removeprefix("share-")
        entrant = parse_number(who)
        if name != who and str(typed).strip() and entrant is not None:
            try:
                shares[entrant] = parse_amount(str(typed), money.decimals if money else 2)
            except ValidationError as problem:
                messages.error(request, " ".join(problem.messages))
                return show_again(422)
    note, done = request.POST.get("note", ""), _("The split is recorded.")
    return run_act(request, event, ledger.split, shares=shares, note=note, done=done, show_again=show_again)


def run_act(
    request: HttpRequest,
    event: Tournament,
    act: Callable[..., Any],
    *,
    done: StrOrPromise,
    back: str = ACCOUNT,
    show_again: Callable[[int], HttpResponse] | None = None,
    **arguments: Any,
) -> HttpResponse:
    """Call a service, show its message or refusal, and redirect, or *show_again* what was typed."""
    to = ROSTER if request.POST.get("back") == "roster" else back
    return access.run_service(request, event, act, done=done, to=to, show_again=show_again, **arguments)


def read_number(request: HttpRequest, name: str, *, most: int = MOST) -> int:
    """Read a number from the form; 0, which is no entrant or line, if it is invalid."""
    return parse_number(request.POST.get(name, ""), len(str(most))) or 0
