"""Rating lists: the order of arrival does not matter, and one player gains what the other loses."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankings.formulas.elo import GALAXY, Elo
from rankings.formulas.fibs import Fibs
from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.systems import rate
from rankings.formulas.values import Outcome, System

pytestmark = pytest.mark.pure
SYSTEMS = [Fibs(), Fibs(reading="macfibs"), Fibs(ramp=False), Elo(), Elo(**GALAXY), Glicko2()]
ZERO_SUM = [Fibs(ramp=False), Elo(), Elo(**GALAXY)]


@st.composite
def seasons(draw: st.DrawFn) -> list[Outcome]:
    played = draw(
        st.lists(
            st.tuples(
                st.integers(0, 20),
                st.lists(st.sampled_from("abcdef"), min_size=2, max_size=2, unique=True),
                st.booleans(),
                st.integers(1, 25),
            ),
            max_size=25,
        )
    )
    return [
        Outcome(number, float(at), a, b, a_won=a_won, length=length, period=at // 5)
        for number, (at, (a, b), a_won, length) in enumerate(played)
    ]


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
@given(season=seasons(), data=st.data())
def test_the_order_of_arrival_does_not_matter(
    system: System, season: list[Outcome], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(season))
    assert rate(system, shuffled) == rate(system, season)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
@given(season=seasons())
def test_each_step_begins_where_the_last_ended(system: System, season: list[Outcome]) -> None:
    running = {}
    for step in rate(system, season).steps:
        assert step.before == running.get(step.player, system.start)
        assert (step.change > 0) == step.won
        running[step.player] = step.after.rating


@pytest.mark.long
@pytest.mark.parametrize("system", ZERO_SUM)
@given(season=seasons())
def test_what_one_wins_the_other_loses(system: System, season: list[Outcome]) -> None:
    steps = rate(system, season).steps
    assert all(mine.change == -theirs.change for mine, theirs in zip(steps[::2], steps[1::2], strict=True))


@pytest.mark.long
@given(season=seasons())
def test_with_the_ramp_fibs_promises_no_zero_sum_but_between_equals(season: list[Outcome]) -> None:
    steps = rate(Fibs(), season).steps
    for mine, theirs in zip(steps[::2], steps[1::2], strict=True):
        assert isclose(mine.change / mine.k, -theirs.change / theirs.k)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
@given(season=seasons(), cut=st.integers(0, 5))
def test_a_season_goes_on_from_where_a_part_of_it_ended(
    system: System, season: list[Outcome], cut: int
) -> None:
    ordered = sorted(season, key=lambda outcome: (outcome.period, outcome.order))
    players: dict[str, object] = {}
    early = [*system.steps([each for each in ordered if each.period < cut], players)]  # type: ignore[arg-type]
    late = [*system.steps([each for each in ordered if each.period >= cut], players)]  # type: ignore[arg-type]
    assert early + late == rate(system, season).steps
