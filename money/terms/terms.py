"""Terms agreed before the start: fees, prizes, side pools. They are fixed once play begins (R57, P100).

Each change holds the event's lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from money.errors import BadTerms, LinesThere, NoMoney, NothingToPay, TermsFixed
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
from money.settling.values import MAIN, BadMoney, Prize
from money.terms import formatting
from players import names
from players.models import User
from tournaments.base import labels
from tournaments.models import Tournament
from tournaments.play import changes
from tournaments.play.changes import HelperActor
from tournaments.status import BEFORE_START, Status


@dataclass(frozen=True, slots=True)
class PrizeRow:
    part: str
    place: int
    percent: str
    amount: str


def build_prizes(parts: Mapping[str, Sequence[str]]) -> tuple[Prize, ...]:
    """Return the prizes of all parts, the main draw first; of equal remainders the earlier gets more (M5)."""
    ordered = sorted(parts, key=lambda part: (part != MAIN, part))
    return tuple(prize for part in ordered for prize in Prize.by_place(*parts[part], part=part))


def list_prize_rows(
    money: EventMoney, parts: Mapping[str, Sequence[str]], prize_money: int
) -> tuple[PrizeRow, ...]:
    prizes = build_prizes(parts)
    everybody = {
        part: tuple((f"{part}{place}",) for place in range(1, len(percents) + 1))
        for part, percents in parts.items()
    }
    shares, _ = divide(prize_money, prizes, everybody)
    due = {(share.part, share.place): share.amount for share in shares}
    return tuple(
        PrizeRow(
            "" if prize.part == MAIN else labels.format_bracket(prize.part),
            prize.place,
            formatting.format_percent(str(Fraction(prize.percent))),
            formatting.format_amount(due.get((prize.part, prize.place), 0), money),
        )
        for prize in prizes
    )


def lock_money(tournament_id: int, by: User) -> EventMoney:
    """Lock an event and return its money, for a director.

    :raises NotDirector: `by` is not a director of this club.
    :raises NoMoney: the event is played without money.
    """
    return _get_money(changes.lock_for_director(tournament_id, by))


def lock_money_for_fees(tournament_id: int, by: User | HelperActor, *, now: datetime) -> EventMoney:
    """Lock an event and return its money, for a director or helper, as helpers record fees.

    :raises NotDirector, NotHelper: `by` is neither.
    :raises NoMoney: the event is played without money.
    """
    return _get_money(changes.lock_for_helper(tournament_id, by, now=now))


def _get_money(event: Tournament) -> EventMoney:
    money = NoMoney.raise_if_none(EventMoney.objects.filter(event=event).first())
    # The locked instance instead of a second copy.
    money.event = event
    return money


def require_before_start(event: Tournament) -> None:
    """Require that the event has not begun (R57).

    :raises TermsFixed: it has begun.
    """
    if Status(event.status) not in BEFORE_START:
        raise TermsFixed


SAID: Final = ("currency", "decimals", "fee", "registration", "added", "rake_percent")
OF_POOLS: Final = ("number", "name", "stake", "rake_percent", "prizes", "reading")
MOST_ENTRIES: Final = 10_000
# The terms that existing lines depend on.
COUNTED: Final = ("currency", "decimals", "fee", "registration")
# Lines that are not cancelled.
STANDING: Final = {"corrects__isnull": True, "corrected_by__isnull": True}


@dataclass(frozen=True, slots=True)
class ReducedFee:
    """A reduced fee with its reason; amounts are whole units."""

    reason: str
    fee: int = 0
    registration: int = 0


@dataclass(frozen=True, slots=True)
class MoneyTerms:
    """The terms set by directors; amounts are whole units."""

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
    name: str
    stake: int
    prizes: Sequence[str] = ("100",)
    rake_percent: Decimal = Decimal(0)
    reading: str = ReadingChoice.MAIN.value


def set_terms(*, tournament_id: int, terms: MoneyTerms, by: User, now: datetime) -> EventMoney:
    """Set the terms of an event's money, or change them.

    :raises NotDirector: `by` is not a director of this club.
    :raises TermsFixed: the event has begun.
    :raises LinesThere: fees of another amount or currency have been recorded.
    :raises BadTerms: the terms cannot be settled, or side pools have stakes with other decimals.
    """
    _require_valid(terms)
    reduced = _build_reduced_fees(terms)
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        require_before_start(event)
        money = EventMoney.objects.filter(event=event).first()
        if money is None:
            money = EventMoney(event=event, opened_by=by, opened_at=now)
        elif _has_lines(money) and (
            money.reduced != reduced or any(getattr(money, name) != getattr(terms, name) for name in COUNTED)
        ):
            raise LinesThere
        elif money.decimals != terms.decimals and money.pools.exists():
            raise BadTerms(why=_("close the side pools first: their stakes have other decimals"))
        for name in SAID:
            setattr(money, name, getattr(terms, name))
        money.prizes = _drop_empty(terms.prizes)
        money.reduced = reduced
        money.steps = [
            {"entries": entries, "prizes": _drop_empty(terms.steps[entries])}
            for entries in sorted(terms.steps)
        ]
        money.save()
    return money


def copy_terms(*, event: Tournament, like: Tournament, now: datetime) -> None:
    """Copy the terms and side pools to a new event. The caller holds a transaction."""
    there = EventMoney.objects.filter(event=like).first()
    if there is None:
        return
    same = {name: getattr(there, name) for name in (*SAID, "prizes", "steps", "reduced")}
    money = EventMoney.objects.create(event=event, opened_at=now, **same)
    pools = there.pools.order_by("number")
    MoneyPool.objects.bulk_create(
        MoneyPool(money=money, **{name: getattr(pool, name) for name in OF_POOLS}) for pool in pools
    )


def delete_terms(*, tournament_id: int, by: User, now: datetime) -> None:
    """Remove the money of an event.

    :raises NotDirector, NoMoney, TermsFixed: nothing changes.
    :raises LinesThere: its ledger, or that of its auction, has lines.
    """
    with transaction.atomic():
        money = lock_money(tournament_id, by)
        require_before_start(money.event)
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
        money = lock_money(tournament_id, by)
        require_before_start(money.event)
        # Stakes that were taken back keep the number of their pool, which may be closed.
        last = max(
            money.pools.aggregate(last=Max("number"))["last"] or 0,
            money.lines.filter(kind=LineKind.STAKE).aggregate(last=Max("item"))["last"] or 0,
        )
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
    """Delete a side pool without stakes, or whose stakes were all taken back.

    :raises NotDirector, NoMoney, TermsFixed, NothingToPay, LinesThere: nothing changes.
    """
    with transaction.atomic():
        money = lock_money(tournament_id, by)
        require_before_start(money.event)
        row = NothingToPay.raise_if_none(money.pools.filter(number=pool).first())
        if money.lines.filter(kind=LineKind.STAKE, item=pool, **STANDING).exists():
            raise LinesThere
        row.delete()


def _drop_empty(prizes: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {part: list(percents) for part, percents in prizes.items() if percents}


def _build_reduced_fees(terms: MoneyTerms) -> list[dict[str, str | int]]:
    """Convert the reduced fees for storage.

    :raises BadTerms: one is zero, not lower than the full fee, or a duplicate.
    """
    found: dict[str, dict[str, str | int]] = {}
    for one in terms.reduced:
        reason = names.clean_name(one.reason, limit=60)
        usual = terms.fee + terms.registration
        if not (0 <= one.fee <= terms.fee and 0 <= one.registration <= terms.registration):
            raise BadTerms(why=_("a reduced fee cannot be above the usual one"))
        if not 0 < one.fee + one.registration < usual:
            raise BadTerms(why=_("a reduced fee must be above zero and below the usual one"))
        if names.fold(reason) in found:
            raise BadTerms(why=_("two reduced fees have the same reason"))
        found[names.fold(reason)] = {"reason": reason, "fee": one.fee, "registration": one.registration}
    return [*found.values()]


def _has_lines(money: EventMoney) -> bool:
    """True if the ledger, or that of the auction, has lines that are not cancelled."""
    return (
        money.lines.filter(**STANDING).exists()
        or AuctionLine.objects.filter(auction__money=money, **STANDING).exists()
    )


def _require_valid(terms: MoneyTerms) -> None:
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
    """Require percents that can be settled.

    :raises BadTerms: they are invalid, or more than 100 together.
    """
    try:
        divide(0, build_prizes(prizes), {})
    except (BadMoney, ValueError, ZeroDivisionError) as problem:
        raise BadTerms(why=str(problem)) from problem
    if not 0 <= Fraction(rake_percent) <= 100:
        raise BadTerms(why="the rake is a percent from 0 to 100")
