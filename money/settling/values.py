"""Input and output of a settlement. All amounts are whole minor units, such as cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from draw.prizes import Finish, SidePoolRule

MAIN: Final = "main"
WHOLE: Final = 100


class BadMoney(ValueError):
    """Input that cannot be settled; str() is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Prize:
    """The prize of a place in a part of the event, in percent of the prize money."""

    percent: Fraction
    place: int
    part: str = MAIN

    @classmethod
    def by_place(cls, *percents: Fraction | int | str, part: str = MAIN) -> tuple[Prize, ...]:
        """Create a prize for each place from the first on.

        >>> [prize.place for prize in Prize.by_place(60, "40")]
        [1, 2]
        """
        return tuple(cls(Fraction(percent), place, part) for place, percent in enumerate(percents, 1))


@dataclass(frozen=True, slots=True)
class Pool:
    """A side pool: only those who paid into it can win it."""

    players: tuple[str, ...]
    stake: int
    prizes: tuple[Prize, ...] = (Prize(Fraction(WHOLE), 1),)
    name: str = ""
    rake_percent: Fraction = Fraction(0)
    # How the winner is determined if there is a consolation (P107).
    reading: SidePoolRule = SidePoolRule.MAIN


@dataclass(frozen=True, slots=True)
class Event:
    """The income, the terms, and the final order."""

    fees: tuple[int, ...] = ()
    added: int = 0
    expenses: int = 0
    rake_percent: Fraction = Fraction(0)
    prizes: tuple[Prize, ...] = ()
    finish: Mapping[str, Finish] = field(default_factory=dict[str, "Finish"])
    # The order of the main draw alone, for side pools (M9); empty if it equals `finish`.
    main_draw: Finish = ()
    pools: tuple[Pool, ...] = ()


class CarryReason(StrEnum):
    """The reason why money is carried over instead of paid."""

    UNNAMED = "unnamed"  # the percents do not reach 100
    UNREACHED = "unreached"  # a place without a player


@dataclass(frozen=True, slots=True)
class Share:
    """A player's prize for their place, alone or shared."""

    player: str
    amount: int
    part: str
    place: int
    # The number of players who share, and the amount they share.
    tied: int
    shared: int
    # The number of the side pool; None is the prize money of the event.
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class Carry:
    """An amount carried to a later event, with the reason."""

    amount: int
    why: CarryReason
    part: str = MAIN
    place: int = 0
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """The result: payouts and the rest. `taken` is the sum of all other amounts (M1)."""

    fees: int
    added: int
    stakes: tuple[int, ...]
    rake: int
    pool_rakes: tuple[int, ...]
    expenses: int
    # The expenses that the income does not cover (M4).
    uncovered: int
    prize_money: int
    shares: tuple[Share, ...]
    carries: tuple[Carry, ...]

    @property
    def taken(self) -> int:
        return self.fees + self.added + sum(self.stakes)

    @property
    def kept(self) -> int:
        """The rake of the event and of its side pools."""
        return self.rake + sum(self.pool_rakes)

    @property
    def carried(self) -> int:
        return sum(one.amount for one in self.carries)

    @property
    def payouts(self) -> dict[str, int]:
        """Each player's prizes in all, in the order of the shares; players without prizes are left out."""
        due: dict[str, int] = {}
        for share in self.shares:
            due[share.player] = due.get(share.player, 0) + share.amount
        return {player: amount for player, amount in due.items() if amount}
