"""What an oracle answers, whoever it is: the one door between our formulas and somebody's engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opinion.judging.spots import Choice, Numbers, Spot, Throw

# Nought to one: a win, of it a gammon, of it a backgammon, a lost gammon, a lost backgammon.
Chances = tuple[float, ...]


class NoOracle(Exception):
    """There is no engine on this machine, or it cannot run here; the sentence says why."""


class OracleFailed(Exception):
    """The engine did not answer: it died, took too long or too much memory, or refused the question."""


class Weighed(NamedTuple):
    """A play by the board it leads to, and what that is worth to whoever played it (1 is the cube's value)."""

    board: Numbers
    equity: float
    chances: Chances
    level: int


class CubeWorth(NamedTuple):
    """What not doubling and doubling are worth to the side on roll; a double that is dropped is worth 1."""

    no_double: float
    take: float
    chances: Chances
    level: int

    @property
    def double(self) -> float:
        """What a double is worth against the better answer."""
        return min(self.take, 1.0)

    @property
    def best(self) -> float:
        """What the position is worth with the better decision."""
        return max(self.no_double, self.double)


class Oracle(Protocol):
    """Answers questions about positions, as many at once as it is asked; the same answer to the same question."""

    name: str
    version: str

    def plays(self, asked: Sequence[Throw]) -> list[tuple[Weighed, ...]]:
        """Return every play of each throw at the first level, best first; one that moves nothing where nothing can be played."""
        ...

    def weigh(self, asked: Sequence[Choice], level: int) -> list[tuple[Weighed, ...]]:
        """Return the worth of the boards that were chosen, at a deeper level, in the order asked."""
        ...

    def cubes(self, asked: Sequence[Spot], level: int) -> list[CubeWorth]:
        """Return what a double would be worth."""
        ...

    def rolls(self, asked: Sequence[Spot]) -> list[tuple[float, ...]]:
        """Return what each of the 21 rolls is worth, played best, at the first level."""
        ...
