"""The match equity table against the figures printed elsewhere, and its own consistency."""

from __future__ import annotations

import pytest

from engine.equity import compute_chance, compute_chances
from engine.errors import Impossible
from engine.rules import Rules
from engine.side import BySide

# The printed table Kazaross-XG2, in per cent: rows are my points away, columns the opponent's.
PRINTED = """
50   67.7 75.1 81.4 84.2 88.7 90.7 93.2 94.4
32.3 50   59.9 66.9 74.4 79.9 84.2 87.5 90.2
24.9 40.1 50   57.1 64.8 71.1 76.2 80.5 84.0
18.6 33.1 42.9 50   57.7 64.3 69.9 74.6 78.8
15.8 25.6 35.2 42.3 50   56.6 62.6 67.8 72.5
11.3 20.1 28.9 35.7 43.4 50   56.3 61.6 66.8
9.3  15.8 23.8 30.1 37.4 43.7 50   55.5 60.9
6.8  12.5 19.5 25.4 32.2 38.4 44.5 50   55.4
5.6  9.8  16.0 21.2 27.5 33.2 39.1 44.6 50
"""
PRINTED_AFTER_CRAWFORD = (50, 48.80, 32.26, 31.00, 19.01, 18.07, 11.56, 10.91, 6.95)


def test_the_table_is_the_printed_one():
    for mine, row in enumerate(PRINTED.split("\n")[1:-1], 1):
        for theirs, percent in enumerate(row.split(), 1):
            assert compute_chance(mine, theirs) * 100 == pytest.approx(float(percent), abs=0.051), (
                mine,
                theirs,
            )


def test_after_the_crawford_game_the_trailer_has_his_own_row():
    for away, percent in enumerate(PRINTED_AFTER_CRAWFORD, 1):
        assert compute_chance(away, 1, crawford_played=True) * 100 == pytest.approx(percent, abs=0.0051)


@pytest.mark.parametrize("crawford_played", [False, True])
def test_chances_are_symmetrical_and_fall_with_every_point_to_go(crawford_played):
    def at(mine, theirs):
        return compute_chance(mine, theirs, crawford_played=crawford_played)

    for mine in range(1, 65):
        for theirs in range(1, 65):
            assert at(mine, theirs) + at(theirs, mine) == pytest.approx(1, abs=1e-9)
            assert 0 < at(mine, theirs) < 1
            # Deep in the formula's tail a millionth is all that is left, so equal neighbours are allowed there.
            within = mine < 25 and theirs < 25
            assert (
                at(mine + 1, theirs) < at(mine, theirs)
                if within
                else at(mine + 1, theirs) <= at(mine, theirs)
            )


def test_the_formula_takes_over_without_a_jump():
    for leader in range(2, 25):
        inside, last = compute_chance(leader, 24), compute_chance(leader, 25)
        assert 0 < compute_chance(leader, 26) - last < (last - inside) + 0.002
    assert compute_chance(26, 1, crawford_played=True) == pytest.approx(
        0.6 * compute_chance(24, 1, crawford_played=True)
    )


def test_a_match_that_is_won_is_certain():
    assert (compute_chance(0, 3), compute_chance(3, -2)) == (1.0, 0.0)
    with pytest.raises(Impossible, match="Both sides"):
        compute_chance(0, 0)


def test_chances_know_the_rules_of_the_match():
    score = BySide(4, 2)
    assert compute_chances(Rules(length=5), score) == BySide(0.75076, 0.24924)
    assert compute_chances(Rules(length=5), score, crawford_played=True) == BySide(0.67736, 0.32264)
    assert compute_chances(Rules(length=5, crawford=False), score) == BySide(0.67736, 0.32264)
    assert compute_chances(Rules.unlimited(), score) is None
