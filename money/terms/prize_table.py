"""The table of prizes, before they are won."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from money.settling.division import divide
from money.settling.values import MAIN, Prize
from money.terms import words
from tournaments.base import labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from money.models import EventMoney


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A place with its percent and amount."""

    part: str
    place: int
    percent: str
    amount: str


def prizes_of(parts: Mapping[str, Sequence[str]]) -> tuple[Prize, ...]:
    """The prizes of all parts, the main draw first; of equal remainders the earlier gets more (M5)."""
    ordered = sorted(parts, key=lambda part: (part != MAIN, part))
    return tuple(prize for part in ordered for prize in Prize.by_place(*parts[part], part=part))


def table(money: EventMoney, parts: Mapping[str, Sequence[str]], prize_money: int) -> tuple[PrizeRow, ...]:
    """The prizes that this prize money would give."""
    prizes = prizes_of(parts)
    everybody = {
        part: tuple((f"{part}{place}",) for place in range(1, len(percents) + 1))
        for part, percents in parts.items()
    }
    shares, _ = divide(prize_money, prizes, everybody)
    due = {(share.part, share.place): share.amount for share in shares}
    return tuple(
        PrizeRow(
            "" if prize.part == MAIN else labels.bracket(prize.part),
            prize.place,
            words.percent(str(Fraction(prize.percent))),
            words.amount(due.get((prize.part, prize.place), 0), money),
        )
        for prize in prizes
    )
