"""What is agreed before the start: fees, prizes, side pools. Nothing in play changes it (R57, P100)."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from money.errors import BadTerms, LinesThere, NothingToPay
from money.models import (
    DECIMALS,
    MOST,
    AuctionLine,
    EventMoney,
    LineKind,
    MoneyLine,
    MoneyPool,
    ReadingChoice,
)
from money.settling.division import divide
from money.settling.values import BadMoney
from money.terms import held
from money.terms.prize_table import prizes_of
from players import names
from tournaments.play import changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament

SAID: Final = ("currency", "decimals", "fee", "registration", "added", "rake_percent")
OF_POOLS: Final = ("number", "name", "stake", "rake_percent", "prizes", "reading")
MOST_ENTRIES: Final = 10_000
# What lines were written by.
COUNTED: Final = ("currency", "decimals", "fee", "registration")


@dataclass(frozen=True, slots=True)
class ReducedFee:
    """What somebody pays who pays less, and why; amounts are whole units."""

    reason: str
    fee: int = 0
    registration: int = 0


@dataclass(frozen=True, slots=True)
class MoneyTerms:
    """What directors say of an event's money; amounts are whole units."""

    currency: str
    decimals: int = 2
    fee: int = 0
    registration: int = 0
    added: int = 0
    rake_percent: Decimal = Decimal(0)
    prizes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # Other prizes from so many entries on.
    steps: Mapping[int, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    reduced: Sequence[ReducedFee] = ()


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """What directors say of a side pool."""

    name: str
    stake: int
    prizes: Sequence[str] = ("100",)
    rake_percent: Decimal = Decimal(0)
    reading: str = ReadingChoice.MAIN.value


def agree(*, tournament_id: int, terms: MoneyTerms, by: User, now: datetime) -> EventMoney:
    """Have an event played for money by these terms, or change them.

    :raises NotDirector: `by` does not direct at this club.
    :raises TermsFixed: the event has begun.
    :raises LinesThere: fees of another amount or currency have been taken.
    :raises BadTerms: nothing could be settled by them.
    """
    _require_sound(terms)
    reduced = _reduced(terms)
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        held.require_before_start(event)
        money = EventMoney.objects.filter(event=event).first()
        if money is None:
            money = EventMoney(event=event, opened_by=by, opened_at=now)
        elif _taken(money) and (
            money.reduced != reduced or any(getattr(money, name) != getattr(terms, name) for name in COUNTED)
        ):
            raise LinesThere
        for name in SAID:
            setattr(money, name, getattr(terms, name))
        money.prizes = _kept(terms.prizes)
        money.reduced = reduced
        money.steps = [
            {"entries": entries, "prizes": _kept(terms.steps[entries])} for entries in sorted(terms.steps)
        ]
        money.save()
    return money


def repeat(*, event: Tournament, like: Tournament, now: datetime) -> None:
    """Have a new event played for money by the terms of another one, with its side pools; within a transaction."""
    there = EventMoney.objects.filter(event=like).first()
    if there is None:
        return
    same = {name: getattr(there, name) for name in (*SAID, "prizes", "steps", "reduced")}
    money = EventMoney.objects.create(event=event, opened_at=now, **same)
    pools = there.pools.order_by("number")
    MoneyPool.objects.bulk_create(
        MoneyPool(money=money, **{name: getattr(pool, name) for name in OF_POOLS}) for pool in pools
    )


def drop(*, tournament_id: int, by: User, now: datetime) -> None:
    """Have an event played without money after all.

    :raises NotDirector, NoMoney, TermsFixed: as with other terms.
    :raises LinesThere: something has been written down, in its auction if not in its own ledger.
    """
    with transaction.atomic():
        money = held.money_of(tournament_id, by)
        held.require_before_start(money.event)
        if (
            MoneyLine.objects.filter(money=money).exists()
            or AuctionLine.objects.filter(auction__money=money).exists()
        ):
            raise LinesThere
        money.delete()


def open_pool(*, tournament_id: int, terms: PoolTerms, by: User, now: datetime) -> MoneyPool:
    """Open a side pool.

    :raises NotDirector, NoMoney, TermsFixed, BadTerms: nothing changes.
    """
    name = names.clean_name(terms.name, limit=60)
    if not 0 < terms.stake <= MOST or terms.reading not in ReadingChoice.values:
        raise BadTerms(why="a side pool has a stake")
    require_percents({"main": terms.prizes}, terms.rake_percent)
    with transaction.atomic():
        money = held.money_of(tournament_id, by)
        held.require_before_start(money.event)
        last = money.pools.aggregate(last=Max("number"))["last"] or 0
        return MoneyPool.objects.create(
            money=money,
            number=last + 1,
            name=name,
            stake=terms.stake,
            rake_percent=terms.rake_percent,
            prizes=list(terms.prizes),
            reading=terms.reading,
        )


def close_pool(*, tournament_id: int, pool: int, by: User, now: datetime) -> None:
    """Take a side pool away into which nobody has paid.

    :raises NotDirector, NoMoney, TermsFixed, NothingToPay, LinesThere: nothing changes.
    """
    with transaction.atomic():
        money = held.money_of(tournament_id, by)
        held.require_before_start(money.event)
        row = money.pools.filter(number=pool).first()
        if row is None:
            raise NothingToPay
        if money.lines.filter(kind=LineKind.STAKE, item=pool).exists():
            raise LinesThere
        row.delete()


def _kept(prizes: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {part: list(percents) for part, percents in prizes.items() if percents}


def _reduced(terms: MoneyTerms) -> list[dict[str, str | int]]:
    """Return the reduced fees as they are kept.

    :raises BadTerms: one is nothing, not lower than the usual, or there twice.
    """
    found: dict[str, dict[str, str | int]] = {}
    for one in terms.reduced:
        reason = names.clean_name(one.reason, limit=60)
        usual = terms.fee + terms.registration
        if not (0 <= one.fee <= terms.fee and 0 <= one.registration <= terms.registration):
            raise BadTerms(why=_("a reduced fee is not above the usual one"))
        if not 0 < one.fee + one.registration < usual:
            raise BadTerms(why=_("a reduced fee is less than the usual one and more than nothing"))
        if names.fold(reason) in found:
            raise BadTerms(why=_("each reason for a reduced fee is there once"))
        found[names.fold(reason)] = {"reason": reason, "fee": one.fee, "registration": one.registration}
    return [*found.values()]


def _taken(money: EventMoney) -> bool:
    """Say whether anything stands in the ledger, or in that of the auction."""
    standing = {"corrects__isnull": True, "corrected_by__isnull": True}
    return (
        money.lines.filter(**standing).exists()
        or AuctionLine.objects.filter(auction__money=money, **standing).exists()
    )


def _require_sound(terms: MoneyTerms) -> None:
    if not (terms.currency.isascii() and terms.currency.isalpha() and terms.currency.isupper()):
        raise BadTerms(why="a currency is three capital letters")
    if len(terms.currency) != 3 or terms.decimals not in DECIMALS:
        raise BadTerms(why="a currency is three capital letters, with 0, 2 or 3 decimals")
    if not all(0 <= amount <= MOST for amount in (terms.fee, terms.registration, terms.added)):
        raise BadTerms(why="an amount is out of range")
    require_percents(terms.prizes, terms.rake_percent)
    for entries, prizes in terms.steps.items():
        if not 0 < entries <= MOST_ENTRIES:
            raise BadTerms(why="prizes hold from some number of entries on")
        require_percents(prizes, terms.rake_percent)


def require_percents(prizes: Mapping[str, Sequence[str]], rake_percent: Decimal) -> None:
    """Let percents pass by which something can be settled.

    :raises BadTerms: they are more than 100 together, or no percents.
    """
    try:
        divide(0, prizes_of(prizes), {})
    except (BadMoney, ValueError, ZeroDivisionError) as problem:
        raise BadTerms(why=str(problem)) from problem
    if not 0 <= Fraction(rake_percent) <= 100:
        raise BadTerms(why="the rake is a percent from 0 to 100")
