"""Enumeration of all outcomes of a sequence of random decisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

# Beyond this, random finishes are faster and as good.
MOST_WAYS: Final = 1 << 11


class TooManyOutcomes(Exception):
    """There are too many outcomes to enumerate."""


class OutcomeWalk:
    """A walk over a tree of decisions. Each pass has to call `decide` in the same order.

    *weight* is the probability of the decisions of the current pass.

    >>> [(way.decide(0.25), way.decide(0.5), way.weight) for way in OutcomeWalk()]
    [(True, True, 0.125), (True, False, 0.125), (False, True, 0.375), (False, False, 0.375)]
    """

    def __init__(self) -> None:
        self._path: list[bool] = []
        self._at = 0
        self.weight = 1.0

    def __iter__(self) -> Iterator[OutcomeWalk]:
        for _ in range(MOST_WAYS):
            self._at, self.weight = 0, 1.0
            yield self
            while self._path and not self._path[-1]:
                self._path.pop()
            if not self._path:
                return
            self._path[-1] = False
        raise TooManyOutcomes

    def decide(self, chance: float) -> bool:
        """Return the next decision of this outcome; *chance* is the probability of True."""
        if self._at == len(self._path):
            self._path.append(chance > 0)
        says = self._path[self._at]
        self._at += 1
        self.weight *= chance if says else 1.0 - chance
        return says
