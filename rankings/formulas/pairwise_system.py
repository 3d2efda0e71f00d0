"""The common part of FIBS and Elo: a match changes the ratings of its two players at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rankings.formulas.values import Standing, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rankings.formulas.values import Outcome


@dataclass(frozen=True, slots=True)
class Stakes:
    """The expectancy of a match, and how much each rating can move."""

    expectancy_a: float
    weight: float
    k_a: float
    k_b: float


class PairwiseSystem:
    """A system that rates match by match."""

    __slots__ = ()

    has_deviation: ClassVar[bool] = False
    by_period: ClassVar[bool] = False

    start: float

    def stakes(self, a: Standing, b: Standing, length: float) -> Stakes:
        raise NotImplementedError

    def chance(self, a: Standing, b: Standing, length: float) -> float:
        return self.stakes(a, b, length).expectancy_a

    def new(self) -> Standing:
        return Standing(self.start)

    def at(self, standing: Standing, period: int) -> Standing:
        """Return the standing unchanged: it does not depend on time."""
        return standing

    def steps(self, outcomes: Iterable[Outcome], players: dict[str, Standing]) -> Iterator[Step]:
        """Rate sorted outcomes and update *players*."""
        newcomer = self.new()
        for outcome in outcomes:
            a, b = players.get(outcome.a, newcomer), players.get(outcome.b, newcomer)
            for step in self._build_steps(outcome, a, b):
                players[step.player] = step.after
                yield step

    def _build_steps(self, outcome: Outcome, a: Standing, b: Standing) -> tuple[Step, Step]:
        stakes = self.stakes(a, b, outcome.length)
        chance = stakes.expectancy_a
        # The winner's shortfall of expectancy is the loser's expectancy: with one K, the sum of both ratings
        # stays the same.
        moved = stakes.weight * (1.0 - chance if outcome.a_won else chance)
        gain_a = stakes.k_a * moved if outcome.a_won else -(stakes.k_a * moved)
        gain_b = -(stakes.k_b * moved) if outcome.a_won else stakes.k_b * moved
        return (
            Step(
                match=outcome.id,
                player=outcome.a,
                opponent=outcome.b,
                won=outcome.a_won,
                before=a.rating,
                opponent_before=b.rating,
                expectancy=chance,
                weight=stakes.weight,
                k=stakes.k_a,
                change=gain_a,
                after=Standing(a.rating + gain_a, a.experience + outcome.length),
            ),
            Step(
                match=outcome.id,
                player=outcome.b,
                opponent=outcome.a,
                won=not outcome.a_won,
                before=b.rating,
                opponent_before=a.rating,
                expectancy=1.0 - chance,
                weight=stakes.weight,
                k=stakes.k_b,
                change=gain_b,
                after=Standing(b.rating + gain_b, b.experience + outcome.length),
            ),
        )
