"""Answers and requests of the API: an event's money."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.utils import timezone
from rest_framework import serializers

from money.ledger.accounts import Account
from money.models import DECIMALS, MOST, LineKind, ReadingChoice
from money.settling.settlement_input import PERCENT
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_unread

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


class MoneyActShape(StrictFields):
    """An act to record with an event's money."""

    ACTS: Final = ("pay", "pay_again", "stake", "spend", "pay_out", "split", "take_back")

    act = serializers.ChoiceField(choices=ACTS)
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

    NEEDS: Final = {
        "pay": ("entrant",),
        "pay_again": ("entrant",),
        "stake": ("entrant", "pool"),
        "spend": ("amount", "note"),
        "pay_out": ("entrant", "amount"),
        "split": ("shares",),
        "take_back": ("line", "note"),
    }

    MAY_HAVE: Final = {"pay": ("reduced",), "pay_again": ("reduced",), "split": ("note",)}

    def validate_shares(self, shares: list[dict[str, int]]) -> list[dict[str, int]]:
        """Require at most one share for each entrant."""
        if len({share["entrant"] for share in shares}) < len(shares):
            raise serializers.ValidationError("Each entrant gets one share.")
        return shares

    def validate(self, attrs: Any) -> Any:
        """Require the fields that the act needs, and no others."""
        require_fields_of_act(self, attrs, self.NEEDS, self.MAY_HAVE)
        return attrs


def require_fields_of_act(
    form: StrictFields,
    said: Mapping[str, Any],
    needs: Mapping[str, Collection[str]],
    may_have: Mapping[str, Collection[str]],
) -> None:
    """Require the fields that an act needs, and no fields that it does not read.

    :raises ValidationError: a field is missing, or one is superfluous.
    """
    needed = needs[said["act"]]
    if missing := [name for name in needed if not said.get(name)]:
        raise serializers.ValidationError(dict.fromkeys(missing, "This act needs it."))
    refuse_unread(form, ("act", *needed, *may_have.get(said["act"], ())))


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
