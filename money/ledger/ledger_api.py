"""An event's money over HTTP: terms and sums are public, the ledger is for directors. And its shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import callers, problems
from money.ledger import account_pages, accounts, ledger
from money.ledger.accounts import Account
from money.models import DECIMALS, MOST, LineKind, MoneyLine, ReadingChoice
from money.settling.settlement_input import PERCENT
from money.terms import terms
from players.access.callers import KEY, IdempotentRequest, get_account, read_body, require_account
from players.models import User
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import StrictFields, refuse_unread
from tournaments.models import Tournament
from tournaments.pages import access

TAG: Final = "money"
# One for each entrant.
MOST_ROWS: Final = 1_024
PERCENTS: Final = "Percents by place, as texts: `33.3` or `100/3`."
ONE_PERCENT: Final = re.compile(rf"\A(?:{PERCENT.pattern})\Z", PERCENT.flags)


def make_units_field(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST, **options)


def make_percents_field(**options: Any) -> serializers.ListField:
    percent = serializers.RegexField(ONE_PERCENT, max_length=20)
    return serializers.ListField(child=percent, max_length=100, **options)


class PrizesField(serializers.DictField):
    """Percents by place of each part."""

    child = make_percents_field()


class MoneyStepShape(StrictFields):
    """The prizes from so many entries on."""

    entries = serializers.IntegerField(min_value=1, max_value=10_000)
    prizes = PrizesField()


class ReducedFeeShape(StrictFields):
    """A reduced entry fee, and the reason."""

    reason = serializers.CharField(max_length=60)
    fee = make_units_field(default=0)
    registration = make_units_field(default=0)


class MoneyTermsShape(StrictFields):
    """The terms agreed before the start; amounts are whole units of the currency."""

    currency = serializers.CharField(max_length=3, help_text="Three capital letters.")
    decimals = serializers.ChoiceField(choices=DECIMALS, default=2)
    fee = make_units_field(default=0)
    registration = make_units_field(default=0)
    added = make_units_field(default=0)
    rake_percent = serializers.DecimalField(
        max_digits=5, decimal_places=2, min_value=0, max_value=100, default=Decimal(0)
    )
    prizes = PrizesField(default=dict, help_text=f"By part, `main` and `consolation`. {PERCENTS}")
    steps = MoneyStepShape(  # type: ignore[call-arg]
        many=True, max_length=MOST_ROWS, default=list, help_text="Other prizes from so many entries on."
    )
    reduced = ReducedFeeShape(  # type: ignore[call-arg]
        many=True, max_length=MOST_ROWS, default=list, help_text="Lower fees for some, each with its reason."
    )


class MoneyPoolShape(StrictFields):
    """A side pool."""

    number = serializers.IntegerField(read_only=True)
    name = serializers.CharField(max_length=60)
    stake = serializers.IntegerField(min_value=1, max_value=MOST)
    prizes = make_percents_field(default=["100"], help_text=PERCENTS)
    rake_percent = serializers.DecimalField(
        max_digits=5, decimal_places=2, min_value=0, max_value=100, default=Decimal(0)
    )
    reading = serializers.ChoiceField(choices=ReadingChoice.choices, default=ReadingChoice.MAIN.value)


class MoneySumsAnswer(Answer):
    """The sums of an event: fees, added money and stakes equal payouts, rake, expenses and carried money."""

    fees: int
    registration: int
    added: int
    stakes: int
    payouts: int
    rake: int = about(source="kept")
    expenses: int = about("What of them came out of the prize money.")
    carried: int = about("Before the end: all that is still to be won.")


class PrizeDueShape(StrictFields):
    """The amount due to an entrant in all."""

    entrant = serializers.IntegerField(min_value=1, max_value=10_000, help_text="The number of the entry.")
    amount = serializers.IntegerField()


class EventMoneyAnswer(Answer):
    """The public part of an event's money."""

    terms: dict[str, Any] = about(described=MoneyTermsShape())
    pools: Any = about(described=MoneyPoolShape(many=True))
    sums: MoneySumsAnswer
    due: list[dict[str, int]] = about(
        described=PrizeDueShape(many=True, help_text="Empty until the event is finished.")
    )


class MoneyLineAnswer(Answer):
    """A line of the ledger; it never changes."""

    number: int
    kind: LineKind
    entrant: int | None
    item: int = about("Of fees which entry it pays, of stakes the side pool.")
    amount: int
    note: str
    takes_back: int | None = about("Of a counter-entry: the line it takes back.", source="corrects.number")
    at: datetime = about(source=lambda line: timezone.localtime(line.at))


class ActShape(StrictFields):
    """Base of acts: each needs some fields and may have some others."""

    NEEDS: Mapping[str, Collection[str]]
    MAY_HAVE: Mapping[str, Collection[str]]

    def validate(self, attrs: Any) -> Any:
        act = attrs["act"]
        if missing := [name for name in self.NEEDS[act] if not attrs.get(name)]:
            raise serializers.ValidationError(dict.fromkeys(missing, "This act needs it."))
        refuse_unread(self, ("act", *self.NEEDS[act], *self.MAY_HAVE.get(act, ())))
        return attrs


class MoneyActShape(ActShape):
    """An act to record with an event's money."""

    NEEDS = {
        "pay": ("entrant",),
        "pay_again": ("entrant",),
        "stake": ("entrant", "pool"),
        "spend": ("amount", "note"),
        "pay_out": ("entrant", "amount"),
        "split": ("shares",),
        "take_back": ("line", "note"),
    }
    MAY_HAVE = {"pay": ("reduced",), "pay_again": ("reduced",), "split": ("note",)}

    act = serializers.ChoiceField(choices=[*NEEDS])
    entrant = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    pool = serializers.IntegerField(min_value=1, max_value=1_000, required=False)
    amount = serializers.IntegerField(min_value=1, max_value=MOST, required=False)
    line = serializers.IntegerField(min_value=1, max_value=10**6, required=False)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    reduced = serializers.CharField(
        max_length=60, required=False, default="", help_text="pay, pay_again: the reason of a reduced fee."
    )
    shares = PrizeDueShape(  # type: ignore[call-arg]
        many=True,
        max_length=MOST_ROWS,
        required=False,
        help_text="split: what each of those who agreed is to get; the others are left out.",
    )

    def validate_shares(self, shares: list[dict[str, int]]) -> list[dict[str, int]]:
        """Require at most one share for each entrant."""
        if len({share["entrant"] for share in shares}) < len(shares):
            raise serializers.ValidationError("Each entrant gets one share.")
        return shares


def serialize_money(account: Account) -> EventMoneyAnswer:
    result = account.settlement
    return EventMoneyAnswer(
        terms=MoneyTermsShape(account.money).data,
        pools=MoneyPoolShape(account.pools, many=True).data,
        sums=MoneySumsAnswer.read(
            result,
            registration=account.registration,
            stakes=sum(result.stakes),
            payouts=sum(result.payouts.values()),
        ),
        due=[{"entrant": who, "amount": amount} for who, amount in sorted(account.due.items())],
    )


PROBLEMS = problems.build_director_responses("money_refused")


@extend_schema(tags=[TAG])
class EventMoneyViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses=EventMoneyAnswer)
    def retrieve(self, request: Request, key: str) -> Response:
        """Fees, prizes, side pools and sums. Amounts are whole units: cents, yen, fils."""
        money = account_pages.get_money(access.load_event(key, request.user))
        return Response(serialize_money(accounts.load_account(money)))

    @extend_schema(request=MoneyTermsShape, responses={200: EventMoneyAnswer, **PROBLEMS})
    def agree(self, request: Request, key: str) -> Response:
        """Set the terms of the event's money, given in full; they are fixed when it begins."""
        event = access.load_event(key, request.user)
        user, now = get_account(request), callers.get_arrival_time(request)
        data = read_body(MoneyTermsShape, request)
        steps = {step["entries"]: step["prizes"] for step in data.pop("steps")}
        reduced = [terms.ReducedFee(**one) for one in data.pop("reduced")]
        agreed = terms.MoneyTerms(**data, steps=steps, reduced=reduced)
        money = terms.set_terms(tournament_id=event.pk, terms=agreed, by=user, now=now)
        return Response(serialize_money(accounts.load_account(money)))


class MoneyPoolViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[KEY],
        request=MoneyPoolShape,
        responses={201: MoneyPoolShape, **PROBLEMS},
        tags=[TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Open a side pool, before the event begins."""

        def act(event: Tournament, user: User, now: datetime, data: Mapping[str, Any]) -> Any:
            pool = terms.open_pool(tournament_id=event.pk, terms=terms.PoolTerms(**data), by=user, now=now)
            return {**data, "number": pool.number, "rake_percent": f"{pool.rake_percent:.2f}"}

        return run_once(request, key, MoneyPoolShape, act)


@extend_schema(tags=[TAG])
class MoneyLineViewSet(viewsets.GenericViewSet[MoneyLine]):
    queryset = MoneyLine.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses={200: MoneyLineAnswer, **PROBLEMS})
    def list(self, request: Request, key: str) -> Response:
        """Every line in order, for directors."""
        money = account_pages.get_money(access.load_event(key, request.user))
        require_account(request, "tournaments.direct", money.event)
        rows = money.lines.select_related("corrects").order_by("number")
        return paginate(self, rows, MoneyLineAnswer.read)

    @extend_schema(
        parameters=[KEY],
        request=MoneyActShape,
        responses={201: make_list_serializer(MoneyLineAnswer), **PROBLEMS},
    )
    def create(self, request: Request, key: str) -> Response:
        """Record an act with the event's money; the answer is the lines that were written.

        `pay` and `pay_again` need an entrant, `stake` a side pool as well, `spend` an amount and a note, `pay_out` the
        amount that is due, `split` the shares, `take_back` a line and, in the note, why.
        """

        def act(event: Tournament, user: User, now: datetime, data: Mapping[str, Any]) -> Any:
            written = _write_lines(event, user, now, data)
            return [MoneyLineAnswer.read(line) for line in written]

        return run_once(request, key, MoneyActShape, act)


def _write_lines(event: Tournament, user: User, now: datetime, data: Mapping[str, Any]) -> list[MoneyLine]:
    where: dict[str, Any] = {"tournament_id": event.pk, "by": user, "now": now}
    match data["act"]:
        case "pay" | "pay_again":
            again = data["act"] == "pay_again"
            return ledger.pay(**where, entrant=data["entrant"], again=again, reduced=data["reduced"])
        case "stake":
            return [ledger.stake(**where, entrant=data["entrant"], pool=data["pool"])]
        case "spend":
            return [ledger.spend(**where, amount=data["amount"], note=data["note"])]
        case "pay_out":
            return [ledger.pay_out(**where, entrant=data["entrant"], amount=data["amount"])]
        case "split":
            shares = {each["entrant"]: each["amount"] for each in data["shares"]}
            return ledger.split(**where, shares=shares, note=data["note"])
        case _:
            return ledger.cancel_line(**where, line=data["line"], why=data["note"])


def run_once(
    request: Request,
    key: str,
    shape: type[StrictFields],
    act: Callable[[Tournament, User, datetime, Mapping[str, Any]], Any],
) -> Response:
    """Carry out a request at most once, by its idempotency key."""
    user, once, now = get_account(request), IdempotentRequest.read(request), callers.get_arrival_time(request)
    event = access.load_event(key, user)
    data = read_body(shape, request)
    return once.run_once(now, lambda: (status.HTTP_201_CREATED, act(event, user, now, data)))


MONEY: Final = "events/<slug:key>/money"
paths: list[URLPattern] = [
    path(f"{MONEY}/", EventMoneyViewSet.as_view({"get": "retrieve", "put": "agree"}), name="event-money"),
    path(f"{MONEY}/pools/", MoneyPoolViewSet.as_view({"post": "create"}), name="event-money-pools"),
    path(
        f"{MONEY}/lines/",
        MoneyLineViewSet.as_view({"get": "list", "post": "create"}),
        name="event-money-lines",
    ),
]
