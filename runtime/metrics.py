"""Metrics: counters of this process, and Prometheus's text format. Each web process reports its own counters."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

# Unknown methods count as "other".
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


@dataclass(slots=True)
class Histogram:
    in_bucket: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.in_bucket[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


@dataclass(slots=True)
class MetricValues:
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    answers: Histogram = field(default_factory=Histogram)
    transactions: Histogram = field(default_factory=Histogram)


class Counters:
    """Thread-safe counters."""

    def __init__(self) -> None:
        self._figures = MetricValues()
        self._lock = threading.Lock()

    def count(self, *, method: str, status: int, seconds: float) -> None:
        with self._lock:
            self._figures.requests[method if method in METHODS else METHODS[-1], status] += 1
            self._figures.answers.add(seconds)

    def count_transaction(self, seconds: float) -> None:
        with self._lock:
            self._figures.transactions.add(seconds)

    def total(self) -> MetricValues:
        with self._lock:
            return deepcopy(self._figures)


COUNTERS = Counters()


def format_metric(name: str, text: str, value: Any, *by: str, **labels: object) -> Iterator[str]:
    """Yield the lines of the metric `barpoint_<name>`: a histogram, a counter (`..._total`) or a gauge.

    With *by* the value is a dict of values by that label, or by a tuple of them.
    """
    is_histogram, name = isinstance(value, Histogram), f"barpoint_{name}"
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {'histogram' if is_histogram else 'counter' if name.endswith('_total') else 'gauge'}"
    if is_histogram:
        yield from _format_histogram(name, value, labels)
        return
    for keys, each in value.items() if by else [((), value)]:
        own = zip(by, keys if isinstance(keys, tuple) else (keys,), strict=True)
        yield f"{name}{_format_labels({**dict(own), **labels})} {each}"


def _format_histogram(name: str, histogram: Histogram, labels: dict[str, object]) -> Iterator[str]:
    total = 0
    for bound, count in zip((*BUCKETS, "+Inf"), histogram.in_bucket, strict=True):
        total += count
        yield f"{name}_bucket{_format_labels({'le': bound, **labels})} {total}"
    yield f"{name}_sum{_format_labels(labels)} {histogram.seconds:.6f}"
    yield f"{name}_count{_format_labels(labels)} {total}"


def _format_labels(labels: dict[str, object]) -> str:
    pairs = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""
