"""Chi-square and runs against tables, against plain simulation and against sums done the long way."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from matches.state import dice_probabilities

# Critical values as printed in tables (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4).
TABLE = [
    (3.841, 1, 0.05),
    (6.635, 1, 0.01),
    (5.991, 2, 0.05),
    (11.070, 5, 0.05),
    (9.236, 5, 0.10),
    (20.515, 5, 0.001),
    (28.412, 20, 0.10),
    (31.410, 20, 0.05),
    (34.170, 20, 0.025),
    (37.566, 20, 0.01),
    (45.315, 20, 0.001),
    (46.059, 35, 0.10),
    (49.802, 35, 0.05),
    (57.342, 35, 0.01),
    (66.619, 35, 0.001),
    (124.342, 100, 0.05),
    # From the lower end.
    (10.851, 20, 0.95),
    (8.260, 20, 0.99),
    (22.465, 35, 0.95),
    (18.509, 35, 0.99),
]


@pytest.mark.parametrize(("chi_square", "df", "p"), TABLE)
def test_the_tail_is_that_of_the_tables(chi_square: float, df: int, p: float) -> None:
    assert dice_probabilities.compute_tail(chi_square, df) == pytest.approx(p, rel=2e-3)


def test_the_tail_with_even_degrees_is_a_finite_sum() -> None:
    for df in (2, 10, 20, 36, 200):
        for chi_square in (0.01, 1.0, df / 2, df - 1.0, float(df), df + 1.0, 2.0 * df, 5.0 * df):
            half = chi_square / 2
            plain = math.fsum(
                math.exp(-half + k * math.log(half) - math.lgamma(k + 1)) for k in range(df // 2)
            )
            assert dice_probabilities.compute_tail(chi_square, df) == pytest.approx(plain, rel=1e-9)


def test_the_tail_with_one_degree_is_the_error_function() -> None:
    for chi_square in (1e-6, 0.5, 1.0, 4.0, 30.0, 400.0):
        assert dice_probabilities.compute_tail(chi_square, 1) == pytest.approx(
            math.erfc(math.sqrt(chi_square / 2)), rel=1e-9
        )


def test_the_tail_falls_and_stays_between_nothing_and_one() -> None:
    for df in (1, 20, 35):
        tails = [dice_probabilities.compute_tail(step / 4, df) for step in range(2_000)]
        assert tails[0] == 1.0
        assert all(1.0 >= one >= other >= 0.0 for one, other in itertools.pairwise(tails))
        assert tails[-1] < 1e-12


def test_fair_dice_have_every_p_equally_often_and_loaded_ones_a_small_one() -> None:
    rng = random.Random(4)
    weights = [1] * 36

    def thrown(die: list[int]) -> list[int]:
        counts = [0] * 36
        for _ in range(1_000):
            counts[6 * rng.choice(die) + rng.choice(die) - 7] += 1
        return counts

    fair = [dice_probabilities.compute_fit(thrown([1, 2, 3, 4, 5, 6]), weights) for _ in range(200)]
    loaded = dice_probabilities.compute_fit(thrown([1, 2, 3, 4, 5, 6, 6]), weights)

    values = [found.p for found in fair if found is not None]
    assert len(values) == 200
    assert 60 < sum(p < 0.5 for p in values) < 140
    assert 3 <= sum(p < 0.1 for p in values) <= 40
    assert loaded.p < 1e-3
    assert loaded.df == 35


def test_where_too_few_are_expected_nothing_is_said() -> None:
    assert dice_probabilities.compute_fit([0] * 36, [1] * 36) is None
    assert dice_probabilities.compute_fit([4] * 36, [1] * 36) is None
    assert dice_probabilities.compute_fit([5] * 36, [1] * 36) == dice_probabilities.Fit(0.0, 35, 1.0)


def test_runs_of_doubles_come_as_often_as_expected() -> None:
    rng = random.Random(9)
    lengths = [rng.randint(0, 60) for _ in range(4_000)]
    longest, found = 0, [0] * 20
    for rolls in lengths:
        run = 0
        for _ in range(rolls):
            run = run + 1 if rng.random() < dice_probabilities.DOUBLES else 0
            longest = max(longest, run)
            found[run] += run > 0
    for least in (1, 2, 3, 4):
        expected = dice_probabilities.compute_expected_runs(lengths, least)
        assert abs(found[least] - expected) < 4 * math.sqrt(expected)
    assert abs(longest - dice_probabilities.compute_expected_longest(lengths)) < 2.5


def test_runs_of_short_matches_are_counted_to_the_last_case() -> None:
    for rolls in range(8):
        for least in range(1, 5):
            plain = 0.0
            for case in range(2**rolls):
                bits = [case >> place & 1 for place in range(rolls)]
                p = math.prod(
                    dice_probabilities.DOUBLES if bit else 1 - dice_probabilities.DOUBLES for bit in bits
                )
                text = "".join(map(str, bits))
                plain += p * sum(len(run) >= least for run in text.split("0"))
            assert dice_probabilities.compute_expected_runs([rolls], least) == pytest.approx(plain)


def test_the_longest_run_of_nothing_is_none() -> None:
    assert dice_probabilities.compute_expected_longest([]) == 0
    assert dice_probabilities.compute_expected_longest([1]) == pytest.approx(1 / 6, rel=0.1)
