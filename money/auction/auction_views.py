"""The auction of an event (Calcutta): lots, hammer prices, payments and payouts."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from money.auction import auction_account, auction_ledger, auction_pages
from money.auction import auctions as holding
from money.auction.auction_ledger import Buyer
from money.auction.auctions import AuctionTerms
from money.ledger import account_pages
from money.ledger.account_views import read_number, run_act
from money.models import EventAuction
from money.terms import formatting
from money.terms.terms_forms import PercentsField, make_percent_field, parse_amount
from players.access.requests import parse_numbers, refusals_added_to
from tournaments.models import Tournament
from tournaments.pages import access

AUCTION: Final = "money:auction"
MOST_UNITS: Final = 10**16
CSV: Final = "text/csv; charset=utf-8"


class AuctionForm(forms.Form):
    prizes = PercentsField(
        label=gettext_lazy("Prizes in percent, by place"),
        max_length=200,
        initial="50, 30, 20",
        help_text=gettext_lazy(
            "Percentages of the price of all sold lots, less the rake. Only places of sold players count."
        ),
    )
    rake_percent = make_percent_field()
    is_public = forms.BooleanField(
        label=gettext_lazy("Everyone sees lots, buyers and prices on the Prizes tab"), required=False
    )

    @property
    def terms(self) -> AuctionTerms:
        cleaned = self.cleaned_data
        return AuctionTerms(cleaned["prizes"], cleaned["rake_percent"] or Decimal(0), cleaned["is_public"])

    @staticmethod
    def build_initial(auction: EventAuction) -> dict[str, Any]:
        return {
            "prizes": ", ".join(auction.prizes),
            "rake_percent": formatting.format_percent_for_input(auction.rake_percent),
            "is_public": auction.is_public,
        }


@access.require_director("GET", "HEAD")
def auction(request: HttpRequest, event: Tournament) -> HttpResponse:
    return _render_auction(request, event)


@access.require_director("GET", "POST")
def terms(request: HttpRequest, event: Tournament) -> HttpResponse:
    there = auction_account.find_auction(event)
    form = AuctionForm(request.POST or None, initial=AuctionForm.build_initial(there) if there else None)
    if form.is_valid():
        with refusals_added_to(form):
            holding.set_terms(
                tournament_id=event.pk, terms=form.terms, by=access.require_user(request), now=timezone.now()
            )
            messages.success(request, _("The terms are saved."))
            return redirect(AUCTION, key=event.key)
    values = {
        **{"event": event, "form": form, "back": reverse(AUCTION, args=[event.key])},
        "drop": reverse("money:auction_call_off", args=[event.key]) if there is not None else "",
    }
    return render(request, "money/auction_terms.html", values, status=422 if form.is_bound else 200)


@access.require_director("GET", "HEAD")
def sheet(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the auction for printing, with space for prices and signatures."""
    values = {
        "event": event,
        "title": auction_pages.SHEET_TITLE,
        "auction": auction_pages.build_page(auction_account.load_account(auction_account.get_auction(event))),
        "now": timezone.now(),
    }
    return render(request, "money/auction_sheet.html", values)


@access.require_director("GET", "HEAD")
def file(request: HttpRequest, event: Tournament) -> HttpResponse:
    response = HttpResponse(
        auction_pages.write_csv(auction_account.load_account(auction_account.get_auction(event))),
        content_type=CSV,
    )
    response["Content-Disposition"] = f'attachment; filename="auction-{event.key}.csv"'
    return response


@access.require_director(form=AUCTION)
def call_off(request: HttpRequest, event: Tournament) -> HttpResponse:
    return run_act(request, event, holding.delete_auction, done=_("The auction is removed."), back=AUCTION)


@access.require_director(form=AUCTION)
def put_up(request: HttpRequest, event: Tournament) -> HttpResponse:
    if request.POST.get("each") == "yes":
        return run_act(
            request, event, holding.add_lot_for_each, done=_("The lots are created."), back=AUCTION
        )
    players = parse_numbers(request.POST.getlist("player"))
    arguments: dict[str, Any] = {"players": players, "name": request.POST.get("name", "")}
    return run_act(
        request, event, holding.add_lot, **arguments, done=_("The lot is created."), back=AUCTION,
        show_again=partial(_render_auction, request, event, {"act": "put_up", **arguments}),
    )  # fmt: skip


@access.require_director(form=AUCTION)
def take_down(request: HttpRequest, event: Tournament) -> HttpResponse:
    lot = read_number(request, "lot")
    return run_act(request, event, holding.remove_lot, lot=lot, done=_("The lot is removed."), back=AUCTION)


@access.require_director(form=AUCTION)
def sell(request: HttpRequest, event: Tournament) -> HttpResponse:
    there, lot = auction_account.find_auction(event), read_number(request, "lot")
    typed = {name: request.POST.get(name, "") for name in ("price", "buyer")}
    show_again = partial(_render_auction, request, event, {"act": "sell", "lot": lot, **typed})
    try:
        price = parse_amount(typed["price"], there.money.decimals if there else 2)
    except ValidationError as problem:
        messages.error(request, " ".join(problem.messages))
        return show_again(422)
    return run_act(
        request, event, auction_ledger.sell, lot=lot, price=price, buyer=_read_buyer(request, there),
        done=_("Sold."), back=AUCTION, show_again=show_again,
    )  # fmt: skip


@access.require_director(form=AUCTION)
def buy_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    try:
        percent = Decimal(request.POST.get("percent", "")[:8].replace(",", ".").strip(" %"))
    except InvalidOperation:
        percent = Decimal(0)
    lot, entrant = read_number(request, "lot"), read_number(request, "entrant")
    typed = {"act": "buy_back", "lot": lot, "entrant": entrant, "percent": request.POST.get("percent", "")}
    return run_act(
        request, event, auction_ledger.buy_back, lot=lot, entrant=entrant, percent=percent,
        done=_("The share is recorded."), back=AUCTION,
        show_again=partial(_render_auction, request, event, typed),
    )  # fmt: skip


@access.require_director(form=AUCTION)
def pay(request: HttpRequest, event: Tournament) -> HttpResponse:
    arguments: dict[str, Any] = {"lot": read_number(request, "lot"), "party": read_number(request, "party")}
    amount = read_number(request, "amount", most=MOST_UNITS)
    return run_act(
        request, event, auction_ledger.pay, **arguments, amount=amount, done=_("Paid."), back=AUCTION
    )


@access.require_director(form=AUCTION)
def pay_out(request: HttpRequest, event: Tournament) -> HttpResponse:
    party, amount = read_number(request, "party"), read_number(request, "amount", most=MOST_UNITS)
    return run_act(
        request, event, auction_ledger.pay_out, party=party, amount=amount, done=_("Paid out."), back=AUCTION
    )


@access.require_director(form=AUCTION)
def take_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    arguments: dict[str, Any] = {"line": read_number(request, "line"), "why": request.POST.get("why", "")}
    return run_act(
        request,
        event,
        auction_ledger.cancel_line,
        **arguments,
        done=_("The line is taken back."),
        back=AUCTION,
    )


def _render_auction(
    request: HttpRequest, event: Tournament, typed: Mapping[str, object] | None = None, status: int = 200
) -> HttpResponse:
    """Show the auction; *typed* are the act and the values of a refused form."""
    values = {
        "event": event,
        "tab": "money",
        "has_money": account_pages.find_money(event) is not None,
        "auction": auction_pages.load_page(event),
        "typed": typed or {},
    }
    return render(request, "money/auction.html", values, status=status)


def _read_buyer(request: HttpRequest, there: EventAuction | None) -> Buyer:
    """Return the buyer of the form: an entrant if the name is theirs, otherwise by name."""
    typed = request.POST.get("buyer", "")[:100]
    entrant = (
        None if there is None else auction_pages.find_entrant(auction_account.load_account(there), typed)
    )
    return Buyer(entrant) if entrant is not None else Buyer(name=typed)
