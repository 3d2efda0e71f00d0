"""The drawing of a rating: every day is inside the frame, in order, between round ratings."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankings.lists import graph

pytestmark = pytest.mark.pure
FIRST = date(2026, 1, 31)
HISTORIES = st.dictionaries(
    st.integers(0, 4000),
    st.integers(-300_000, 600_000).map(lambda cents: cents / 100),
    min_size=2,
    max_size=40,
)


@given(HISTORIES)
def test_each_day_stands_in_the_frame_between_round_ratings(history: dict[int, float]) -> None:
    points = [(FIRST + timedelta(days=day), history[day]) for day in sorted(history)]
    drawn = graph.draw_graph(points)
    across, down = ([float(getattr(dot, axis)) for dot in drawn.dots] for axis in "xy")
    assert across == sorted(across)
    assert (across[0], across[-1]) == (graph.LEFT, graph.WIDTH - graph.RIGHT)
    assert all(graph.TOP <= y <= graph.HEIGHT - graph.BOTTOM for y in down)
    ratings = [level.rating for level in drawn.levels]
    assert ratings[0] <= min(history.values())
    assert max(history.values()) <= ratings[-1]
    assert len({after - before for before, after in pairwise(ratings)}) == 1
    assert 2 <= len(ratings) <= 7
    assert 1 <= len(drawn.moments) <= 7 or points[-1][0] - points[0][0] <= timedelta(days=62)
    assert all(points[0][0] <= moment.day <= points[-1][0] for moment in drawn.moments)


def test_a_higher_rating_stands_higher() -> None:
    drawn = graph.draw_graph([(FIRST, 1500.0), (FIRST + timedelta(days=1), 1520.0)])
    assert float(drawn.dots[1].y) < float(drawn.dots[0].y)


def test_months_begin_on_their_first() -> None:
    drawn = graph.draw_graph([(date(2025, 11, 20), 1500.0), (date(2026, 4, 2), 1500.0)])
    assert [moment.day.month for moment in drawn.moments] == [12, 1, 2, 3, 4]
    assert {moment.day.day for moment in drawn.moments} == {1}
    assert not drawn.names_days


def test_one_day_is_no_line() -> None:
    assert graph.draw_graph([]) is None
    assert graph.draw_graph([(FIRST, 1500.0)]) is None
