"""Formatting of amounts and percents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from money.models import EventMoney
from money.settling.settlement_output import format_plain_percent
from money.settling.values import MAIN

MINUS = "\u2212"
CONSOLATION = "consolation"


def format_amount(units: int, money: EventMoney) -> str:
    """Format an amount with its currency, in the reader's language: "12.50 EUR"."""
    value = Decimal(abs(units)).scaleb(-money.decimals)
    number = number_format(value, decimal_pos=money.decimals, use_l10n=True, force_grouping=True)
    return f"{MINUS if units < 0 else ''}{number} {money.currency}"


def format_for_input(units: int, decimals: int) -> str:
    value = Decimal(units).scaleb(-decimals)
    return number_format(value, decimal_pos=decimals, use_l10n=True, force_grouping=False)


def format_percent_for_input(value: Decimal) -> str:
    """Format a percent for a number field, without trailing zeros: "10", "2.5"."""
    return format(value.normalize(), "f")


def format_percent(value: str | Decimal) -> str:
    """Format a percent: "33.3 %". A fraction such as 100/3 is rounded for display only."""
    number = format_plain_percent(Fraction(value))
    if "/" in number:
        number = f"{float(Fraction(value)):.1f}"
    return f"{number_format(Decimal(number))}\u00a0%"


def format_percents(values: Iterable[str | Decimal]) -> str:
    """Format percents place by place: "45 %, 30 %, 25 %"."""
    return ", ".join(map(format_percent, values))


def format_shares(parts: Mapping[str, Sequence[str]]) -> str:
    """Format the percents of the main draw and of the consolation: "45 %, 22 %; consolation 22 %, 11 %"."""
    main, beside = format_percents(parts.get(MAIN, ())), format_percents(parts.get(CONSOLATION, ()))
    if not beside:
        return main
    shares = {"main": main, "beside": beside}
    return _("%(main)s; consolation %(beside)s") % shares if main else _("consolation %(beside)s") % shares
