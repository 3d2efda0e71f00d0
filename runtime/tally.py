"""What web processes have counted: each in a place of its own, in memory that all those of one supervisor can read.

A place outlives its process. Whoever takes it next counts on from there, so that no sum ever goes back because a
process ended or was replaced.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Numbers = Sequence[int]

# Whoever invents a method is counted with the others who do.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other")
STATUSES = 600
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

# One number for each method and status, then these.
_BUCKETS_AT = len(METHODS) * STATUSES
_MICROSECONDS_AT = _BUCKETS_AT + len(BUCKETS) + 1
_STREAMS_AT = _MICROSECONDS_AT + 1
_TRANSACTIONS_AT = _STREAMS_AT + 1
_TRANSACTION_MICROSECONDS_AT = _TRANSACTIONS_AT + len(BUCKETS) + 1
_LONGEST_AT = _TRANSACTION_MICROSECONDS_AT + 1
_NUMBERS = _LONGEST_AT + 1
# Also tells a process whether it understands the memory that it is given.
BYTES = _NUMBERS * 8


@dataclass(frozen=True, slots=True)
class Figures:
    """What one process counted, or several together."""

    requests: dict[tuple[str, int], int]
    in_bucket: list[int]
    seconds: float
    streams: int
    transactions_in_bucket: list[int]
    transaction_seconds: float
    longest_transaction: float


class Tally:
    """One place; one process writes to it."""

    def __init__(self, numbers: memoryview[int] | array[int]) -> None:
        self._numbers = numbers
        self._lock = threading.Lock()

    def count(self, *, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        known = METHODS.index(method) if method in METHODS else len(METHODS) - 1
        with self._lock:
            self._numbers[known * STATUSES + status] += 1
            self._numbers[_BUCKETS_AT + bisect_left(BUCKETS, seconds)] += 1
            self._numbers[_MICROSECONDS_AT] += round(seconds * 1_000_000)

    def count_transaction(self, seconds: float) -> None:
        """Count one transaction that has ended."""
        microseconds = round(seconds * 1_000_000)
        with self._lock:
            self._numbers[_TRANSACTIONS_AT + bisect_left(BUCKETS, seconds)] += 1
            self._numbers[_TRANSACTION_MICROSECONDS_AT] += microseconds
            self._numbers[_LONGEST_AT] = max(self._numbers[_LONGEST_AT], microseconds)

    def set_streams(self, count: int) -> None:
        """Say how many streams are open now."""
        self._numbers[_STREAMS_AT] = count

    def read(self) -> Numbers:
        """Return the numbers as they are."""
        with self._lock:
            return self._numbers.tolist()


def private() -> Tally:
    """Return a place that no other process reads."""
    return Tally(array("Q", bytes(BYTES)))


class Shared:
    """The places of all processes under one supervisor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        numbers = memoryview(mmap.mmap(descriptor, 0)).cast("Q")
        self.places = [
            Tally(numbers[start : start + _NUMBERS])
            for start in range(0, len(numbers) - _NUMBERS + 1, _NUMBERS)
        ]


def make(places: int) -> Shared:
    """Return places for so many processes, in memory that whoever is given its descriptor may share."""
    if hasattr(os, "memfd_create"):
        # Of no disk: nothing is ever written back.
        descriptor = os.memfd_create("barpoint-figures")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.truncate(descriptor, places * BYTES)
    return Shared(descriptor)


def total(places: Iterable[Tally]) -> Figures:
    """Return what all these processes counted together, those included that have ended."""
    numbers = [place.read() for place in places]
    sums = [sum(each) for each in zip(*numbers, strict=True)]
    return Figures(
        requests={
            (METHODS[at // STATUSES], at % STATUSES): count
            for at, count in enumerate(sums[:_BUCKETS_AT])
            if count
        },
        in_bucket=sums[_BUCKETS_AT:_MICROSECONDS_AT],
        seconds=sums[_MICROSECONDS_AT] / 1_000_000,
        streams=sums[_STREAMS_AT],
        transactions_in_bucket=sums[_TRANSACTIONS_AT:_TRANSACTION_MICROSECONDS_AT],
        transaction_seconds=sums[_TRANSACTION_MICROSECONDS_AT] / 1_000_000,
        longest_transaction=max(each[_LONGEST_AT] for each in numbers) / 1_000_000,
    )


class Counters:
    """Where this process counts, and which others it can read."""

    def __init__(self) -> None:
        self.own = private()
        self.all: Sequence[Tally] = [self.own]

    def join(self, descriptor: int, place: int) -> None:
        """Count in a place of the memory that a supervisor made, from where its last holder stopped."""
        self.all = Shared(descriptor).places
        self.own = self.all[place]
        self.own.set_streams(0)

    def count(self, *, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self.own.count(method=method, status=status, seconds=seconds)

    def count_transaction(self, seconds: float) -> None:
        """Count one transaction that has ended."""
        self.own.count_transaction(seconds)

    def set_streams(self, count: int) -> None:
        """Say how many streams are open in this process."""
        self.own.set_streams(count)

    def total(self) -> Figures:
        """Return what has been counted by all processes that this one can read."""
        return total(self.all)


COUNTERS = Counters()
