"""The figures compared with GNU Backgammon's statistics; skipped without it or without the engine."""

from __future__ import annotations

from typing import Final

import pytest

from bench import counting
from bench.gnubg import GNUBG
from bench.opinion import OTHERS, files
from engine.formats import xgid
from engine.plays import legal_plays
from opinion.judging import engine_process
from opinion.judging.spots import Choice, Spot, Throw, to_numbers
from tests.engine.shared import SAMPLES

pytestmark = [
    pytest.mark.pure,
    pytest.mark.long,
    pytest.mark.skipif(
        bool(engine_process.explain_absence()), reason=engine_process.explain_absence() or "bgsage is here"
    ),
]
with_gnubg = pytest.mark.skipif(GNUBG is None, reason="There is no GNU Backgammon on this machine.")
# Both engines at their shallowest, so that the test is quick: they differ by that much. `bench.counting` has them deeper.
PR_OFF, LUCK_OFF = 6.0, 1.5


# The side that differed most when both were requested "2 ply", and what it took for the largest part of that.
FARTHEST: Final = "clean-L07-00-001.mat"
LARGEST: Final = "XGID=-BB-BCBA-bA-b---B--abbbbb-:0:0:-1:54:0:1:0:7:10"
# What 6/1 5/1 gives away there by GNU Backgammon 1.07.001 at its 2 ply.
GNUBG_ERROR: Final = 0.106


@with_gnubg
@pytest.mark.parametrize("name", ["five-points.mat", "nine-points.mat"])
def test_plays_cubes_errors_and_luck_are_counted_as_gnu_backgammon_does(name: str) -> None:
    data = (SAMPLES / "records" / name).read_bytes()
    with engine_process.EngineProcess() as oracle:
        ours = counting.totals(oracle, data, 1)
    for mine, theirs in zip(ours, counting.theirs_at(1, data), strict=True):
        # No engine decides which plays count. Which cube decisions are close depends on the engine and its
        # window.
        assert mine.plays == theirs.plays
        assert abs(mine.counted - theirs.counted) <= 0.1 * theirs.counted
        assert mine.pr == pytest.approx(theirs.pr, abs=PR_OFF, rel=0.15)
        assert mine.luck == pytest.approx(theirs.luck, abs=LUCK_OFF)


@with_gnubg
@pytest.mark.skipif(not OTHERS.exists(), reason="The shared records are not beside this checkout.")
def test_looking_as_far_ahead_both_say_about_the_same_of_the_side_that_differed_most() -> None:
    """At "2 ply" of both it was 2.1 against 4.8."""
    [data] = [data for name, data in files([OTHERS]) if name.endswith(FARTHEST)]
    with engine_process.EngineProcess() as oracle:
        ours = counting.totals(oracle, data, 3)
    for mine, theirs in zip(ours, counting.theirs_at(3, data), strict=True):
        assert mine.pr == pytest.approx(theirs.pr, abs=1.0)


def test_the_play_behind_the_largest_difference_is_an_error_from_3_ply_on() -> None:
    """GNU Backgammon calls this 2 ply; at the product's 2 ply the play loses almost nothing."""
    situation = xgid.decode(LARGEST)
    assert situation.dice is not None
    side = situation.turn
    plays = legal_plays(situation.board, side, situation.dice)
    boards = {play.notation: to_numbers(play.board, side) for play in plays}
    made, best = boards["6/1 5/1"], boards["16/7"]
    throw = Throw(Spot.at(situation), situation.dice)
    with engine_process.EngineProcess() as oracle:
        errors = {}
        for level in (2, 3):
            [weighed] = oracle.weigh([Choice(throw, (made, best))], level)
            worth = {each.board: each.equity for each in weighed}
            errors[level] = worth[best] - worth[made]
    assert errors[3] == pytest.approx(GNUBG_ERROR, abs=0.02)
    assert errors[2] < 0.02
