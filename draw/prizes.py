"""Prize money: contributions, deductions and payouts, to the last cent.

All amounts are whole minor units (cents). Rules P100 to P108 are explained in docs/pairing-rounds.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

Entrant = str
# A finishing order: groups of those who share a place, best first.
Finish = tuple[tuple[Entrant, ...], ...]

WHOLE: Final = 10_000  # basis points


class PrizeRefusal(Exception):
    """Invalid amounts; `code` is for programs, str() for people."""

    def __init__(self, code: str, message: str, /, **context: object) -> None:
        super().__init__(message)
        self.code = code
        self.context = context


@dataclass(frozen=True, slots=True)
class Terms:
    """The amounts agreed before the start.

    >>> Terms(fee=2000, rake=1000).rake
    1000
    """

    fee: int = 0  # into the prize pool; may be zero (R58)
    registration: int = 0  # covers the costs of the event, never the pool
    added: int = 0  # added to the pool by the organiser
    rake: int = 0  # kept from the fees, in basis points
    reserve: int = 0  # set aside from the fees for the season's final, in basis points

    def __post_init__(self) -> None:
        if min(self.fee, self.registration, self.added, self.rake, self.reserve) < 0:
            raise PrizeRefusal("negative-amount", "No amount can be below zero.")
        if self.rake + self.reserve > WHOLE:
            raise PrizeRefusal("keeps-too-much", "More would be kept than is paid.")


@dataclass(frozen=True, slots=True)
class Contribution:
    """One purchase of a place; a re-entry is a second one. *part* is the paid share of the full fee."""

    entrant: Entrant
    part: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not 0 <= self.part <= 1:
            raise PrizeRefusal("bad-part", "The part of a fee lies between nothing and all of it.")


@dataclass(frozen=True, slots=True)
class Purse:
    """The public account of one event."""

    fees: int
    registration: int
    added: int
    rake: int
    reserve: int

    @property
    def pool(self) -> int:
        return self.fees - self.rake - self.reserve + self.added


def compute_purse(terms: Terms, contributions: Iterable[Contribution]) -> Purse:
    """Add up the purse from the contributions.

    >>> compute_purse(Terms(fee=2000, rake=1000), [Contribution("A"), Contribution("B")]).pool
    3600
    """
    bought = list(contributions)
    # P101: fractions of a cent stay with the players, in what they pay and in what is kept.
    fees = sum(int(terms.fee * one.part) for one in bought)
    return Purse(
        fees=fees,
        registration=terms.registration * len(bought),
        added=terms.added,
        rake=fees * terms.rake // WHOLE,
        reserve=fees * terms.reserve // WHOLE,
    )


def split_amount(amount: int, weights: Sequence[int], unit: int = 1) -> tuple[int, ...]:
    """Split *amount* by *weights*; units left over go to the largest remainders, or the better place (P102).

    >>> split_amount(997, (40, 25, 25, 10))
    (399, 249, 249, 100)
    """
    whole = sum(weights)
    if amount < 0 or unit < 1 or not whole or min(weights) < 0:
        raise PrizeRefusal("bad-split", "A split needs an amount, a unit and weights that add up.")
    notes = amount // unit
    shares = [notes * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda place: (-(notes * weights[place] % whole), place))
    for place in by_remainder[: notes - sum(shares)]:
        shares[place] += 1
    paid = [share * unit for share in shares]
    # P103: the rest below one unit goes to the first paid place.
    paid[next(place for place, weight in enumerate(weights) if weight)] += amount - notes * unit
    return tuple(paid)


@dataclass(frozen=True, slots=True)
class PaidPlace:
    part: str
    place: int
    weight: int


@dataclass(frozen=True, slots=True)
class Split:
    levels: tuple[PaidPlace, ...]

    def __post_init__(self) -> None:
        places = [(level.part, level.place) for level in self.levels]
        if len(set(places)) < len(places) or any(place < 1 for _, place in places):
            raise PrizeRefusal("bad-split", "Each place is paid once.")
        if not any(level.weight for level in self.levels):
            raise PrizeRefusal("bad-split", "Somebody must be paid.")

    @classmethod
    def from_weights(cls, **parts: Sequence[int]) -> Split:
        """Build a split from the weights of each part.

        For example `Split.from_weights(main=(40, 25), consolation=(25, 10))`.
        """
        return cls(
            tuple(
                PaidPlace(part, place, weight)
                for part, weights in parts.items()
                for place, weight in enumerate(weights, 1)
            )
        )


# Common at real events; a director can write any other.
SPLITS: Final[Mapping[str, Split]] = {
    "winner": Split.from_weights(main=(1,)),
    "two-thirds": Split.from_weights(main=(2, 1)),
    "50-30-20": Split.from_weights(main=(50, 30, 20)),
    "45-30-25": Split.from_weights(main=(45, 30, 25)),
    "45-30-15-10": Split.from_weights(main=(45, 30, 15, 10)),
    "40-30-20-10": Split.from_weights(main=(40, 30, 20, 10)),
    "30-20-15-15-10-10": Split.from_weights(main=(30, 20, 15, 15, 10, 10)),
    "twelfths": Split.from_weights(main=(4, 2, 2, 1, 1, 1, 1)),
    "50-25+25": Split.from_weights(main=(50, 25), consolation=(25,)),
    "40-25+25-10": Split.from_weights(main=(40, 25), consolation=(25, 10)),
    "45-22+22-11": Split.from_weights(main=(45, 22), consolation=(22, 11)),
}


@dataclass(frozen=True, slots=True)
class Payout:
    """One entrant's payout; *withheld* is what a part-payer leaves for the season's final."""

    entrant: Entrant
    prize: int
    withheld: int = 0
    # The places it came from, as (part, first place covered, number of players sharing it).
    why: tuple[tuple[str, int, int], ...] = ()

    @property
    def paid(self) -> int:
        return self.prize - self.withheld


def compute_payouts(
    pool: int,
    split: Split,
    finish: Mapping[str, Finish],
    *,
    parts: Mapping[Entrant, Fraction] | None = None,
    unit: int = 1,
) -> tuple[Payout, ...]:
    """Compute all payouts; the prizes add up to the pool.

    >>> order = {"main": (("Ann",), ("Bob", "Cem"))}
    >>> [(p.entrant, p.prize) for p in compute_payouts(1000, Split.from_weights(main=(50, 30, 20)), order)]
    [('Ann', 500), ('Bob', 250), ('Cem', 250)]
    """
    reached = {part: sum(map(len, groups)) for part, groups in finish.items()}
    # P104: a place that no player reached pays nothing, and the other places share its weight.
    levels = [level for level in split.levels if level.place <= reached.get(level.part, 0)]
    if not any(level.weight for level in levels):
        raise PrizeRefusal("nobody-to-pay", "No paid place has anybody in it.")
    amounts = split_amount(pool, [level.weight for level in levels], unit)
    due = {(level.part, level.place): amount for level, amount in zip(levels, amounts, strict=True)}
    prizes: dict[Entrant, int] = {}
    why: dict[Entrant, tuple[tuple[str, int, int], ...]] = {}
    for part, groups in finish.items():
        place = 1
        for tied in groups:
            # P105: tied players share the sum of the places they cover; odd cents go to those listed first.
            amount = sum(due.get((part, place + below), 0) for below in range(len(tied)))
            shares = split_amount(amount, (1,) * len(tied)) if amount else ()
            for entrant, prize in zip(tied, shares, strict=False):
                prizes[entrant] = prizes.get(entrant, 0) + prize
                why[entrant] = (*why.get(entrant, ()), (part, place, len(tied)))
            place += len(tied)
    return tuple(
        # P106: what a part-payer does not get is rounded in their favour.
        Payout(entrant, prize, int(prize * (1 - (parts or {}).get(entrant, Fraction(1)))), why[entrant])
        for entrant, prize in prizes.items()
    )


class SidePoolRule(StrEnum):
    """The rule for the winner of a side pool; announced before the start (P107)."""

    MAIN = "main"  # by the main event alone
    MAIN_FIRST = "main-first"  # by the main event, then by the consolation
    CONSOLATION_FIRST = "consolation-first"  # by the consolation, then by the main event


_PARTS: Final[Mapping[SidePoolRule, tuple[str, ...]]] = {
    SidePoolRule.MAIN: ("main",),
    SidePoolRule.MAIN_FIRST: ("main", "consolation"),
    SidePoolRule.CONSOLATION_FIRST: ("consolation", "main"),
}


def rank_contributors(players: Iterable[Entrant], rule: SidePoolRule, finish: Mapping[str, Finish]) -> Finish:
    """Rank the contributors of a side pool alone; one who is in none of the parts comes last."""
    known = [_map_places(finish.get(part, ())) for part in _PARTS[rule]]
    ranked: dict[tuple[int, ...], list[Entrant]] = {}
    for entrant in dict.fromkeys(players):
        key = tuple(places.get(entrant, len(places) + 1) for places in known)
        ranked.setdefault(key, []).append(entrant)
    return tuple(tuple(ranked[key]) for key in sorted(ranked))


def _map_places(finish: Finish) -> dict[Entrant, int]:
    places: dict[Entrant, int] = {}
    for tied in finish:
        first = len(places) + 1
        places.update(dict.fromkeys(tied, first))
    return places
