"""Forms for fees, prizes and side pools. Forms parse and validate; services decide."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from draw.prizes import SPLITS
from money.models import MOST, EventMoney, ReadingChoice
from money.settling.settlement_output import format_plain_percent
from money.settling.values import MAIN
from money.terms import formatting
from money.terms.prize_fields import PLACES_BESIDE, SharesWidget, StepsWidget, split_percents
from money.terms.terms import MoneyTerms, PoolTerms, ReducedFee
from players.people.fields import LongTextField, NameField

PARTS: Final = (MAIN, formatting.CONSOLATION)
DECIMALS: Final = ((2, _("2 (euro, dollar, pound)")), (0, _("0 (yen, forint)")), (3, _("3 (dinar)")))
AMOUNTS: Final = ("fee", "registration", "added")
AMOUNT: Final = re.compile(r"\d{1,12}(?:[.,](?P<part>\d{1,3}))?", re.ASCII)


def parse_amount(text: str, decimals: int) -> int:
    """Parse a typed amount: 12, 12.5 or 12,50.

    >>> parse_amount("12,50", 2), parse_amount("7", 0), parse_amount("", 2)
    (1250, 7, 0)

    :raises ValidationError: it is invalid or too large, or has more decimals than the currency, also if they are
        noughts: "1,000" may mean a thousand.
    """
    text = text.strip()
    if not text:
        return 0
    found = AMOUNT.fullmatch(text)
    if found is None:
        raise forms.ValidationError(gettext("Write an amount such as 12.50."))
    if len(found["part"] or "") > decimals:
        raise forms.ValidationError(
            gettext("This currency has %(decimals)s decimals.") % {"decimals": decimals}
        )
    value = Decimal(text.replace(",", ".")).scaleb(decimals)
    if value > MOST:
        raise forms.ValidationError(gettext("This number is too small or too large."))
    return int(value)


def list_split_choices() -> list[tuple[str, Any]]:
    named = [(name, formatting.format_shares(get_split_parts(name))) for name in SPLITS]
    return [("", _("As written below")), *named]


def get_split_parts(name: str) -> dict[str, list[str]]:
    levels = SPLITS[name].levels
    whole = sum(level.weight for level in levels)
    found: dict[str, list[str]] = {}
    for level in levels:
        percent = format_plain_percent(Fraction(level.weight * 100, whole))
        found.setdefault(level.part, []).append(percent)
    return found


class PercentsField(forms.CharField):
    """Percents by place, a cell each; read as "50, 30, 20"."""

    widget = SharesWidget

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value) or "")
        found = split_percents(text.replace("%", " "))
        for one in found:
            if not re.fullmatch(r"\d{1,3}(\.\d{1,6})?|\d{1,4}/[1-9]\d{0,3}", one, re.ASCII):
                raise forms.ValidationError(gettext("Enter a percentage for each place, such as 50."))
        if sum(map(Fraction, found)) > 100:
            raise forms.ValidationError(gettext("The percentages add up to more than 100."))
        return found


class StepsField(forms.CharField):
    """Other prizes by entries, a row each; read as lines such as "16: 45, 30, 15, 10 + 25"."""

    widget = StepsWidget

    def clean(self, value: Any) -> dict[int, dict[str, list[str]]]:
        """Parse into percents by part, by number of entries."""
        found: dict[int, dict[str, list[str]]] = {}
        for line in str(super().clean(value) or "").splitlines():
            if not line.strip():
                continue
            entries, colon, percents = line.partition(":")
            if not colon or not re.fullmatch(r"[1-9]\d{0,3}", entries.strip(), re.ASCII):
                raise forms.ValidationError(gettext("Enter from how many entries the row applies."))
            main, _plus, beside = percents.partition("+")
            parts = {MAIN: PERCENTS.clean(main), formatting.CONSOLATION: PERCENTS.clean(beside)}
            if sum(map(Fraction, [*parts[MAIN], *parts[formatting.CONSOLATION]])) > 100:
                raise forms.ValidationError(gettext("The percentages add up to more than 100."))
            found[int(entries)] = {part: amount for part, amount in parts.items() if amount}
        return found


class ReducedField(LongTextField):
    """Reduced fees, a line each: "Junior: 10" or, with a registration fee, "Junior: 10 + 1.25"."""

    widget = forms.Textarea(attrs={"rows": 2})

    def clean(self, value: Any) -> list[tuple[str, str, str]]:
        """Parse into reason, fee and registration fee of each line; amounts stay strings."""
        found: list[tuple[str, str, str]] = []
        for line in str(super().clean(value) or "").splitlines():
            if not line.strip():
                continue
            reason, colon, amounts = line.rpartition(":")
            if not colon or not reason.strip():
                raise forms.ValidationError(gettext("Write lines such as Junior: 10."))
            fee, _plus, registration = amounts.partition("+")
            found.append((reason.strip(), fee, registration))
        return found


PERCENTS: Final = PercentsField(required=False, max_length=200)


def make_percent_field() -> forms.DecimalField:
    return forms.DecimalField(
        label=_("Rake in percent"),
        min_value=Decimal(0),
        max_value=Decimal(100),
        max_digits=5,
        decimal_places=2,
        required=False,
        initial=0,
        help_text=_("What the organiser keeps. Rounded down."),
    )


class MoneyTermsForm(forms.Form):
    currency = forms.CharField(
        label=_("Currency"), min_length=3, max_length=3, help_text=_("Three letters, such as EUR.")
    )
    decimals = forms.TypedChoiceField(label=_("Decimals"), choices=DECIMALS, coerce=int, initial=2)
    fee = forms.CharField(
        label=_("Entry fee"), required=False, max_length=16, help_text=_("Goes into the prize money.")
    )
    registration = forms.CharField(
        label=_("Registration fee"),
        required=False,
        max_length=16,
        help_text=_("Covers the costs of the event, never the prizes."),
    )
    added = forms.CharField(
        label=_("Added money"), required=False, max_length=16, help_text=_("From the organiser or a sponsor.")
    )
    rake_percent = make_percent_field()
    split = forms.ChoiceField(
        label=_("Prizes in percent, by place"), choices=list_split_choices, required=False
    )
    main = PercentsField(
        label=_("Main draw"), required=False, max_length=200, help_text=_("A percent for each place.")
    )
    consolation = PercentsField(
        label=_("Consolation"), required=False, max_length=200, widget=SharesWidget(places=PLACES_BESIDE)
    )
    steps = StepsField(
        label=_("Other prizes with more entries"),
        required=False,
        max_length=1000,
        help_text=_("With fewer entries, the prizes above apply."),
    )

    reduced = ReducedField(
        label=_("Reduced fees"),
        required=False,
        max_length=600,
        help_text=_(
            "A line each: who pays less, then the entry fee; after a + the registration fee. "
            "For example Junior: 10 or Junior: 10 + 1.25."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        decimals = cleaned.get("decimals", 2)
        for name in AMOUNTS:
            try:
                cleaned[name] = parse_amount(cleaned.get(name, ""), decimals)
            except forms.ValidationError as problem:
                self.add_error(name, problem)
        try:
            cleaned["reduced"] = [
                ReducedFee(reason, parse_amount(fee, decimals), parse_amount(registration, decimals))
                for reason, fee, registration in cleaned.get("reduced", [])
            ]
        except forms.ValidationError as problem:
            self.add_error("reduced", problem)
        beside = [*cleaned.get("main", []), *cleaned.get("consolation", [])]
        if not cleaned.get("split") and sum(map(Fraction, beside)) > 100:
            self.add_error("consolation", gettext("The percentages add up to more than 100."))
        cleaned["currency"] = cleaned.get("currency", "").upper()
        return cleaned

    @property
    def terms(self) -> MoneyTerms:
        cleaned = self.cleaned_data
        own = {part: cleaned[part] for part in PARTS if cleaned[part]}
        return MoneyTerms(
            **{name: cleaned[name] for name in ("currency", "decimals", *AMOUNTS, "steps", "reduced")},
            rake_percent=cleaned["rake_percent"] or Decimal(0),
            prizes=get_split_parts(cleaned["split"]) if cleaned["split"] else own,
        )

    @staticmethod
    def build_initial(money: EventMoney) -> dict[str, Any]:
        amounts = {
            name: formatting.format_for_input(getattr(money, name), money.decimals)
            if getattr(money, name)
            else ""
            for name in AMOUNTS
        }
        percents = {part: ", ".join(money.prizes.get(part, ())) for part in PARTS}
        return {
            "currency": money.currency,
            "decimals": money.decimals,
            "rake_percent": formatting.format_percent_for_input(money.rake_percent),
            **amounts,
            **percents,
            "steps": "\n".join(
                f"{step['entries']}: {' + '.join(', '.join(step['prizes'].get(part, ())) for part in PARTS)}".rstrip(
                    " +"
                )
                for step in money.steps
            ),
            "reduced": "\n".join(_format_reduced_fee(one, money.decimals) for one in money.reduced),
        }


def _format_reduced_fee(one: dict[str, Any], decimals: int) -> str:
    beside = f" + {formatting.format_for_input(one['registration'], decimals)}" if one["registration"] else ""
    return f"{one['reason']}: {formatting.format_for_input(one['fee'], decimals)}{beside}"


class PoolForm(forms.Form):
    name = NameField(label=_("Name"), max_length=60)
    stake = forms.CharField(label=_("Stake"), max_length=16)
    prizes = PercentsField(
        label=_("Prizes in percent, by place"),
        initial="100",
        max_length=200,
        help_text=_("100: the best player wins all of it."),
    )
    rake_percent = make_percent_field()
    reading = forms.ChoiceField(
        label=_("Who wins"), choices=ReadingChoice.choices, initial=ReadingChoice.MAIN
    )

    def __init__(self, *args: Any, decimals: int = 2, **options: Any) -> None:
        super().__init__(*args, **options)
        self.decimals = decimals

    def clean_stake(self) -> int:
        return _require_amount(self.cleaned_data["stake"], self.decimals)

    @property
    def terms(self) -> PoolTerms:
        cleaned = self.cleaned_data
        return PoolTerms(
            cleaned["name"],
            cleaned["stake"],
            cleaned["prizes"],
            cleaned["rake_percent"] or Decimal(0),
            cleaned["reading"],
        )


class ExpenseForm(forms.Form):
    amount = forms.CharField(label=_("Amount"), max_length=16)
    note = forms.CharField(label=_("What for"), max_length=200)

    def __init__(self, *args: Any, decimals: int = 2, **options: Any) -> None:
        super().__init__(*args, **options)
        self.decimals = decimals

    def clean_amount(self) -> int:
        return _require_amount(self.cleaned_data["amount"], self.decimals)


def _require_amount(text: str, decimals: int) -> int:
    found = parse_amount(text, decimals)
    if not found:
        raise forms.ValidationError(gettext("Write an amount such as 12.50."))
    return found
