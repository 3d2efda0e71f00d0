"""The rating of FIBS, as in its man page: longer matches are more predictable and count for more.

The chance of a player over n points against an opponent rated D higher is 1 / (10^(D sqrt(n) / 2000) + 1).
The winner gains, and the loser loses, 4 K sqrt(n) x the loser's expectancy, each with an individual K that
decreases from 5 to 1 over the first 400 points of experience: max(1, 5 - experience / 100).

>>> from rankings.formulas.values import Standing
>>> stakes = Fibs().stakes(Standing(1500.0), Standing(1700.0, experience=400), 5)
>>> round(stakes.k_a * stakes.weight * (1 - stakes.expectancy_a), 4)
27.9933
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Final

from rankings.formulas.chances import compute_chance_against
from rankings.formulas.pairwise_system import PairwiseSystem, Stakes
from rankings.formulas.values import Standing, gettext_noop

SCALE: Final = 2000.0
STEP: Final = 4.0
MAN_PAGE, MACFIBS = READINGS = ("man-page", "macfibs")


@dataclass(frozen=True, slots=True)
class Fibs(PairwiseSystem):
    summary: ClassVar[str] = gettext_noop("FIBS: match length counts, newcomers move faster")
    about: ClassVar[str] = gettext_noop(
        "FIBS: the longer the match and the larger the difference, the more likely the favourite "
        "is to win. The less likely a win was, the more the winner gains. Newcomers move faster."
    )

    # Labels of the parameters, and of the values of `reading`.
    words: ClassVar[dict[str, str]] = {
        "start": gettext_noop("Rating at the start"),
        "reading": gettext_noop("Experience that decides K"),
        "ramp": gettext_noop("Newcomers move faster"),
        "k_start": gettext_noop("K of a newcomer"),
        "k_per": gettext_noop("Points of experience that take 1 off K"),
        "k_floor": gettext_noop("K of everybody else"),
        MAN_PAGE: gettext_noop("before the match"),
        MACFIBS: gettext_noop("with the match"),
    }

    start: float = 1500.0
    # The experience that determines K: before the match (man page), or including this match (MacFIBS).
    reading: str = MAN_PAGE
    # True if the ratings of newcomers change faster; otherwise K is `k_floor` for everybody.
    ramp: bool = True
    k_start: float = 5.0
    # This many points of experience reduce K by one.
    k_per: float = 100.0
    k_floor: float = 1.0

    def stakes(self, a: Standing, b: Standing, length: float) -> Stakes:
        root = sqrt(length)
        return Stakes(
            expectancy_a=compute_chance_against((b.rating - a.rating) * root / SCALE),
            weight=STEP * root,
            k_a=self.k(a.experience, length),
            k_b=self.k(b.experience, length),
        )

    def k(self, experience: int, length: float) -> float:
        """Return the K of a player with this experience.

        >>> Fibs().k(350, 25), Fibs(reading="macfibs").k(350, 25)
        (1.5, 1.25)
        """
        if not self.ramp:
            return self.k_floor
        counted = experience + length if self.reading == MACFIBS else experience
        return max(self.k_floor, self.k_start - counted / self.k_per)
