"""The common part of FIBS and Elo: a match changes the ratings of its two players at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from rankings.formulas.values import Outcome, Standing, Step


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
            stakes = self.stakes(a, b, outcome.length)
            chance = stakes.expectancy_a
            # The winner's shortfall of expectancy is the loser's expectancy: with one K, the sum of both ratings
            # stays the same.
            moved = stakes.weight * (1.0 - chance if outcome.a_won else chance)
            sides = (
                (outcome.a, a, outcome.b, b, outcome.a_won, chance, stakes.k_a),
                (outcome.b, b, outcome.a, a, not outcome.a_won, 1.0 - chance, stakes.k_b),
            )
            for player, mine, opponent, theirs, won, expectancy, k in sides:
                change = k * moved if won else -(k * moved)
                players[player] = Standing(mine.rating + change, mine.experience + outcome.length)
                yield Step(
                    match=outcome.id,
                    player=player,
                    opponent=opponent,
                    won=won,
                    before=mine.rating,
                    opponent_before=theirs.rating,
                    expectancy=expectancy,
                    weight=stakes.weight,
                    k=k,
                    change=change,
                    after=players[player],
                )
