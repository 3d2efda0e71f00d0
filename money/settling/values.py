"""What is settled and what comes of it. All amounts are whole minor units: cents, or whatever the currency has."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from draw.prizes import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.prizes import Finish

MAIN: Final = "main"
WHOLE: Final = 100


class BadMoney(ValueError):
    """Money that cannot be right; str() is the sentence to show."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What one place of one part of the event gets, in percent of the prize money."""

    percent: Fraction
    place: int
    part: str = MAIN

    @classmethod
    def by_place(cls, *percents: Fraction | int | str, part: str = MAIN) -> tuple[Prize, ...]:
        """Return a prize for each place from the first on.

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
    # Who lasts longest where there is a consolation (P107).
    reading: Reading = Reading.MAIN


@dataclass(frozen=True, slots=True)
class Event:
    """What came in, what was agreed, and how everybody finished."""

    fees: tuple[int, ...] = ()
    added: int = 0
    expenses: int = 0
    rake_percent: Fraction = Fraction(0)
    prizes: tuple[Prize, ...] = ()
    finish: Mapping[str, Finish] = field(default_factory=dict[str, "Finish"])
    # The main draw by itself, by which side pools are read (M9); empty where `finish` says the same of it.
    main_draw: Finish = ()
    pools: tuple[Pool, ...] = ()


class Why(StrEnum):
    """Why money is carried over instead of paid."""

    UNNAMED = "unnamed"  # the percents do not reach 100
    UNREACHED = "unreached"  # a place that nobody has


@dataclass(frozen=True, slots=True)
class Share:
    """What one player gets for the places they have, alone or together with others."""

    player: str
    amount: int
    part: str
    place: int
    # How many share, and what they share.
    tied: int
    shared: int
    # The number of the side pool; None is the prize money of the event.
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class Carry:
    """What is kept for a later event, and why."""

    amount: int
    why: Why
    part: str = MAIN
    place: int = 0
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who is paid what, and where everything else went: `taken` is the sum of all the rest (M1)."""

    fees: int
    added: int
    stakes: tuple[int, ...]
    rake: int
    pool_rakes: tuple[int, ...]
    expenses: int
    # What of the expenses is not covered by what came in (M4).
    uncovered: int
    prize_money: int
    shares: tuple[Share, ...]
    carries: tuple[Carry, ...]

    @property
    def taken(self) -> int:
        """All that came in."""
        return self.fees + self.added + sum(self.stakes)

    @property
    def kept(self) -> int:
        """The rake of the event and of its side pools."""
        return self.rake + sum(self.pool_rakes)

    @property
    def carried(self) -> int:
        """All that is kept for a later event."""
        return sum(one.amount for one in self.carries)

    @property
    def payouts(self) -> dict[str, int]:
        """What each player gets in all, in the order of the shares; who gets nothing is not in it."""
        due: dict[str, int] = {}
        for share in self.shares:
            due[share.player] = due.get(share.player, 0) + share.amount
        return {player: amount for player, amount in due.items() if amount}
