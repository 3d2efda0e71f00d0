"""Glicko-2 beside the package `glicko2` that others rate with, period by period.

In step 5 the package puts the rating where Glickman's paper has the deviation, so its volatility is a little different;
ratings and deviations hang on it by some hundredths at most.
"""

from __future__ import annotations

import pytest
from glicko2 import Player
from hypothesis import given
from hypothesis import strategies as st

from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.systems import rate
from rankings.formulas.values import Outcome, Standing

pytestmark = pytest.mark.pure
NAMES = "abcdef"

standings = st.builds(
    Standing,
    st.floats(900, 2100),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.03, 0.08),
    period=st.just(0),
)
pairs = st.permutations(NAMES).map(lambda names: (names[0], names[1]))
matches = st.lists(st.tuples(pairs, st.booleans()), min_size=1, max_size=20)


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, standings)), matches)
def test_a_period_is_rated_as_the_package_rates_it(
    before: dict[str, Standing], played: list[tuple[tuple[str, str], bool]]
) -> None:
    outcomes = [
        Outcome(number, float(number), a, b, a_won=a_won, length=5, period=1)
        for number, ((a, b), a_won) in enumerate(played)
    ]

    after = rate(Glicko2(), outcomes, dict(before)).players

    for name in NAMES:
        theirs = Player(before[name].rating, before[name].deviation, before[name].volatility)
        met = [(b, won) for (a, b), won in played if a == name]
        met += [(a, not won) for (a, b), won in played if b == name]
        if met:
            rivals = [before[other] for other, _ in met]
            theirs.update_player(
                [each.rating for each in rivals], [each.deviation for each in rivals], [won for _, won in met]
            )
        else:
            theirs.did_not_compete()
        ours = Glicko2().at(after[name], 1)
        assert ours.rating == pytest.approx(theirs.rating, abs=0.05)
        assert ours.deviation == pytest.approx(theirs.rd, abs=0.05)
        assert ours.volatility == pytest.approx(theirs.vol, abs=0.001)
