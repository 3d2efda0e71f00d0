"""An event's money over HTTP: terms and sums are public, the ledger is for directors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import callers, problems
from money.ledger import account_pages, accounts, ledger
from money.ledger import ledger_shapes as serializers
from money.models import MoneyLine
from money.terms import terms
from players.access.callers import KEY, IdempotentRequest, get_account, read_body
from players.models import User
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import paginate
from runtime.http.strict_fields import StrictFields
from tournaments.models import Tournament
from tournaments.pages import access

PROBLEMS = problems.build_director_responses("money_refused")


@extend_schema(tags=[serializers.TAG])
class EventMoneyViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses=serializers.EventMoneyAnswer)
    def retrieve(self, request: Request, key: str) -> Response:
        """Fees, prizes, side pools and sums. Amounts are whole units: cents, yen, fils."""
        money = account_pages.get_money(access.load_event(key, request.user))
        return Response(serializers.serialize_money(accounts.load_account(money)))

    @extend_schema(
        request=serializers.MoneyTermsShape, responses={200: serializers.EventMoneyAnswer, **PROBLEMS}
    )
    def agree(self, request: Request, key: str) -> Response:
        """Set the terms of the event's money, given in full; they are fixed when it begins."""
        event, user, now = (
            access.load_event(key, request.user),
            get_account(request),
            callers.get_arrival_time(request),
        )
        said = read_body(serializers.MoneyTermsShape, request)
        steps = {step["entries"]: step["prizes"] for step in said.pop("steps")}
        reduced = [terms.ReducedFee(**one) for one in said.pop("reduced")]
        agreed = terms.MoneyTerms(**said, steps=steps, reduced=reduced)
        money = terms.set_terms(tournament_id=event.pk, terms=agreed, by=user, now=now)
        return Response(serializers.serialize_money(accounts.load_account(money)))


class MoneyPoolViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[KEY],
        request=serializers.MoneyPoolShape,
        responses={201: serializers.MoneyPoolShape, **PROBLEMS},
        tags=[serializers.TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Open a side pool, before the event begins."""

        def act(event: Tournament, user: User, now: datetime, said: Mapping[str, Any]) -> Any:
            pool = terms.open_pool(tournament_id=event.pk, terms=terms.PoolTerms(**said), by=user, now=now)
            return {**said, "number": pool.number, "rake_percent": f"{pool.rake_percent:.2f}"}

        return run_once(request, key, serializers.MoneyPoolShape, act)


@extend_schema(tags=[serializers.TAG])
class MoneyLineViewSet(viewsets.GenericViewSet[MoneyLine]):
    queryset = MoneyLine.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses={200: serializers.MoneyLineAnswer, **PROBLEMS})
    def list(self, request: Request, key: str) -> Response:
        """Every line in order, for directors."""
        money = account_pages.get_money(access.load_event(key, request.user))
        if not get_account(request).has_perm("tournaments.direct", money.event.club):
            raise exceptions.PermissionDenied
        rows = money.lines.select_related("corrects").order_by("number")
        return paginate(self, rows, serializers.MoneyLineAnswer.read)

    @extend_schema(
        parameters=[KEY],
        request=serializers.MoneyActShape,
        responses={201: make_list_serializer(serializers.MoneyLineAnswer), **PROBLEMS},
    )
    def create(self, request: Request, key: str) -> Response:
        """Record an act with the event's money; the answer is the lines that were written.

        `pay` and `pay_again` need an entrant, `stake` a side pool as well, `spend` an amount and a note, `pay_out` the
        amount that is due, `split` the shares, `take_back` a line and, in the note, why.
        """

        def act(event: Tournament, user: User, now: datetime, said: Mapping[str, Any]) -> Any:
            written = _write_lines(event, user, now, said)
            return [serializers.MoneyLineAnswer.read(line) for line in written]

        return run_once(request, key, serializers.MoneyActShape, act)


def _write_lines(event: Tournament, user: User, now: datetime, said: Mapping[str, Any]) -> list[MoneyLine]:
    """Carry out an act and return its lines."""
    where: dict[str, Any] = {"tournament_id": event.pk, "by": user, "now": now}
    match said["act"]:
        case "pay" | "pay_again":
            again = said["act"] == "pay_again"
            return ledger.pay(**where, entrant=said["entrant"], again=again, reduced=said["reduced"])
        case "stake":
            return [ledger.stake(**where, entrant=said["entrant"], pool=said["pool"])]
        case "spend":
            return [ledger.spend(**where, amount=said["amount"], note=said["note"])]
        case "pay_out":
            return [ledger.pay_out(**where, entrant=said["entrant"], amount=said["amount"])]
        case "split":
            shares = {each["entrant"]: each["amount"] for each in said["shares"]}
            return ledger.split(**where, shares=shares, note=said["note"])
        case _:
            return ledger.cancel_line(**where, line=said["line"], why=said["note"])


def run_once(
    request: Request,
    key: str,
    shape: type[StrictFields],
    act: Callable[[Tournament, User, datetime, Mapping[str, Any]], Any],
) -> Response:
    """Carry out a request at most once, by its idempotency key."""
    user, once, now = get_account(request), IdempotentRequest.read(request), callers.get_arrival_time(request)
    event = access.load_event(key, user)
    said = read_body(shape, request)
    return once.run_once(now, lambda: (status.HTTP_201_CREATED, act(event, user, now, said)))


paths: list[URLPattern] = [
    path(
        "events/<slug:key>/money/",
        EventMoneyViewSet.as_view({"get": "retrieve", "put": "agree"}),
        name="event-money",
    ),
    path(
        "events/<slug:key>/money/pools/",
        MoneyPoolViewSet.as_view({"post": "create"}),
        name="event-money-pools",
    ),
    path(
        "events/<slug:key>/money/lines/",
        MoneyLineViewSet.as_view({"get": "list", "post": "create"}),
        name="event-money-lines",
    ),
]
