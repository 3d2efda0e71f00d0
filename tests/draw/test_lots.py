"""Ties the director has to break: those in which a lot would decide an advance or a bye (P91)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from draw import lots, stages
from draw.event import Event, LeaveTime, Take
from draw.options import Options
from tests.draw import kit
from tests.draw.test_playoff_matches import played, two_stages


def after(form: str, last: int, **options: object) -> Event:
    """An event with a finished first stage: p1 beats all others, who beat each other in a circle."""
    each = form == "groups"
    more = {"groups": 1} if each else {"rounds": 3} if form == "swiss" else {}
    event = two_stages(form, 4, Take("first", 1, last, each_group=each), **more)
    first = replace(
        event.stages[0], options=Options.from_values(**dict(event.stages[0].options.items), **options)
    )
    # The cup is not drawn, so nothing of it is on record.
    alone = played(replace(event, stages=(first,)))
    rounds = tuple(
        replace(
            batch,
            stage="first",
            pairings=tuple(replace(one, key=type(one.key)(f"first/{one.key}")) for one in batch.pairings),
        )
        for batch in alone.rounds
    )
    return replace(event, stages=(first, event.stages[1]), rounds=rounds)


FORMS = ["groups", "round-robin", "league", "swiss"]


@pytest.mark.parametrize("form", FORMS)
def test_a_tie_across_the_cut_is_asked_about(form: str) -> None:
    (tie,) = lots.list_undecided(after(form, 2), "cup")
    assert set(tie.entrants) == {"p2", "p3", "p4"}
    assert (tie.rank, tie.is_for_bye, tie.can_play) == (2, False, True)
    assert (tie.stage, tie.later, tie.group) == ("first", "cup", "A" if form == "groups" else "")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("last", [1, 4])
def test_a_tie_on_one_side_of_the_cut_is_not(form: str, last: int) -> None:
    assert lots.list_undecided(after(form, last), "cup") == ()


@pytest.mark.parametrize("form", FORMS)
def test_whose_answer_is_known_is_not_asked_again(form: str) -> None:
    for options in (
        {"lots": "lot"},
        {"lots": "asked"},
        {"ties": ("points", "lot")},
        {"placed": ("p4 p2 p3",)},
    ):
        assert lots.list_undecided(after(form, 2, **options), "cup") == ()
    # An order of others says nothing.
    assert lots.list_undecided(after(form, 2, placed=("p2 p3", "p1 p2 p3 p4")), "cup")


@pytest.mark.parametrize("form", FORMS)
def test_an_order_of_the_director_counts(form: str) -> None:
    event = after(form, 2, placed=("p4 p2 p3",))
    ranking = stages.propose_stages(event)["first"].ranking
    assert [one.entrant for one in ranking] == ["p1", "p4", "p2", "p3"]
    assert [(one.rank, one.shared) for one in ranking] == [(1, 1), (2, 1), (3, 1), (4, 1)]
    assert [one.decided_by for one in ranking][2:] == ["director", "director"]


@pytest.mark.parametrize("form", FORMS)
def test_a_tie_of_which_one_player_stays_is_not_asked_about(form: str) -> None:
    event = after(form, 2)
    gone = kit.with_entrant(event, "p3", left=LeaveTime.NOW, left_as=1)
    (tie,) = lots.list_undecided(gone, "cup")
    assert set(tie.entrants) == {"p2", "p3", "p4"}

    gone = kit.with_entrant(gone, "p4", left=LeaveTime.NOW, left_as=2)

    assert lots.list_undecided(gone, "cup") == ()
    drawn = lots.draw_stage(gone, "cup")
    assert drawn.lines == ("p1", "p2")


@pytest.mark.parametrize("form", FORMS)
def test_a_play_off_cannot_move_the_cut_past_a_player_who_left(form: str) -> None:
    gone = kit.with_entrant(after(form, 2), "p1", left=LeaveTime.NOW, left_as=1)
    (tie,) = lots.list_undecided(gone, "cup")
    assert (tie.rank, tie.is_for_bye, tie.can_play) == (2, False, False)
