"""Glicko-2 compared with the package `glicko2`, period by period.

In step 5 the package uses the rating where Glickman's paper uses the deviation. With a small tau, volatility
hardly moves and the package is used unchanged; with the usual tau its step 5 is corrected first.
"""

from __future__ import annotations

from math import exp

import pytest
from glicko2 import Player
from hypothesis import given
from hypothesis import strategies as st

from rankings.formulas.glicko2 import SCALE, Glicko2
from rankings.formulas.systems import rate
from rankings.formulas.values import Outcome, Standing

pytestmark = pytest.mark.pure
NAMES = "abcdef"


class AsItIs(Player):  # type: ignore[misc]
    """The package, with a tau at which volatility hardly moves."""

    _tau: float = 0.01
    within: float = 0.01


class AsPublished(Player):  # type: ignore[misc]
    """The package with step 5 as in the published paper."""

    _tau: float = 0.5
    within: float = 0.000001

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        phi: float = self.rd / SCALE
        grown = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - a) / self._tau**2


standings = st.builds(
    Standing,
    st.floats(900, 2100),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.03, 0.08),
    period=st.just(0),
)
pairs = st.permutations(NAMES).map(lambda names: (names[0], names[1]))
matches = st.lists(st.tuples(pairs, st.booleans()), min_size=1, max_size=20)


@pytest.mark.parametrize("theirs", [AsItIs, AsPublished])
@given(before=st.fixed_dictionaries(dict.fromkeys(NAMES, standings)), played=matches)
def test_a_period_is_rated_as_the_package_rates_it(
    theirs: type[AsItIs | AsPublished],
    before: dict[str, Standing],
    played: list[tuple[tuple[str, str], bool]],
) -> None:
    outcomes = [
        Outcome(number, float(number), a, b, a_won=a_won, length=5, period=1)
        for number, ((a, b), a_won) in enumerate(played)
    ]
    ours = Glicko2(tau=theirs._tau)

    after = rate(ours, outcomes, dict(before)).players

    for name in NAMES:
        their = theirs(before[name].rating, before[name].deviation, before[name].volatility)
        met = [(b, won) for (a, b), won in played if a == name]
        met += [(a, not won) for (a, b), won in played if b == name]
        if met:
            rivals = [before[other] for other, _ in met]
            their.update_player(
                [each.rating for each in rivals], [each.deviation for each in rivals], [won for _, won in met]
            )
        else:
            their.did_not_compete()
        our = ours.at(after[name], 1)
        assert our.rating == pytest.approx(their.rating, abs=theirs.within)
        assert our.deviation == pytest.approx(their.rd, abs=theirs.within)
        assert our.volatility == pytest.approx(their.vol, abs=0.00001)
