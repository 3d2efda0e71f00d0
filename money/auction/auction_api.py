"""An event's auction over HTTP: public if the club wants it, otherwise for directors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, viewsets
from rest_framework.response import Response

from matches.play import callers, problems
from money.auction import auction_account, auction_ledger
from money.auction import auction_shapes as serializers
from money.auction import auctions as holding
from money.auction.auction_ledger import Buyer
from money.ledger.ledger_api import PROBLEMS, run_once
from money.ledger.ledger_shapes import TAG
from money.models import AuctionLine, AuctionLot, EventAuction
from players.access.callers import get_account, read_body
from runtime.http.answer_schema import make_list_serializer
from tournaments.pages import access

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.urls import URLPattern
    from rest_framework.request import Request

    from players.models import User
    from tournaments.models import Tournament

READING = problems.build_responses(
    {404: {"not_found": "the event has no auction, or not everyone may see it"}}
)


class EventAuctionViewSet(viewsets.GenericViewSet[EventAuction]):
    """The auction of an event (Calcutta)."""

    queryset = EventAuction.objects.none()
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: serializers.AuctionAnswer, **READING}, tags=[TAG])
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
        return Response(serializers.serialize_auction(account, for_director=for_director))

    @extend_schema(
        request=serializers.AuctionTermsShape,
        responses={200: serializers.AuctionAnswer, **PROBLEMS},
        tags=[TAG],
    )
    def hold(self, request: Request, key: str) -> Response:
        """Hold an auction by these terms, given in full. Only an event that is played for money has one."""
        event, user, now = (
            access.load_event(key, request.user),
            get_account(request),
            callers.get_arrival_time(request),
        )
        said = read_body(serializers.AuctionTermsShape, request)
        terms = holding.AuctionTerms(**said)
        holding.set_terms(tournament_id=event.pk, terms=terms, by=user, now=now)
        account = auction_account.load_account(auction_account.get_auction(event))
        return Response(serializers.serialize_auction(account, for_director=True))


class AuctionLotViewSet(viewsets.GenericViewSet[AuctionLot]):
    """The lots of an auction."""

    queryset = AuctionLot.objects.none()
    serializer_class = serializers.AuctionLotShape
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[callers.KEY],
        request=serializers.AuctionLotShape,
        responses={201: serializers.AuctionLotShape, **PROBLEMS},
        tags=[TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Put up one player, or several as a field."""

        def act(event: Tournament, user: User, now: datetime, said: Mapping[str, Any]) -> Any:
            lot = holding.add_lot(
                tournament_id=event.pk, players=said["players"], name=said["name"], by=user, now=now
            )
            account = auction_account.load_account(auction_account.get_auction(event))
            return serializers.serialize_lot(account, lot.number, for_director=True)

        return run_once(request, key, serializers.AuctionLotShape, act)


class AuctionLineViewSet(viewsets.GenericViewSet[AuctionLine]):
    """The ledger of an auction."""

    queryset = AuctionLine.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses={200: serializers.AuctionLineAnswer, **PROBLEMS}, tags=[TAG])
    def list(self, request: Request, key: str) -> Response:
        """Every line in order, for directors."""
        event = access.load_event(key, request.user)
        if not get_account(request).has_perm("tournaments.direct", event.club):
            raise exceptions.PermissionDenied
        rows = auction_account.get_auction(event).lines.select_related("corrects").order_by("number")
        found: Any = self.paginator.paginate_queryset(rows, request, view=self) if self.paginator else rows
        return self.get_paginated_response([serializers.AuctionLineAnswer.read(line) for line in found or ()])

    @extend_schema(
        parameters=[callers.KEY],
        request=serializers.AuctionActShape,
        responses={201: make_list_serializer(serializers.AuctionLineAnswer), **PROBLEMS},
        tags=[TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Record an act in the auction; the answer is the lines that were written.

        `sell` needs a lot, the price as the amount, and an entrant or a buyer's name; `buy_back` a lot, one of its
        entrants and the percent; `pay` a lot, a party and the amount that is open; `pay_out` a party and the amount
        that is due; `take_back` a line and, in the note, why.
        """

        def act(event: Tournament, user: User, now: datetime, said: Mapping[str, Any]) -> Any:
            return [serializers.AuctionLineAnswer.read(line) for line in _write_lines(event, user, now, said)]

        return run_once(request, key, serializers.AuctionActShape, act)


def _write_lines(event: Tournament, user: User, now: datetime, said: Mapping[str, Any]) -> list[AuctionLine]:
    """Carry out an act and return its lines."""
    where: dict[str, Any] = {"tournament_id": event.pk, "by": user, "now": now}
    given = {name: said[name] for name in ("lot", "party", "amount", "entrant", "percent") if name in said}
    match said["act"]:
        case "sell":
            buyer = Buyer(said.get("entrant"), said["buyer"])
            return [auction_ledger.sell(**where, lot=given["lot"], price=given["amount"], buyer=buyer)]
        case "buy_back":
            share = {name: given[name] for name in ("lot", "entrant", "percent")}
            return [auction_ledger.buy_back(**where, **share)]
        case "pay":
            return [auction_ledger.pay(**where, **{name: given[name] for name in ("lot", "party", "amount")})]
        case "pay_out":
            return [auction_ledger.pay_out(**where, party=given["party"], amount=given["amount"])]
        case _:
            return auction_ledger.cancel_line(**where, line=said["line"], why=said["note"])


paths: list[URLPattern] = [
    path(
        "events/<slug:key>/auction/",
        EventAuctionViewSet.as_view({"get": "retrieve", "put": "hold"}),
        name="event-auction",
    ),
    path(
        "events/<slug:key>/auction/lots/",
        AuctionLotViewSet.as_view({"post": "create"}),
        name="event-auction-lots",
    ),
    path(
        "events/<slug:key>/auction/lines/",
        AuctionLineViewSet.as_view({"get": "list", "post": "create"}),
        name="event-auction-lines",
    ),
]
