"""The time of a clock in words."""

from __future__ import annotations

import re

import pytest

from matches.state import clock_words

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
DAY = 24 * HOUR
# A figure of three or more digits can only be a number of seconds that was not converted into words.
RAW = re.compile(r"\d{3,}")

SPELLED = [
    (0, "0:00"),
    (1, "0:01"),
    (59 * SECOND, "0:59"),
    (59 * SECOND + 1, "1:00"),
    (9 * MINUTE + SECOND, "9:01"),
    (HOUR - 1, "1:00:00"),
    (HOUR + 2 * MINUTE + 3 * SECOND, "1:02:03"),
    (2 * HOUR - SECOND, "1:59:59"),
    (2 * HOUR, "2:00 h"),
    (18 * HOUR + 42 * MINUTE + 59 * SECOND, "18:42 h"),
    (76_166 * SECOND, "21:09 h"),
    (DAY - 1, "23:59 h"),
    (DAY, "1 day"),
    (DAY + HOUR - 1, "1 day"),
    (DAY + HOUR, "1 d 1 h"),
    (2 * DAY + 4 * HOUR, "2 d 4 h"),
    (2 * DAY, "2 days"),
    (10 * DAY - 1, "9 d 23 h"),
    (10 * DAY, "10 days"),
    (10 * DAY + 23 * HOUR, "10 days"),
    (60 * DAY, "60 days"),
]


@pytest.mark.parametrize(("milliseconds", "said"), SPELLED)
def test_a_time_is_said_in_words(milliseconds: int, said: str) -> None:
    assert clock_words.format_clock(milliseconds) == said


def test_no_time_is_a_heap_of_seconds_and_none_says_more_than_there_is() -> None:
    for minutes in range(0, 12 * 24 * 60, 7):
        for rest in (0, 1, 29_999):
            said = clock_words.format_clock(minutes * MINUTE + rest)
            assert not RAW.search(said)
            assert len(said) <= len("10 days") + 1
