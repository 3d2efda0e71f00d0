"""An event's auction over HTTP: public if the club wants it, otherwise for directors. And its shapes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.http import Http404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import callers, problems
from money.auction import auction_account, auction_ledger
from money.auction import auctions as holding
from money.auction.auction_account import HUNDREDTHS, AuctionAccount
from money.auction.auction_ledger import Buyer
from money.ledger.ledger_api import PERCENTS, PROBLEMS, TAG, ActShape, make_percents_field, run_once
from money.models import MOST, AuctionKind, AuctionLine
from players.access.callers import KEY, get_account, read_body, require_account
from players.models import User
from runtime.http.answer_schema import make_list_serializer, make_serializer
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import StrictFields
from tournaments.models import Tournament
from tournaments.pages import access

READING = problems.build_responses(
    {404: {"not_found": "the event has no auction, or not everyone may see it"}}
)


class AuctionTermsShape(StrictFields):
    """The terms of an auction; once a lot is sold only its visibility can change."""

    prizes = make_percents_field(help_text=f"Of all that lots are sold for, less the rake. {PERCENTS}")
    rake_percent = serializers.DecimalField(
        max_digits=5, decimal_places=2, min_value=0, max_value=100, default=Decimal(0)
    )
    is_public = serializers.BooleanField(
        default=False, help_text="Whether everyone sees lots, buyers and prices."
    )


class AuctionOwnerAnswer(Answer):
    """A holder of a share in a lot."""

    party: int = about("The number of the buyer.")
    percent: str = about(described=serializers.DecimalField(max_digits=5, decimal_places=2))
    cost: int = about("What of the price is theirs.")
    paid: int | None = about("For directors.")
    won: int = about("What of the winnings is theirs.")


class AuctionLotShape(StrictFields):
    """A lot: one player, or several who are sold together."""

    number = serializers.IntegerField(read_only=True)
    name = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=10_000),
        min_length=1,
        max_length=1_000,
        help_text="The numbers of their entries.",
    )
    price = serializers.IntegerField(read_only=True, allow_null=True)
    owners = make_serializer(AuctionOwnerAnswer)(many=True, read_only=True, help_text="The buyer first.")


class AuctionPartyAnswer(Answer):
    """A buyer."""

    number: int
    entrant: int | None = about("Of a player of the event.")
    name: str
    to_pay: int | None = about("What they still owe. For directors.")
    due: int
    paid_out: int | None = about("For directors.")


class AuctionSumsAnswer(Answer):
    """The sums of an auction: the pool equals payouts, rake and carried money."""

    pool: int = about("All lots that are sold, paid or not.")
    rake: int
    payouts: int
    carried: int = about("Before the end: all that is still to be won.")


class AuctionAnswer(Answer):
    """The auction of an event; amounts are whole units of its currency."""

    terms: dict[str, Any] = about(described=AuctionTermsShape())
    lots: list[dict[str, Any]] = about(described=AuctionLotShape(many=True))
    parties: list[AuctionPartyAnswer]
    sums: AuctionSumsAnswer


class AuctionLineAnswer(Answer):
    """A line of an auction's ledger; it never changes."""

    number: int
    kind: AuctionKind
    lot: int = about("0 for a payout.")
    party: int
    amount: int
    note: str
    percent: str = about(
        source=lambda line: f"{line.percent:.2f}",
        described=serializers.DecimalField(
            max_digits=5, decimal_places=2, help_text="Of a share bought back."
        ),
    )
    takes_back: int | None = about(source="corrects.number")
    at: datetime = about(source=lambda line: timezone.localtime(line.at))


class AuctionActShape(ActShape):
    """An act to record in an auction."""

    NEEDS = {
        "sell": ("lot", "amount"),
        "buy_back": ("lot", "entrant", "percent"),
        "pay": ("lot", "party", "amount"),
        "pay_out": ("party", "amount"),
        "take_back": ("line", "note"),
    }
    MAY_HAVE = {"sell": ("entrant", "buyer")}

    act = serializers.ChoiceField(choices=[*NEEDS])
    lot = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    party = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    entrant = serializers.IntegerField(
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="sell: a buyer who plays; buy_back: who does so.",
    )
    buyer = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        default="",
        help_text="sell: any other buyer, by name.",
    )
    amount = serializers.IntegerField(min_value=1, max_value=MOST**2, required=False)
    percent = serializers.DecimalField(max_digits=5, decimal_places=2, required=False)
    line = serializers.IntegerField(min_value=1, max_value=10**6, required=False)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


def serialize_auction(account: AuctionAccount, *, for_director: bool) -> AuctionAnswer:
    """Serialize an auction; payments and payouts only for directors."""
    result = account.settlement
    return AuctionAnswer(
        terms=AuctionTermsShape(account.auction).data,
        lots=[serialize_lot(account, row.number, for_director=for_director) for row in account.lots],
        parties=[
            AuctionPartyAnswer(
                number=number,
                entrant=party.entrant,
                name=account.party_name(number),
                to_pay=account.owes(number) if for_director else None,
                due=account.due(number),
                paid_out=account.had(number) if for_director else None,
            )
            for number, party in account.parties.items()
        ],
        sums=AuctionSumsAnswer.read(result, payouts=sum(result.payouts.values())),
    )


def serialize_lot(account: AuctionAccount, number: int, *, for_director: bool) -> dict[str, Any]:
    row = next(each for each in account.lots if each.number == number)
    sale = account.sales.get(number)
    return {
        "number": number,
        "name": row.name,
        "players": list(account.fields[number]),
        "price": sale.price if sale else None,
        "owners": [
            AuctionOwnerAnswer(
                party=party,
                percent=f"{Decimal(account.share(number, party)) / HUNDREDTHS:.2f}",
                cost=account.costs[number, party],
                paid=account.paid(number, party) if for_director else None,
                won=account.gains[number, party],
            )
            for party in (sale.owners if sale else ())
        ],
    }


@extend_schema(tags=[TAG])
class EventAuctionViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: AuctionAnswer, **READING})
    def retrieve(self, request: Request, key: str) -> Response:
        """Lots, owners and sums. Amounts are whole units: cents, yen, fils.

        Only directors see payments and payouts; for all others they are null.
        """
        event = access.load_event(key, request.user)
        found = auction_account.get_auction(event)
        for_director = request.user.has_perm("tournaments.direct", event.club)
        if not found.is_public and not for_director:
            raise Http404
        account = auction_account.load_account(found)
        return Response(serialize_auction(account, for_director=for_director))

    @extend_schema(request=AuctionTermsShape, responses={200: AuctionAnswer, **PROBLEMS})
    def hold(self, request: Request, key: str) -> Response:
        """Hold an auction by these terms, given in full. Only an event that is played for money has one."""
        event = access.load_event(key, request.user)
        user, now = get_account(request), callers.get_arrival_time(request)
        data = read_body(AuctionTermsShape, request)
        terms = holding.AuctionTerms(**data)
        holding.set_terms(tournament_id=event.pk, terms=terms, by=user, now=now)
        account = auction_account.load_account(auction_account.get_auction(event))
        return Response(serialize_auction(account, for_director=True))


class AuctionLotViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[KEY],
        request=AuctionLotShape,
        responses={201: AuctionLotShape, **PROBLEMS},
        tags=[TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Put up one player, or several as a field."""

        def act(event: Tournament, user: User, now: datetime, data: Mapping[str, Any]) -> Any:
            lot = holding.add_lot(
                tournament_id=event.pk, players=data["players"], name=data["name"], by=user, now=now
            )
            account = auction_account.load_account(auction_account.get_auction(event))
            return serialize_lot(account, lot.number, for_director=True)

        return run_once(request, key, AuctionLotShape, act)


@extend_schema(tags=[TAG])
class AuctionLineViewSet(viewsets.GenericViewSet[AuctionLine]):
    queryset = AuctionLine.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses={200: AuctionLineAnswer, **PROBLEMS})
    def list(self, request: Request, key: str) -> Response:
        """Every line in order, for directors."""
        event = access.load_event(key, request.user)
        require_account(request, "tournaments.direct", event)
        rows = auction_account.get_auction(event).lines.select_related("corrects").order_by("number")
        return paginate(self, rows, AuctionLineAnswer.read)

    @extend_schema(
        parameters=[KEY],
        request=AuctionActShape,
        responses={201: make_list_serializer(AuctionLineAnswer), **PROBLEMS},
    )
    def create(self, request: Request, key: str) -> Response:
        """Record an act in the auction; the answer is the lines that were written.

        `sell` needs a lot, the price as the amount, and an entrant or a buyer's name; `buy_back` a lot, one of its
        entrants and the percent; `pay` a lot, a party and the amount that is open; `pay_out` a party and the amount
        that is due; `take_back` a line and, in the note, why.
        """

        def act(event: Tournament, user: User, now: datetime, data: Mapping[str, Any]) -> Any:
            return [AuctionLineAnswer.read(line) for line in _write_lines(event, user, now, data)]

        return run_once(request, key, AuctionActShape, act)


def _write_lines(event: Tournament, user: User, now: datetime, data: Mapping[str, Any]) -> list[AuctionLine]:
    where: dict[str, Any] = {"tournament_id": event.pk, "by": user, "now": now}
    given = {name: data[name] for name in ("lot", "party", "amount", "entrant", "percent") if name in data}
    match data["act"]:
        case "sell":
            buyer = Buyer(data.get("entrant"), data["buyer"])
            return [auction_ledger.sell(**where, lot=given["lot"], price=given["amount"], buyer=buyer)]
        case "buy_back":
            share = {name: given[name] for name in ("lot", "entrant", "percent")}
            return [auction_ledger.buy_back(**where, **share)]
        case "pay":
            return [auction_ledger.pay(**where, **{name: given[name] for name in ("lot", "party", "amount")})]
        case "pay_out":
            return [auction_ledger.pay_out(**where, party=given["party"], amount=given["amount"])]
        case _:
            return auction_ledger.cancel_line(**where, line=data["line"], why=data["note"])


AUCTION: Final = "events/<slug:key>/auction"
paths: list[URLPattern] = [
    path(
        f"{AUCTION}/", EventAuctionViewSet.as_view({"get": "retrieve", "put": "hold"}), name="event-auction"
    ),
    path(f"{AUCTION}/lots/", AuctionLotViewSet.as_view({"post": "create"}), name="event-auction-lots"),
    path(
        f"{AUCTION}/lines/",
        AuctionLineViewSet.as_view({"get": "list", "post": "create"}),
        name="event-auction-lines",
    ),
]
