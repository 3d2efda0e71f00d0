"""Random numbers from a stored seed, the same on every machine; and all outcomes of a sequence of decisions."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256, shake_256
from typing import Final, TypeVar

T = TypeVar("T")

WORD_BITS = 64
LARGEST_BOUND = 1 << WORD_BITS
# Chances are compared with 32 random bits.
CERTAIN: Final = 1 << 32
RUNS_A_CHUNK: Final = 500


class RandomStream:
    """A stream of numbers: block k is SHA-256 of "seed|k", read as four big-endian words of 64 bits."""

    # P02: the derivation is published, so that a draw can be checked with any SHA-256.
    __slots__ = ("_block", "_next", "seed")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._block: list[int] = []
        self._next = 0

    def child(self, label: str) -> RandomStream:
        """Return a separate stream for one purpose, so that using one never shifts another."""
        return RandomStream(f"{self.seed}/{label}")

    def word(self) -> int:
        """Return the next 64 bits."""
        if not self._block:
            block = sha256(f"{self.seed}|{self._next}".encode()).digest()
            self._next += 1
            self._block = [int.from_bytes(block[at : at + 8], "big") for at in range(24, -1, -8)]
        return self._block.pop()

    def below(self, bound: int) -> int:
        """Return a uniform integer from 0 to bound - 1."""
        if not 0 < bound <= LARGEST_BOUND:
            raise ValueError(f"a bound lies between 1 and 2**64, not at {bound}")
        # Rejection sampling: taking remainders of all words would favour small numbers.
        limit = LARGEST_BOUND - LARGEST_BOUND % bound
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % bound

    def toss(self, chance: float) -> bool:
        return self.word() % CERTAIN < chance * CERTAIN

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order: Fisher-Yates, from the last position down."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)

    def stream(self, length: int) -> bytes:
        """Return many bytes at once (SHAKE-256 of the seed), for simulations that need millions."""
        return shake_256(self.seed.encode()).digest(length)

    def words_of_runs(self, runs: int, count: int) -> Iterator[tuple[int, ...]]:
        """Yield so many words of 32 bits for each run of a simulation."""
        words = struct.Struct(f">{count}I")
        for chunk in range(0, runs, RUNS_A_CHUNK):
            size = min(RUNS_A_CHUNK, runs - chunk)
            block = self.child(str(chunk)).stream(words.size * size)
            for run in range(size):
                yield words.unpack_from(block, run * words.size)


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
