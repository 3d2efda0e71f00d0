"""When a match is slow: late enough to avoid false alarms, and never because a point was scored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draw.forecast.room import (
    compute_allowed_minutes,
    compute_slow_minute,
    compute_very_slow_minute,
    estimate_games,
)

pytestmark = pytest.mark.pure
LENGTHS = st.integers(1, 25)
PACES = st.floats(1, 30)
SCORES = st.tuples(st.integers(0, 25), st.integers(0, 25))


def test_a_match_to_seven_at_eight_minutes_a_point() -> None:
    # 56 minutes in all; a game takes a fifth of that.
    assert compute_slow_minute(7, 8) == 70
    assert compute_very_slow_minute(7, 8) == 84
    assert compute_allowed_minutes(7, 8, (0, 0)) == pytest.approx(56 / estimate_games(7))
    assert compute_slow_minute(7, 8, (0, 0)) == pytest.approx(25.2, abs=0.1)
    assert compute_slow_minute(7, 8, (2, 5)) == pytest.approx(40 + 11.2 + 14, abs=0.1)
    # One point, one game: there is nothing between its beginning and its end.
    assert compute_allowed_minutes(1, 8, (0, 0)) <= 8


@given(LENGTHS, PACES, SCORES)
def test_whoever_keeps_the_pace_is_never_slow(length: int, minutes: float, score: tuple[int, int]) -> None:
    whole = length * minutes
    for said in ((), score):
        assert compute_allowed_minutes(length, minutes, said) <= whole * (1 + 1e-9)
        assert (
            compute_slow_minute(length, minutes, said) - compute_allowed_minutes(length, minutes, said) >= 5
        )
        assert compute_very_slow_minute(length, minutes, said) > compute_slow_minute(length, minutes, said)
    # After each share of the match, and less than a game more, the match is not behind.
    leader = min(max(score), length)
    assert compute_allowed_minutes(length, minutes, score) >= whole * leader / length * (1 - 1e-9)


@given(LENGTHS, PACES, SCORES, st.integers(0, 1))
def test_a_point_makes_nobody_slower(length: int, minutes: float, score: tuple[int, int], side: int) -> None:
    more = (score[0] + (side == 0), score[1] + (side == 1))
    assert compute_allowed_minutes(length, minutes, more) >= compute_allowed_minutes(length, minutes, score)


@given(LENGTHS, PACES, PACES)
def test_where_everybody_takes_longer_it_is_later(length: int, one: float, other: float) -> None:
    quick, steady = sorted((one, other))
    assert compute_slow_minute(length, quick, (0, 0)) <= compute_slow_minute(length, steady, (0, 0)) + 1e-9
