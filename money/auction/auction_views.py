"""The auction of an event (Calcutta): lots, hammer prices, who pays and who is paid."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from money.auction import auction_account, auction_ledger, auction_shown, auction_table
from money.auction import auctions as holding
from money.auction.auction_ledger import Buyer
from money.auction.auctions import AuctionTerms
from money.ledger import shown
from money.ledger.account_act_views import do, number
from money.terms import words
from money.terms.terms_forms import PercentsField, percent_field, units
from players.access.requests import by_post
from runtime.refusals import for_form
from tournaments.base.errors import TournamentError
from tournaments.pages import access

if TYPE_CHECKING:
    from django.http import HttpRequest

    from money.models import EventAuction
    from tournaments.models import Tournament


AUCTION: Final = "money:auction"
MOST_UNITS: Final = 10**16
CSV: Final = "text/csv; charset=utf-8"


class AuctionForm(forms.Form):
    """How an auction is held."""

    prizes = PercentsField(
        label=gettext_lazy("Prizes in percent, by place"),
        max_length=200,
        initial="50, 30, 20",
        help_text=gettext_lazy(
            "Of everything that lots are sold for, less the rake. Places count among the players who are sold."
        ),
    )
    rake_percent = percent_field()
    is_public = forms.BooleanField(
        label=gettext_lazy("Everyone sees lots, buyers and prices on the tab Prizes"), required=False
    )

    @property
    def terms(self) -> AuctionTerms:
        """The terms that were asked for."""
        said = self.cleaned_data
        return AuctionTerms(said["prizes"], said["rake_percent"] or Decimal(0), said["is_public"])

    @staticmethod
    def told(auction: EventAuction) -> dict[str, Any]:
        """Return what the form says of terms that are there."""
        return {
            "prizes": ", ".join(auction.prizes),
            "rake_percent": words.typed_percent(auction.rake_percent),
            "is_public": auction.is_public,
        }


@require_safe
@access.directs
def auction(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the lots, who has them, and every line."""
    values = {
        "event": event,
        "tab": "money",
        "has_money": shown.find(event) is not None,
        "auction": auction_shown.of_event(event),
    }
    return render(request, "money/auction.html", values)


@require_http_methods(["GET", "POST"])
@access.directs
def terms(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Say who wins what, and who sees it."""
    there = auction_account.find(event)
    form = AuctionForm(request.POST or None, initial=AuctionForm.told(there) if there else None)
    if form.is_valid():
        try:
            holding.hold(
                tournament_id=event.pk, terms=form.terms, by=access.signed_in(request), now=timezone.now()
            )
        except TournamentError as refusal:
            form.add_error(None, for_form(refusal))
        else:
            messages.success(request, _("The terms are saved."))
            return redirect(AUCTION, key=event.key)
    values = {"event": event, "tab": "money", "form": form, "is_there": there is not None}
    return render(request, "money/auction_terms.html", values, status=422 if form.is_bound else 200)


@require_safe
@access.directs
def sheet(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the auction on paper: to write prices on, and to sign."""
    values = {
        "event": event,
        "title": auction_table.title(),
        "auction": auction_shown.page(auction_account.read(_auction(event))),
        "now": timezone.now(),
    }
    return render(request, "money/auction_sheet.html", values)


@require_safe
@access.directs
def file(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Send the lots as a table for spreadsheets."""
    response = HttpResponse(auction_table.written(auction_account.read(_auction(event))), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="auction-{event.key}.csv"'
    return response


@by_post(AUCTION)
@access.directs
def call_off(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Hold no auction after all."""
    return do(request, event, holding.call_off, done=_("There is no auction."), back=AUCTION)


@by_post(AUCTION)
@access.directs
def put_up(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Put up one lot, or one for each player who is in none."""
    if request.POST.get("each") == "yes":
        return do(request, event, holding.put_up_each, done=_("The lots are there."), back=AUCTION)
    players = [
        int(one) for one in request.POST.getlist("player") if one.isascii() and one.isdigit() and len(one) < 6
    ]
    name = request.POST.get("name", "")
    return do(
        request, event, holding.put_up, players=players, name=name, done=_("The lot is there."), back=AUCTION
    )


@by_post(AUCTION)
@access.directs
def take_down(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Take a lot away."""
    lot = number(request, "lot")
    return do(request, event, holding.take_down, lot=lot, done=_("The lot is gone."), back=AUCTION)


@by_post(AUCTION)
@access.directs
def sell(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Write down who bought a lot for how much."""
    there = auction_account.find(event)
    try:
        price = units(request.POST.get("price", ""), there.money.decimals if there else 2)
    except ValidationError as problem:
        messages.error(request, " ".join(problem.messages))
        return redirect(AUCTION, key=event.key)
    return do(
        request, event, auction_ledger.sell, lot=number(request, "lot"), price=price,
        buyer=_buyer(request, there), done=_("Sold."), back=AUCTION,
    )  # fmt: skip


@by_post(AUCTION)
@access.directs
def buy_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Write down what share of a lot one of its players takes over."""
    try:
        percent = Decimal(request.POST.get("percent", "")[:8].replace(",", ".").strip(" %"))
    except InvalidOperation:
        percent = Decimal(0)
    lot, entrant = number(request, "lot"), number(request, "entrant")
    return do(
        request, event, auction_ledger.buy_back, lot=lot, entrant=entrant, percent=percent,
        done=_("The share is written down."), back=AUCTION,
    )  # fmt: skip


@by_post(AUCTION)
@access.directs
def pay(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Write down that somebody has paid for a lot."""
    said = {"lot": number(request, "lot"), "party": number(request, "party")}
    amount = number(request, "amount", most=MOST_UNITS)
    return do(request, event, auction_ledger.pay, **said, amount=amount, done=_("Paid."), back=AUCTION)


@by_post(AUCTION)
@access.directs
def pay_out(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Write down that an owner was handed what their lots have won."""
    party, amount = number(request, "party"), number(request, "amount", most=MOST_UNITS)
    return do(
        request, event, auction_ledger.pay_out, party=party, amount=amount, done=_("Paid out."), back=AUCTION
    )


@by_post(AUCTION)
@access.directs
def take_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Take a line back by a counter-entry."""
    said: dict[str, Any] = {"line": number(request, "line"), "why": request.POST.get("why", "")}
    return do(request, event, auction_ledger.counter, **said, done=_("The line is taken back."), back=AUCTION)


def _buyer(request: HttpRequest, there: EventAuction | None) -> Buyer:
    """Return who is written down: a player of the event, if the name is theirs."""
    typed = request.POST.get("buyer", "")[:100]
    entrant = None if there is None else auction_shown.entrant_called(auction_account.read(there), typed)
    return Buyer(entrant) if entrant is not None else Buyer(name=typed)


def _auction(event: Tournament) -> EventAuction:
    found = auction_account.find(event)
    if found is None:
        raise Http404
    return found
