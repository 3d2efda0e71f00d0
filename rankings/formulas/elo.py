"""Elo with a weight for match length: the winner gains what the loser loses.

The chance is 1 / (10^(D / scale) + 1), independent of the length; the step is K n^exponent x the loser's
expectancy. K may decrease with the mean of both ratings, as published by Backgammon Galaxy: `Elo(**GALAXY)`.

>>> from rankings.formulas.values import Standing
>>> stakes = Elo(**GALAXY).stakes(Standing(1736.78), Standing(1628.80), 13)
>>> round(stakes.expectancy_a, 8), round(stakes.k_a, 5)
(0.57707843, 11.80652)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rankings.formulas.chances import compute_chance_against
from rankings.formulas.pairwise_system import PairwiseSystem, Stakes
from rankings.formulas.values import Standing, gettext_noop

GALAXY: Final[dict[str, float]] = {
    "scale": 800.0,
    "k": 32.0,
    "k_slope": 0.012,
    "k_least": 5.0,
    "k_most": 16.0,
    "exponent": 0.75,
}


@dataclass(frozen=True, slots=True)
class Elo(PairwiseSystem):
    """The system with its parameters; by default a match of seven points moves ratings about as on FIBS."""

    summary: ClassVar[str] = gettext_noop("Elo: match length counts, one player gains what the other loses")
    about: ClassVar[str] = gettext_noop(
        "Elo: the less likely a win was, the more the winner gains, and the opponent loses as "
        "much. A longer match counts for more."
    )

    words: ClassVar[dict[str, str]] = {
        "start": gettext_noop("Rating at the start"),
        "scale": gettext_noop("Difference at which the favourite wins 10 of 11"),
        "exponent": gettext_noop("A match counts for its length to the power of"),
        "k": gettext_noop("K"),
        "k_slope": gettext_noop("Taken off K for each point of the mean rating"),
        "k_least": gettext_noop("K is at least"),
        "k_most": gettext_noop("K is at most"),
    }

    start: float = 1500.0
    scale: float = 800.0
    exponent: float = 0.5
    k: float = 4.0
    # K decreases by this much for each point of the mean rating, between these bounds.
    k_slope: float = 0.0
    k_least: float = 0.0
    k_most: float = 1000.0

    def stakes(self, a: Standing, b: Standing, length: float) -> Stakes:
        k = min(self.k_most, max(self.k_least, self.k - self.k_slope * (a.rating + b.rating) / 2))
        chance = compute_chance_against((b.rating - a.rating) / self.scale)
        return Stakes(expectancy_a=chance, weight=length**self.exponent, k_a=k, k_b=k)
