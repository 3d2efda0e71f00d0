"""Lag: what an honest network is forgiven, and what a liar can get out of it at most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.state.lag import (
    GAIN,
    LONGEST_GRACE,
    MOST,
    SLACK,
    START,
    compute_allowed,
    compute_grace,
    compute_quota_after,
    smooth_trip,
)

quotas = st.integers(0, MOST)
claims = st.integers(-(10**6), 10**9)
trips = st.none() | st.integers(0, 5_000)


@pytest.mark.parametrize(
    ("quota", "claimed", "trusted", "forgiven"),
    [
        (3_000, 150, 180, 150),  # honest: the whole of it
        (3_000, 220, 180, 220),
        (3_000, 221, 180, 220),  # no more than was measured, and 40 ms
        (3_000, 10**9, 180, 220),
        (3_000, 60, 0, 40),
        (3_000, 60, None, 0),  # never measured, never believed
        (200, 900, 900, 200),  # the quota is used up
        (0, 900, 900, 0),
        (3_000, 0, 180, 0),
        (3_000, -5, 180, 0),  # thought longer than the turn took: the browser's watch is wrong
    ],
)
def test_what_is_forgiven(quota: int, claimed: int, trusted: int | None, forgiven: int) -> None:
    assert compute_allowed(quota, claimed=claimed, trusted=trusted) == forgiven


def test_a_usual_line_is_forgiven_whole_for_ever() -> None:
    quota = START
    for _ in range(200):
        forgiven = compute_allowed(quota, claimed=900, trusted=880)
        assert forgiven == 900
        quota = compute_quota_after(quota, forgiven)
    assert quota == MOST


def test_a_line_of_two_seconds_is_forgiven_until_the_quota_is_used_up_and_then_by_half() -> None:
    quota, given_ = START, []
    for _ in range(6):
        given_.append(compute_allowed(quota, claimed=2_000, trusted=2_000))
        quota = compute_quota_after(quota, given_[-1])
    assert given_ == [2_000, 2_000, 1_000, 1_000, 1_000, 1_000]


@pytest.mark.long
@given(quotas, claims, trips)
def test_one_turn_gains_no_more_than_the_quota_and_the_measured_trip(quota, claimed, trusted):
    forgiven = compute_allowed(quota, claimed=claimed, trusted=trusted)
    assert 0 <= forgiven <= quota
    assert forgiven <= (0 if trusted is None else trusted + SLACK)
    assert forgiven <= max(0, claimed)
    assert GAIN <= compute_quota_after(quota, forgiven) <= MOST


@given(quotas, st.lists(st.tuples(claims, trips), min_size=1, max_size=40))
def test_no_run_of_turns_gains_more_than_the_quota_held_and_got(quota, turns):
    start, total = quota, 0
    for number, (claimed, trusted) in enumerate(turns):
        forgiven = compute_allowed(quota, claimed=claimed, trusted=trusted)
        total += forgiven
        assert total <= start + number * GAIN <= MOST + number * GAIN
        quota = compute_quota_after(quota, forgiven)


@given(quotas, claims, claims, st.integers(0, 5_000))
def test_to_claim_more_is_never_to_get_less(quota, some, more, trusted):
    some, more = sorted((some, more))
    assert compute_allowed(quota, claimed=some, trusted=trusted) <= compute_allowed(
        quota, claimed=more, trusted=trusted
    )


@given(quotas)
def test_the_grace_is_never_more_than_could_be_forgiven(quota):
    assert 0 <= compute_grace(quota) <= min(quota, LONGEST_GRACE)
    assert compute_grace(quota) == quota or compute_grace(quota) == LONGEST_GRACE


# -- the measurement --------------------------------------------------------------------------------

samples = st.integers(-10_000, 20_000)


@given(st.none() | st.integers(0, 5_000), st.lists(samples))
def test_the_round_trip_stays_within_what_was_measured(before, measured):
    kept = [sample for sample in measured if 0 <= sample <= 5_000] + [before] * (before is not None)
    for sample in measured:
        before = smooth_trip(before, sample)
    assert (before is None) is (not kept)
    assert before is None or min(kept) <= before <= max(kept)


@pytest.mark.parametrize("nonsense", [-1, -(10**9), 5_001, 10**9])
@pytest.mark.parametrize("before", [None, 0, 240])
def test_a_sample_that_says_nothing_is_ignored(before: int | None, nonsense: int) -> None:
    assert smooth_trip(before, nonsense) == before


@pytest.mark.parametrize(("first", "then"), [(0, 5_000), (5_000, 0), (80, 81), (300, 90)])
def test_the_round_trip_follows_the_line(first: int, then: int) -> None:
    trip = smooth_trip(None, first)
    assert trip == first
    for _ in range(30):
        trip = smooth_trip(trip, then)
    assert abs(trip - then) <= 1


def test_one_held_back_answer_moves_it_by_less_than_a_third() -> None:
    assert smooth_trip(100, 5_000) == 1_570
    assert smooth_trip(1_570, 100) == 1_129
