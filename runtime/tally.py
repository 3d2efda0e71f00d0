"""What this process has counted. Where a machine has several web processes each tells its own, under its own name."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace

# Whoever invents a method is counted with the others who do.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


def _no_buckets() -> list[int]:
    return [0] * (len(BUCKETS) + 1)


@dataclass(slots=True)
class Figures:
    """What was counted."""

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    in_bucket: list[int] = field(default_factory=_no_buckets)
    seconds: float = 0.0
    streams: int = 0
    transactions_in_bucket: list[int] = field(default_factory=_no_buckets)
    transaction_seconds: float = 0.0
    longest_transaction: float = 0.0


class Counters:
    """Where the threads of this process count."""

    def __init__(self) -> None:
        self._figures = Figures()
        self._lock = threading.Lock()

    def count(self, *, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        with self._lock:
            self._figures.requests[method if method in METHODS else METHODS[-1], status] += 1
            self._figures.in_bucket[bisect_left(BUCKETS, seconds)] += 1
            self._figures.seconds += seconds

    def count_transaction(self, seconds: float) -> None:
        """Count one transaction that has ended."""
        with self._lock:
            self._figures.transactions_in_bucket[bisect_left(BUCKETS, seconds)] += 1
            self._figures.transaction_seconds += seconds
            self._figures.longest_transaction = max(self._figures.longest_transaction, seconds)

    def set_streams(self, count: int) -> None:
        """Say how many streams are open now."""
        self._figures.streams = count

    def total(self) -> Figures:
        """Return what has been counted until now."""
        with self._lock:
            return replace(
                self._figures,
                requests=self._figures.requests.copy(),
                in_bucket=[*self._figures.in_bucket],
                transactions_in_bucket=[*self._figures.transactions_in_bucket],
            )


COUNTERS = Counters()
