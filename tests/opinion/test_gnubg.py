"""Our counting against GNU Backgammon's own statistics, by a process of its own; without it, or without our engine, skipped."""

from __future__ import annotations

import pytest

from bench import counting, gnubg_opinion
from bench.gnubg import GNUBG
from opinion.judging import child
from tests.engine.shared import SAMPLES

pytestmark = [
    pytest.mark.pure,
    pytest.mark.long,
    pytest.mark.skipif(GNUBG is None, reason="There is no GNU Backgammon on this machine."),
    pytest.mark.skipif(bool(child.why_not()), reason=child.why_not() or "bgsage is here"),
]
# Both engines at their shallowest, so that the test is quick: they differ by that much. `bench.counting` has them deeper.
PR_OFF, LUCK_OFF = 6.0, 1.5


@pytest.mark.parametrize("name", ["five-points.mat", "nine-points.mat"])
def test_plays_cubes_errors_and_luck_are_counted_as_gnu_backgammon_does(name: str) -> None:
    data = (SAMPLES / "records" / name).read_bytes()
    with child.Child() as oracle:
        ours = counting.totals(oracle, data, 1)
    for mine, theirs in zip(ours, gnubg_opinion.statistics(data, 0), strict=True):
        # Which plays count hangs on no engine; which cube decisions are close does, and on whose window it is.
        assert mine.plays == theirs.plays
        assert abs(mine.counted - theirs.counted) <= 0.1 * theirs.counted
        assert mine.pr == pytest.approx(theirs.pr, abs=PR_OFF, rel=0.15)
        assert mine.luck == pytest.approx(theirs.luck, abs=LUCK_OFF)
