"""What the API tells of an event's money, what it takes, and how both are described."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from money.models import DECIMALS, MOST, LineKind, ReadingChoice
from runtime.http.strict_fields import StrictFields, describe_unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from money.ledger.accounts import Account
    from money.models import MoneyLine

Shape = StrictFields
TAG: Final = "money"
# One for each entrant.
MOST_ROWS: Final = 1_024
PERCENTS: Final = "Percents by place, as texts: `33.3` or `100/3`."


def units_field(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST, **options)


def percents_field(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(max_length=20), max_length=100, **options)


class PrizesField(serializers.DictField):
    """Percents by place of each part."""

    child = percents_field()


class MoneyStepShape(Shape):
    """The prizes from so many entries on."""

    entries = serializers.IntegerField(min_value=1, max_value=10_000)
    prizes = PrizesField()


class ReducedFeeShape(Shape):
    """What somebody pays who pays less, and why."""

    reason = serializers.CharField(max_length=60)
    fee = units_field(default=0)
    registration = units_field(default=0)


class MoneyTermsShape(Shape):
    """What was agreed before the start; amounts are whole units of the currency."""

    currency = serializers.CharField(max_length=3, help_text="Three capital letters.")
    decimals = serializers.ChoiceField(choices=DECIMALS, default=2)
    fee = units_field(default=0)
    registration = units_field(default=0)
    added = units_field(default=0)
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


class MoneyPoolShape(Shape):
    """A side pool."""

    number = serializers.IntegerField(read_only=True)
    name = serializers.CharField(max_length=60)
    stake = serializers.IntegerField(min_value=1, max_value=MOST)
    prizes = percents_field(default=["100"], help_text=PERCENTS)
    rake_percent = serializers.DecimalField(
        max_digits=5, decimal_places=2, min_value=0, max_value=100, default=Decimal(0)
    )
    reading = serializers.ChoiceField(choices=ReadingChoice.choices, default=ReadingChoice.MAIN.value)


class MoneySumsShape(Shape):
    """Fees, added money and stakes are payouts, rake, expenses and what is carried."""

    fees = serializers.IntegerField()
    registration = serializers.IntegerField()
    added = serializers.IntegerField()
    stakes = serializers.IntegerField()
    payouts = serializers.IntegerField()
    rake = serializers.IntegerField()
    expenses = serializers.IntegerField(help_text="What of them came out of the prize money.")
    carried = serializers.IntegerField(help_text="Before the end: all that is still to be won.")


class PrizeDueShape(Shape):
    """What an entrant gets in all."""

    entrant = serializers.IntegerField(help_text="The number of the entry.")
    amount = serializers.IntegerField()


class EventMoneyShape(Shape):
    """The money of an event, as everyone may see it."""

    terms = MoneyTermsShape()
    pools = MoneyPoolShape(many=True)
    sums = MoneySumsShape()
    due = PrizeDueShape(many=True, help_text="Empty until the event is finished.")


class MoneyLineShape(Shape):
    """A line of the ledger; it never changes."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=LineKind.choices)
    entrant = serializers.IntegerField(allow_null=True)
    item = serializers.IntegerField(help_text="Of fees which entry it pays, of stakes the side pool.")
    amount = serializers.IntegerField()
    note = serializers.CharField()
    takes_back = serializers.IntegerField(
        allow_null=True, help_text="Of a counter-entry: the line it takes back."
    )
    at = serializers.DateTimeField()


class MoneyActShape(Shape):
    """Something that happened with money."""

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
        many=True, max_length=MOST_ROWS, required=False, help_text="split: what each is to get."
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

    def validate(self, attrs: Any) -> Any:
        """Have every act say what it needs, and nothing that it would not read."""
        require_fields_of_act(self, attrs, self.NEEDS, self.MAY_HAVE)
        return attrs


def require_fields_of_act(
    form: Shape,
    said: Mapping[str, Any],
    needs: Mapping[str, Collection[str]],
    may_have: Mapping[str, Collection[str]],
) -> None:
    """Refuse an act without a field that it needs, or with one that it does not read, such as an amount that is not its.

    :raises ValidationError: one is missing or too much.
    """
    needed = needs[said["act"]]
    if missing := [name for name in needed if not said.get(name)]:
        raise serializers.ValidationError(dict.fromkeys(missing, "This act needs it."))
    read = {name: form.fields[name] for name in ("act", *needed, *may_have.get(said["act"], ()))}
    if unread := describe_unknown(form.initial_data, read):
        raise serializers.ValidationError(unread)


def event_money(account: Account) -> dict[str, Any]:
    """Tell an event's money."""
    money, result = account.money, account.settlement
    terms = (
        "currency",
        "decimals",
        "fee",
        "registration",
        "added",
        "rake_percent",
        "prizes",
        "steps",
        "reduced",
    )
    pools = ("number", "name", "stake", "prizes", "rake_percent", "reading")
    return {
        "terms": _plain({name: getattr(money, name) for name in terms}),
        "pools": [_plain({name: getattr(pool, name) for name in pools}) for pool in account.pools],
        "sums": {
            "fees": result.fees,
            "registration": account.registration,
            "added": result.added,
            "stakes": sum(result.stakes),
            "payouts": sum(result.payouts.values()),
            "rake": result.kept,
            "expenses": result.expenses,
            "carried": result.carried,
        },
        "due": [{"entrant": who, "amount": amount} for who, amount in sorted(account.due.items())],
    }


def money_line(line: MoneyLine) -> dict[str, Any]:
    """Tell a line."""
    names = ("number", "kind", "entrant", "item", "amount", "note")
    takes_back = line.corrects.number if line.corrects is not None else None
    return {
        **{name: getattr(line, name) for name in names},
        "takes_back": takes_back,
        "at": serializers.DateTimeField().to_representation(line.at),
    }


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them: percents as texts."""
    return {**said, "rake_percent": f"{said['rake_percent']:.2f}"}
