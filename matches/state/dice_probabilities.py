"""Statistics of dice: chi-square tests, and runs of doubles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

DOUBLES: Final = 1 / 6
# Chi-square is not valid with smaller expected counts.
FEWEST: Final = 5.0
ENOUGH: Final = 1e-15
MOST_TERMS: Final = 100_000
LONGEST_RUN: Final = 64


@dataclass(frozen=True, slots=True)
class Fit:
    """Result of a chi-square test: statistic, degrees of freedom, and probability with fair dice."""

    chi_square: float
    df: int
    p: float


def compute_expected(total: int, weights: Sequence[int]) -> list[float]:
    """Return the expected counts of *total* events with these weights.

    >>> compute_expected(72, (1, 2, 33))
    [2.0, 4.0, 66.0]
    """
    whole = sum(weights)
    return [total * weight / whole for weight in weights]


def compute_fit(counts: Sequence[int], weights: Sequence[int]) -> Fit | None:
    """Return the chi-square test of *counts* against *weights*; None if there are too few counts."""
    wanted = compute_expected(sum(counts), weights)
    if min(wanted) < FEWEST:
        return None
    chi_square = sum((count - want) ** 2 / want for count, want in zip(counts, wanted, strict=True))
    df = len(counts) - 1
    return Fit(chi_square, df, compute_tail(chi_square, df))


def compute_tail(chi_square: float, df: int) -> float:
    """Return the probability of a chi-square of at least this value.

    >>> round(compute_tail(31.410, 20), 4), round(compute_tail(49.802, 35), 4), compute_tail(0.0, 20)
    (0.05, 0.05, 1.0)
    """
    a, x = df / 2, chi_square / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1.0 - front * _compute_series(a, x) if x < a + 1 else front * _compute_fraction(a, x)


def _compute_series(a: float, x: float) -> float:
    """Return the series of the lower incomplete gamma function, without its front factor.

    It converges fast below a + 1.
    """
    term = total = 1 / a
    for n in range(1, MOST_TERMS):
        term *= x / (a + n)
        total += term
        if term < total * ENOUGH:
            break
    return total


def _compute_fraction(a: float, x: float) -> float:
    """Return the continued fraction (Lentz) of the upper incomplete gamma function, without its front factor.

    It converges fast above a + 1.
    """
    b = x + 1 - a
    c, d = math.inf, 1 / b
    found = d
    for n in range(1, MOST_TERMS):
        step, b = -n * (n - a), b + 2
        d = 1 / (step * d + b)
        c = b + step / c
        found *= c * d
        if abs(c * d - 1) < ENOUGH:
            break
    return found


def compute_expected_runs(lengths: Sequence[int], least: int, p: float = DOUBLES) -> float:
    """Return the expected number of runs of at least *least* doubles in matches of these *lengths*, in rolls.

    A run starts at the first roll of a match or after a non-double.

    >>> round(compute_expected_runs([36], 1), 3), compute_expected_runs([2], 3)
    (5.028, 0)
    """
    return sum(p**least * (1 + (rolls - least) * (1 - p)) for rolls in lengths if rolls >= least)


def compute_expected_longest(lengths: Sequence[int]) -> float:
    """Return the expected length of the longest run of doubles; long runs are assumed independent."""
    return sum(1 - math.exp(-compute_expected_runs(lengths, least)) for least in range(1, LONGEST_RUN))
