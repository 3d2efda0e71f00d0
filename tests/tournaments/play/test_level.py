"""Where a lot would decide who goes on or who has a bye, the desk asks before the next stage begins."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from players.keys import new_key
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.pages.test_columns import CIRCLE
from tests.tournaments.play.test_play_offs import GROUP_AND_CUP
from tests.tournaments.support import Browser, text, url
from tournaments.base import event_view, ties
from tournaments.base.errors import LaterStageBegun, NoPlayoffs, NotLevel, TiesUndecided
from tournaments.base.ties import TieLine
from tournaments.desk.desk import build_desk
from tournaments.models import Pairing
from tournaments.pages import standings_tables
from tournaments.plan import drawing, planning, setup
from tournaments.plan.templates import StagePlan
from tournaments.play import departures, event_control, progress
from tournaments.status import Status

pytestmark = pytest.mark.django_db


def play(desk: Desk) -> None:
    """Play all that is open: 1 beats everybody, and 2, 3 and 4 beat each other in a circle."""
    while todo := [row for row in desk.open() if row.stage.number == 1]:
        for row in todo:
            low, high = sorted((row.a.number, row.b.number))
            desk.play(row.key, CIRCLE.get((low, high), low))


def first(form: str = "groups", **options: Any) -> StagePlan:
    said = {"groups": 1} if form == "groups" else {"rounds": 3} if form == "swiss" else {}
    return replace(GROUP_AND_CUP[0], format=form, options=said | options)


def cup(last: int = 2, *, pairs: str = "auto") -> StagePlan:
    return replace(GROUP_AND_CUP[1], takes=({"stage": "groups", "first": 1, "last": last},), pairs=pairs)


def asked(desk: Desk) -> tuple[TieLine, ...]:
    return ties.list_tie_lines(event_view.load_view(desk.fresh(), with_drafts=True))


def through(desk: Desk) -> set[int]:
    rows = Pairing.objects.filter(tournament=desk.event, stage__name="cup")
    return {one.number for row in rows.select_related("a", "b") for one in (row.a, row.b) if one}


@pytest.mark.long
@pytest.mark.parametrize("form", ["groups", "round-robin", "league", "swiss"])
def test_the_next_stage_waits_until_the_director_has_said_how_a_tie_is_decided(desk: Desk, form: str) -> None:
    desk.start(a_plan((first(form), cup())), 4)
    play(desk)
    assert not desk.open()
    assert desk.fresh().status == Status.RUNNING
    (tie,) = asked(desk)
    assert {who.number for who in tie.people} == {2, 3, 4}
    assert tie.can_play
    # Nothing else begins it.
    assert not progress.advance_event(tournament_id=desk.pk, now=desk.now)
    with pytest.raises(TiesUndecided):
        desk.do(drawing.publish, stage=2)

    desk.do(event_control.break_ties, playoff=False, reason="the lot")

    assert not asked(desk)
    assert len(desk.open()) == 1
    assert 1 in through(desk)


@pytest.mark.long
@pytest.mark.parametrize("form", ["groups", "round-robin", "league", "swiss"])
@pytest.mark.parametrize("placed", [(4, 2, 3), (3, 4, 2), (2, 3, 4)])
def test_the_director_sets_an_order(desk: Desk, form: str, placed: tuple[int, ...]) -> None:
    desk.start(a_plan((first(form), cup())), 4)
    play(desk)

    desk.do(event_control.break_ties, playoff=False, order=placed, reason="they agreed")

    assert through(desk) == {1, placed[0]}
    table = standings_tables.build_tables(event_view.load_view(desk.fresh()))[-1]
    assert [row.who.number for row in table.rows] == [1, *placed]
    assert "Director's order" in [column.name for column in table.columns]
    assert any("the director put" in said for said in table.why)


@pytest.mark.long
@pytest.mark.share
def test_an_order_names_exactly_those_who_are_level(desk: Desk) -> None:
    desk.start(a_plan((first(), cup())), 4)
    play(desk)
    for wrong in ((2, 3), (1, 2, 3), (1, 2, 3, 4), (2, 2, 3)):
        with pytest.raises(NotLevel):
            desk.do(event_control.break_ties, playoff=False, order=wrong, reason="a slip")


@pytest.mark.long
def test_a_play_off_is_played_and_who_is_level_after_it_is_asked_about_again(desk: Desk) -> None:
    desk.start(a_plan((first(), cup())), 4)
    play(desk)
    desk.do(event_control.break_ties, playoff=True, reason="a place in the cup")
    assert {row.bracket for row in desk.open()} == {"play-off"}

    play(desk)  # in a circle once more

    (tie,) = asked(desk)
    assert not tie.can_play
    desk.do(event_control.break_ties, playoff=False, reason="it is late")
    assert Pairing.objects.filter(tournament=desk.event, bracket="play-off").count() == 3
    assert len(through(desk)) == 2


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("form", ["groups", "round-robin", "league"])
def test_who_has_the_bye_is_asked_too(desk: Desk, form: str) -> None:
    """All three are level, all go on, and one of them has the bye."""
    desk.start(a_plan((first(form), cup(3))), 3)
    while todo := [row for row in desk.open() if row.stage.number == 1]:
        for row in todo:
            pair = {one.number for one in (row.a, row.b) if one}
            desk.play(row.key, 3 if pair == {1, 3} else min(pair))
    (tie,) = asked(desk)
    assert "not all of them have a bye" in tie.why

    desk.do(event_control.break_ties, playoff=False, order=(3, 1, 2), reason="they agreed")

    assert desk.pairs() == {"cup/main/1.2": (1, 2)}


@pytest.mark.long
@pytest.mark.parametrize("form", ["groups", "round-robin", "league", "swiss"])
@pytest.mark.parametrize("answer", [{}, {"order": (7, 5, 6)}])
def test_a_tie_is_decided_though_another_stage_has_begun(
    desk: Desk, form: str, answer: dict[str, Any]
) -> None:
    """The cup of the first four begins at once, the plate of the others waits for who has its bye."""
    plate = replace(cup(), name="plate", takes=({"stage": "groups", "first": 5},))
    options = {"rounds": 7} if form == "swiss" else {}
    desk.start(a_plan((first(form, **options), cup(4), plate)), 7)
    while todo := [row for row in desk.open() if row.stage.number == 1]:
        for row in todo:
            pair = {one.number for one in (row.a, row.b) if one}
            desk.play(row.key, 7 if pair == {5, 7} else min(pair))
    begun = {row.key for row in desk.open()}
    assert {row.stage.name for row in desk.open()} == {"cup"}
    window = Browser(desk.director)
    page = text(window.get(url("desk", desk.event.key)))
    assert "not all of them have a bye in “plate”" in page
    assert "By a play-off" not in page
    (tie,) = asked(desk)
    assert {who.number for who in tie.people} == {5, 6, 7}
    with pytest.raises(NoPlayoffs):
        desk.do(event_control.break_ties, playoff=True, reason="a bye")

    desk.do(event_control.break_ties, playoff=False, reason="level", **answer)

    assert not asked(desk)
    (opened,) = [row for row in desk.open() if row.key not in begun]
    assert opened.stage.name == "plate"
    assert opened.a is not None
    assert opened.b is not None
    if answer:
        assert {opened.a.number, opened.b.number} == {5, 6}
    desk.play_out()
    assert through(desk) == {1, 2, 3, 4}


def test_a_qualifier_who_is_away_as_the_cup_is_drawn_is_waited_for(desk: Desk) -> None:
    desk.start(a_plan((first("swiss", rounds=1, order="listed"), cup())), 4)
    desk.play("groups/r1.1")
    desk.do(departures.mark_away, entries=[1])

    desk.play("groups/r1.2")

    assert desk.fresh().status == Status.RUNNING
    assert not desk.open()
    desk.do(departures.mark_back, entries=[1])
    assert desk.pairs() == {"cup/main/1.1": (1, 2)}


def drawable(desk: Desk) -> list[str]:
    view = event_view.load_view(desk.fresh(), with_drafts=True)
    return [stage.name for stage in build_desk(view, "").due]


@pytest.mark.long
@pytest.mark.share
def test_two_stages_after_the_same_one_can_be_drawn_in_either_order(desk: Desk) -> None:
    consolation = replace(cup(), name="consolation", takes=({"stage": "groups", "first": 3},), pairs="draft")
    desk.start(a_plan((first(lots="lot"), cup(pairs="draft"), consolation)), 4)
    assert drawable(desk) == []
    play(desk)
    assert drawable(desk) == ["cup", "consolation"]

    desk.do(drawing.publish, stage=2)

    assert drawable(desk) == ["consolation"]


@pytest.mark.long
def test_a_tie_holds_up_only_the_stages_it_is_about(desk: Desk) -> None:
    """The tie of 2, 3 and 4 is about the cup of two and about the consolation, not about the last one."""
    consolation = replace(cup(), name="consolation", takes=({"stage": "groups", "first": 3, "last": 4},))
    last = replace(consolation, name="last", takes=({"stage": "groups", "first": 5},))
    plan = (first(), *(replace(stage, pairs="draft") for stage in (cup(), consolation, last)))
    desk.start(a_plan(plan), 6)
    play(desk)

    (tie,) = asked(desk)
    assert tie.later == {"cup", "consolation"}
    assert drawable(desk) == ["last"]
    desk.do(event_control.break_ties, playoff=False, order=(3, 4, 2), reason="they agreed")
    assert drawable(desk) == ["cup", "consolation", "last"]


@pytest.mark.long
@pytest.mark.share
def test_nobody_is_asked_where_no_tie_matters(desk: Desk) -> None:
    desk.start(a_plan((first(), cup(1))), 4)
    play(desk)
    assert not asked(desk)


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("options", [{"lots": "lot"}, {"ties": ["points", "lot"]}])
def test_nobody_is_asked_where_it_was_said_before(desk: Desk, options: dict[str, Any]) -> None:
    desk.start(a_plan((first("round-robin", **options), cup())), 4)
    play(desk)
    assert not asked(desk)
    assert len(through(desk)) == 2


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("answer", ["play-off", "lot", "round"])
def test_what_was_decided_in_an_event_is_not_repeated(desk: Desk, answer: str) -> None:
    plan = a_plan((first("swiss" if answer == "round" else "groups"), cup()))
    event = desk.start(plan, 4)
    if answer == "round":
        desk.do(event_control.add_round)
        desk.do(event_control.add_round)
    else:
        play(desk)
        desk.do(event_control.break_ties, playoff=answer == "play-off", reason="they agreed")

    again = desk.do(setup.clone, key=new_key())

    assert planning.load_plan(event) != plan or answer == "lot"
    assert planning.load_plan(again) == plan


@pytest.mark.long
@pytest.mark.share
def test_what_was_answered_is_not_asked_for_in_the_next_event(desk: Desk) -> None:
    plan = a_plan((first(), cup()))
    desk.start(plan, 4)
    play(desk)
    desk.do(event_control.break_ties, playoff=False, order=(4, 3, 2), reason="they agreed")
    assert planning.load_plan(desk.fresh()) == plan


@pytest.mark.long
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"answer": "playoff"}, "play-off"),
        ({"answer": "lot"}, "cup"),
        ({"answer": "order", "entry": ["2", "3", "4"], "place": ["3", "1", "2"]}, "cup"),
    ],
)
def test_the_desk_asks_and_one_press_answers(desk: Desk, answer: dict[str, Any], says: str) -> None:
    event = desk.start(a_plan((first(), cup())), 4)
    play(desk)
    window = Browser(desk.director)
    page = text(window.get(url("desk", event.key)))
    assert "not all of them go on to “cup”" in page
    assert "By a play-off" in page
    assert "can be drawn now" not in page

    sent = window.post(url("decide_tie", event.key), {"stage": "1", "reason": "Group A: level"} | answer)

    assert sent.status_code == 302
    assert {row.bracket if says == "play-off" else row.stage.name for row in desk.open()} == {says}
    if answer["answer"] == "order":
        assert through(desk) == {1, 3}
    assert desk.ruling().reason == "Group A: level"


@pytest.mark.long
def test_two_of_the_same_place_are_no_order(desk: Desk) -> None:
    event = desk.start(a_plan((first(), cup())), 4)
    play(desk)
    window = Browser(desk.director)
    said = {
        "stage": "1",
        "reason": "level",
        "answer": "order",
        "entry": ["2", "3", "4"],
        "place": ["1", "1", "2"],
    }
    sent = window.post(url("decide_tie", event.key), said)
    assert sent.status_code == 422
    page = sent.content.decode()
    assert "Give each of them a place of their own" in page
    typed = re.findall(r'id="tie-\d+-(\d)" name="place"[^>]*value="(\d)"', page)
    assert dict(typed) == {"2": "1", "3": "1", "4": "2"}
    assert asked(desk)


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("answer", ["lot", "playoff", "order"])
def test_an_old_card_of_a_tie_changes_nothing(desk: Desk, answer: str) -> None:
    event = desk.start(a_plan((first(), cup())), 4)
    play(desk)
    desk.do(event_control.break_ties, playoff=True, reason="a place in the cup")
    before = desk.image()
    window = Browser(desk.director)

    said = {"stage": "1", "reason": "level", "entry": ["2", "3", "4"], "place": ["1", "2", "3"]}
    sent = window.post(url("decide_tie", event.key), said | {"answer": answer}, follow=True)

    assert "The event has changed since you looked." in text(sent)
    assert desk.image() == before


@pytest.mark.long
def test_no_round_is_added_to_a_stage_after_a_later_one_has_begun(desk: Desk) -> None:
    desk.start(a_plan((first("swiss"), cup())), 4)
    desk.do(event_control.add_round)
    play(desk)
    assert through(desk)

    with pytest.raises(LaterStageBegun):
        desk.do(event_control.add_round)


@pytest.mark.long
def test_a_round_is_added_to_a_stage_while_another_is_played_beside_it(desk: Desk) -> None:
    """Each half of the table plays a separate Swiss: neither takes players from the other."""
    upper = replace(cup(3), name="upper", format="swiss", options={"rounds": 1})
    lower = replace(upper, name="lower", takes=({"stage": "groups", "first": 4},))
    desk.start(a_plan((first(lots="lot"), upper, lower)), 6)
    play(desk)
    assert {row.stage.name for row in desk.open()} == {"upper", "lower"}

    desk.do(event_control.add_round, stage=2)
    desk.do(event_control.add_round, stage=3)
    desk.play_out()

    played = Pairing.objects.filter(tournament=desk.event, kind="played", stage__number__gt=1)
    assert sorted(played.values_list("stage__name", "round__number")) == [
        ("lower", 1), ("lower", 2), ("upper", 1), ("upper", 2),
    ]  # fmt: skip


@pytest.mark.long
def test_the_desk_offers_no_round_that_would_be_refused(desk: Desk) -> None:
    desk.start(a_plan((first("swiss"), cup())), 4)
    window = Browser(desk.director)

    def offers() -> bool:
        return (
            url("act", desk.event.key, "add-round")
            in window.get(url("desk", desk.event.key)).content.decode()
        )

    assert offers()
    desk.do(event_control.add_round)
    play(desk)
    assert through(desk)
    assert not offers()
