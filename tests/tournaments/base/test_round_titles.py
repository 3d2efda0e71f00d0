"""What the rounds of the main draw are called."""

from __future__ import annotations

import pytest

from tournaments.base import labels


@pytest.mark.parametrize(
    ("left", "title"),
    [
        (0, "Final"),
        (1, "Semi-finals"),
        (2, "Quarter-finals"),
        (3, "Last 16"),
        (4, "Last 32"),
        (5, "Last 64"),
    ],
)
def test_a_round_is_called_by_how_many_are_left(left: int, title: str) -> None:
    assert labels.format_round_title("main", 7 - left, 7, 2**left) == title
