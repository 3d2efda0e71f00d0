"""The interface of an engine: everything else depends only on this module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from opinion.judging.spots import Choice, Numbers, Spot, Throw

# Probabilities: win, win gammon, win backgammon, lose gammon, lose backgammon.
Chances = tuple[float, ...]


class NoOracle(Exception):
    """No engine is installed, or it cannot run here; the message says why."""


class OracleFailed(Exception):
    """The engine did not answer: it crashed, exceeded its time or memory limit, or refused the question."""


class WeighedPlay(NamedTuple):
    """A play, given by its resulting board, with its equity for the player (1 is the cube's value)."""

    board: Numbers
    equity: float
    chances: Chances
    level: int


class CubeWorth(NamedTuple):
    """Equities of no double and double, take for the side on roll; a dropped double is worth 1."""

    no_double: float
    take: float
    chances: Chances
    level: int

    @property
    def double(self) -> float:
        """The equity of a double against the better answer."""
        return min(self.take, 1.0)

    @property
    def best(self) -> float:
        """The equity of the position with the better decision."""
        return max(self.no_double, self.double)


class Oracle(Protocol):
    """A deterministic evaluator of positions, in batches."""

    name: str
    version: str

    def plays(self, asked: Sequence[Throw]) -> list[tuple[WeighedPlay, ...]]:
        """Return the plays of each throw at level 1, best first; if none is legal, one that moves nothing."""
        ...

    def weigh(self, asked: Sequence[Choice], level: int) -> list[tuple[WeighedPlay, ...]]:
        """Return the equities of the chosen boards at a deeper level, in the order of the question."""
        ...

    def cubes(self, asked: Sequence[Spot], level: int) -> list[CubeWorth]: ...

    def rolls(self, asked: Sequence[Spot]) -> list[tuple[float, ...]]:
        """Return the equities of the 21 rolls, played best, at level 1, for each position."""
        ...
