"""The row of points says what the numbers say."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from config.templatetags.look import MOST, draw_progress, scale_progress

COUNTS = st.integers(0, 400)


@given(done=COUNTS, live=st.integers(0, 80), left=COUNTS)
def test_a_row_has_a_point_for_every_match_and_no_more_than_fit(done: int, live: int, left: int) -> None:
    row = scale_progress(done, live, left)

    assert sum(row) == min(done + live + left, MOST)
    assert min(row) >= 0
    if done + live + left <= MOST:
        assert row == (done, live, left)
    # Running matches are always drawn, and no point is drawn for a match that does not exist.
    row_done, row_live, row_left = row
    assert bool(row_live) == bool(live)
    assert done or not row_done
    assert left or row_left <= 1


@given(done=st.integers(0, 50), live=st.integers(0, 20), left=st.integers(0, 50))
def test_the_drawing_has_as_many_points_as_the_row(done: int, live: int, left: int) -> None:
    drawing = draw_progress(done, live, left)

    drawn = {
        name: sum(path.count("z") for path in re.findall(rf'class="pips__{name}" d="([^"]*)"', drawing))
        for name in ("done", "live", "left")
    }
    assert drawn == {"done": done, "live": live, "left": left}
