"""Counters of this process for the metrics; each web process reports its own."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field

# Unknown methods count as "other".
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


def _build_empty_buckets() -> list[int]:
    return [0] * (len(BUCKETS) + 1)


@dataclass(slots=True)
class MetricValues:
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    in_bucket: list[int] = field(default_factory=_build_empty_buckets)
    seconds: float = 0.0
    transactions_in_bucket: list[int] = field(default_factory=_build_empty_buckets)
    transaction_seconds: float = 0.0
    longest_transaction: float = 0.0


class Counters:
    """Thread-safe counters."""

    def __init__(self) -> None:
        self._figures = MetricValues()
        self._lock = threading.Lock()

    def count(self, *, method: str, status: int, seconds: float) -> None:
        with self._lock:
            self._figures.requests[method if method in METHODS else METHODS[-1], status] += 1
            self._figures.in_bucket[bisect_left(BUCKETS, seconds)] += 1
            self._figures.seconds += seconds

    def count_transaction(self, seconds: float) -> None:
        with self._lock:
            self._figures.transactions_in_bucket[bisect_left(BUCKETS, seconds)] += 1
            self._figures.transaction_seconds += seconds
            self._figures.longest_transaction = max(self._figures.longest_transaction, seconds)

    def total(self) -> MetricValues:
        with self._lock:
            return deepcopy(self._figures)


COUNTERS = Counters()
