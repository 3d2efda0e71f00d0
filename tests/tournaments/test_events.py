"""Events of every format, from the plan to the places, through the services."""

from __future__ import annotations

import pytest

from draw.formats import FORMATS
from tests.draw.test_machine_rounds import MANNERS
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry
from tournaments.plan.templates import StagePlan
from tournaments.play import inspection

CHAINS = {
    "groups, then a cup": (
        StagePlan(format="groups", name="groups", options={"groups": 2}),
        StagePlan(
            format="single-elimination",
            name="cup",
            takes=({"stage": "groups", "first": 1, "last": 2, "each_group": True},),
        ),
    ),
    "swiss, then the title": (
        StagePlan(format="swiss", name="swiss", options={"rounds": 3}),
        StagePlan(
            format="double-elimination", name="title", takes=({"stage": "swiss", "first": 1, "last": 4},)
        ),
        StagePlan(format="progressive-consolation", name="rest", takes=({"stage": "swiss", "first": 5},)),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("form", sorted(FORMATS))
@pytest.mark.parametrize(
    "players", [2, 5, pytest.param(8, marks=pytest.mark.slow), pytest.param(11, marks=pytest.mark.slow)]
)
def test_every_format_is_played_to_its_end(desk: Desk, form: str, players: int) -> None:
    options = {"rounds": 3} if form == "swiss" else {}
    desk.start(a_plan(form, **options), players)

    desk.play_out()

    places = Entry.objects.filter(tournament=desk.event).values_list("place", flat=True)
    assert min(places) == 1
    assert None not in places


@pytest.mark.long
@pytest.mark.parametrize("name", ["Main"])
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_single_stage_may_have_a_name(desk: Desk, form: str, name: str) -> None:
    options = {"rounds": 3} if form == "swiss" else {}
    desk.start(a_plan([StagePlan(format=form, name=name, options=options)]), 5)

    desk.play_out()

    assert list(inspection.find_problems(desk.fresh())) == []


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), MANNERS)
def test_every_manner_is_played_to_its_end(desk: Desk, form: str, options: dict[str, object]) -> None:
    desk.start(
        a_plan(form, **{name: list(v) if isinstance(v, tuple) else v for name, v in options.items()}), 9
    )

    desk.play_out()


@pytest.mark.long
@pytest.mark.parametrize("chain", sorted(CHAINS))
@pytest.mark.parametrize("players", [6, pytest.param(13, marks=pytest.mark.slow)])
def test_stages_follow_each_other(desk: Desk, chain: str, players: int) -> None:
    desk.start(a_plan(CHAINS[chain]), players)

    desk.play_out()
