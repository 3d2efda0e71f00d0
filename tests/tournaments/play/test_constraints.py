"""Agreements with players: pairs that must not meet, and rounds that a player sits out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from draw.files import event_file, event_input
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.pages.test_api import act
from tests.tournaments.support import text, url
from tournaments.base import event_rows, expectations
from tournaments.base.errors import (
    AlreadyDone,
    NoByeAgreed,
    NoByesHere,
    NotApart,
    NotDirector,
    RoundPaired,
    TooFewApart,
    UnknownEntrant,
    WrongStatus,
)
from tournaments.models import Bye, Round, RulingKind
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import constraints, corrections, departures, directing, event_control

pytestmark = pytest.mark.today


@pytest.fixture
def swiss(desk: Desk) -> Desk:
    desk.announce(a_plan("swiss", rounds=3), 6)
    return desk


def meetings(desk: Desk) -> set[frozenset[int]]:
    return {
        frozenset({row.a.number, row.b.number})
        for row in desk.event.pairings.select_related("a", "b")
        if row.a and row.b
    }


# Kept apart


@pytest.mark.long
def test_who_is_kept_apart_never_meets(swiss: Desk) -> None:
    swiss.do(drawing.publish)
    swiss.fresh()
    first = {frozenset(pair) for pair in swiss.pairs().values()}
    pair = next(frozenset({1, other}) for other in range(2, 7) if frozenset({1, other}) not in first)

    ruling = swiss.do(constraints.keep_apart, members=[*pair], reason="Married")
    swiss.play_out()

    assert pair not in meetings(swiss)
    assert (ruling.act, ruling.reason, ruling.before) == (RulingKind.KEPT_APART, "Married", None)


@pytest.mark.long
def test_what_is_drafted_is_paired_anew(desk: Desk) -> None:
    desk.start(a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")]), 6)
    if desk.event.pairings.filter(opened_at__isnull=True).exists():
        desk.do(event_control.publish_round, stage=1, number=1)
    for key in desk.pairs():
        desk.play(key)
    drafted = desk.event.pairings.filter(round__number=2).select_related("a", "b")
    before = {frozenset({row.a.number, row.b.number}) for row in drafted if row.a and row.b}
    assert len(before) == 3
    pair = next(iter(before))

    desk.do(constraints.keep_apart, members=[*pair])

    after = {frozenset({row.a.number, row.b.number}) for row in drafted.all() if row.a and row.b}
    assert len(after) == 3
    assert pair not in after


def test_to_say_it_again_changes_it(swiss: Desk) -> None:
    swiss.do(constraints.keep_apart, members=[2, 1, 2], hard=False)
    with pytest.raises(AlreadyDone):
        swiss.do(constraints.keep_apart, members=[1, 2], hard=False)
    swiss.do(constraints.keep_apart, members=[1, 2], hard=True, reason=" Brothers ")

    assert swiss.fresh().apart == [{"members": [1, 2], "hard": True, "why": "Brothers"}]


def test_released(swiss: Desk) -> None:
    swiss.do(constraints.keep_apart, members=[1, 2])
    swiss.do(constraints.keep_apart, members=[3, 4, 5])

    ruling = swiss.do(constraints.stop_keeping_apart, members=[2, 1], reason="They want to")

    assert [one["members"] for one in swiss.fresh().apart] == [[3, 4, 5]]
    assert (ruling.act, ruling.reason, ruling.data) == (
        RulingKind.RELEASED,
        "They want to",
        {"members": [1, 2]},
    )
    with pytest.raises(NotApart):
        swiss.do(constraints.stop_keeping_apart, members=[1, 2])


def test_what_is_refused(swiss: Desk, otis: Any) -> None:
    with pytest.raises(TooFewApart):
        swiss.do(constraints.keep_apart, members=[1, 1])
    with pytest.raises(UnknownEntrant):
        swiss.do(constraints.keep_apart, members=[1, 99])
    with pytest.raises(NotDirector):
        constraints.keep_apart(tournament_id=swiss.pk, members=[1, 2], by=otis, now=swiss.now)
    swiss.do(directing.cancel_event, reason="Flood")
    with pytest.raises(WrongStatus):
        swiss.do(constraints.keep_apart, members=[1, 2])
    assert swiss.fresh().apart == []


def test_no_bye_is_agreed_in_an_event_that_is_over(swiss: Desk) -> None:
    swiss.do(departures.give_bye, entry=3, round=1, points="1")
    swiss.do(directing.cancel_event, reason="Flood")
    with pytest.raises(WrongStatus):
        swiss.do(departures.give_bye, entry=4, round=1, points="1")
    with pytest.raises(WrongStatus):
        swiss.do(departures.cancel_bye, entry=3, round=1)


def test_who_is_taken_out_leaves_a_file_that_can_be_read(swiss: Desk) -> None:
    swiss.do(constraints.keep_apart, members=[1, 2])
    swiss.do(directing.withdraw_player, player_key=swiss.player(2).key)

    event = event_rows.build_event(event_rows.load_rows(swiss.fresh()))

    assert [sorted(one.members) for one in event.apart] == [["1"]]
    read, _names = event_input.read_event(event_file.write_event(event))
    assert read.apart == event.apart
    swiss.do(drawing.publish)


def test_on_the_roster(swiss: Desk, window: Client) -> None:
    key = swiss.event.key
    assert "Keep players apart" in text(window.get(url("roster", key)))

    said = {"entry": ["1", "2"], "hard": "no", "reason": "One car"}
    assert window.post(url("keep_apart", key), said).status_code == 302

    assert swiss.fresh().apart == [{"members": [1, 2], "hard": False, "why": "One car"}]
    page = text(window.get(url("roster", key)))
    for words in ("Guest 1, Guest 2", "not paired if possible", "One car", "Release"):
        assert words in page
    assert "Guest 1 · Guest 2" in text(window.get(url("rulings", key)))
    window.post(url("release", key), {"members": "1,2"})
    assert swiss.fresh().apart == []


def test_nothing_ticked_is_said(swiss: Desk, window: Client) -> None:
    said = {"entry": ["1", "x"], "hard": "no", "reason": "One car"}
    answer = window.post(url("keep_apart", swiss.event.key), said)

    assert answer.status_code == 422
    assert "Choose two players or more." in answer.text
    assert swiss.fresh().apart == []
    assert re.findall(r'value="(\w+)" checked', answer.text) == ["1", "no"]
    assert 'value="One car"' in answer.text


def test_who_is_another_player_by_now_is_not_ticked_again(swiss: Desk, window: Client) -> None:
    swiss.do(drawing.publish)
    shown = {"people": expectations.map_entry_players(swiss.event)}
    swiss.do(corrections.exchange_players, entry=1, other=2, reason="Mixed up")
    said = {"entry": ["1", "3"], "reason": "One car", "expects": expectations.serialize_state(shown)}
    answer = window.post(url("keep_apart", swiss.event.key), said)

    assert answer.status_code == 409
    assert swiss.fresh().apart == []
    assert re.findall(r'value="(\w+)" checked', answer.text) == ["3", "yes"]
    assert 'value="One car"' in answer.text


def test_by_api(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3), 6)
    caller = Caller(desk.director)

    told = act(caller, desk.event, "keep-apart", members=[1, 2], reason="Brothers")["about"]["ruling"]
    assert told["act"] == "KEPT_APART"
    act(caller, desk.event, "keep-apart", members=[1], status=409)
    act(caller, desk.event, "keep-apart", members=[3, 4], preview=True)
    assert [one["members"] for one in desk.fresh().apart] == [[1, 2]]
    act(caller, desk.event, "release", members=[1, 2])
    assert desk.fresh().apart == []


# Byes


def test_a_bye_is_agreed_and_given(swiss: Desk, window: Client) -> None:
    key = swiss.event.key
    address = url("act", key, "ask-bye")
    assert 'name="points"' in text(window.get(address))

    said = {"entry": "3", "round": "1", "points": "1/2", "reason": ""}
    assert window.post(address, said).status_code == 302

    assert swiss.entry(3).asked == [[1, "1/2"]]
    page = text(window.get(url("roster", key)))
    assert "Round 1 · for ½" in page
    swiss.do(drawing.publish)
    bye = Bye.objects.get(entry__number=3)
    assert (bye.asked, bye.points) == (True, "1/2")


def test_no_bye_is_agreed_in_an_event_without_rounds(desk: Desk) -> None:
    """It had no effect there, and the program that asked for it was told that it was agreed."""
    desk.start(a_plan("round-robin"), 4)
    with pytest.raises(NoByesHere):
        desk.do(departures.give_bye, entry=3, round=2, points="1")


@pytest.mark.long
@pytest.mark.parametrize("form", ["swiss", "lives"])
def test_no_bye_is_agreed_for_a_round_that_is_paired(desk: Desk, form: str) -> None:
    """It had no effect, and the program that asked for it was told that it was agreed."""
    desk.start(a_plan(form), 5)
    caller = Caller(desk.director)
    (without,) = Bye.objects.values_list("entry__number", flat=True)
    for number in {1, 2, without}:
        refused = act(caller, desk.event, "ask-bye", entry=number, round=1, status=409)
        assert refused["code"] == "round_paired"
        assert desk.entry(number).asked == []
    for key in desk.pairs():
        desk.play(key)
    assert act(caller, desk.event, "ask-bye", entry=1, round=1, status=409)["code"] == "round_paired"
    assert act(caller, desk.event, "ask-bye", entry=1, round=2, status=409)["code"] == "round_paired"
    act(caller, desk.event, "ask-bye", entry=1, round=3)
    assert desk.entry(1).asked == [[3, "0"]]


@pytest.mark.long
def test_a_bye_is_agreed_for_a_missed_round_and_counts(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3), 5)
    desk.do(drawing.publish)
    desk.do(departures.mark_away, entries=[3])
    for _round in range(2):
        for key in desk.pairs():
            desk.play(key)
    caller = Caller(desk.director)
    missed = Round.objects.exclude(pairings__a__number=3).exclude(pairings__b__number=3)
    number = missed.exclude(byes__entry__number=3).values_list("number", flat=True)[0]
    scores = [read_points(caller, desk)]
    act(caller, desk.event, "ask-bye", entry=3, round=number, points="1")
    scores.append(read_points(caller, desk))
    assert scores[1] == scores[0] + 1
    act(caller, desk.event, "unask-bye", entry=3, round=number)
    assert read_points(caller, desk) == scores[0]


def read_points(caller: Caller, desk: Desk) -> float:
    rows = caller.list(f"events/{desk.event.key}/standings/")
    return next(float(each["figures"]["points"]) for each in rows if each["entry"] == 3)


@pytest.mark.long
def test_a_bye_is_agreed_for_a_drafted_round_and_for_the_next_stage(desk: Desk) -> None:
    all_of_them = {"stage": "one", "first": 1, "last": 6}
    stages = (
        StagePlan(format="swiss", name="one", options={"rounds": 1}, pairs="draft"),
        StagePlan(format="swiss", name="two", options={"rounds": 1}, takes=(all_of_them,)),
    )
    desk.start(a_plan(stages), 6)
    desk.do(departures.give_bye, entry=3, round=1, points="1/2")
    assert Bye.objects.get(entry__number=3).points == "1/2"
    desk.do(departures.cancel_bye, entry=3, round=1)
    desk.do(event_control.publish_round, stage=1, number=1)
    desk.do(departures.give_bye, entry=3, round=1, points="1")
    for key in desk.pairs():
        desk.play(key)
    desk.leave_to_lot()
    assert Bye.objects.get(entry__number=3).points == "1"


def test_a_bye_is_taken_back(swiss: Desk, window: Client) -> None:
    swiss.do(departures.give_bye, entry=3, round=1, points="1")
    swiss.do(departures.give_bye, entry=3, round=2, points="0")

    window.post(url("unask_bye", swiss.event.key), {"entry": "3", "round": "1"})

    assert swiss.entry(3).asked == [[2, "0"]]
    assert swiss.ruling().act == RulingKind.TOOK_BYE_BACK
    with pytest.raises(NoByeAgreed):
        swiss.do(departures.cancel_bye, entry=3, round=1)
    swiss.do(drawing.publish)
    assert not Bye.objects.filter(entry__number=3).exists()


def test_a_bye_is_not_taken_back_once_its_round_is_paired(swiss: Desk) -> None:
    swiss.do(departures.give_bye, entry=3, round=1, points="1")
    swiss.do(drawing.publish)

    with pytest.raises(RoundPaired):
        swiss.do(departures.cancel_bye, entry=3, round=1)
    assert swiss.entry(3).asked == [[1, "1"]]
    assert Bye.objects.filter(entry__number=3).exists()


def test_a_bye_of_a_running_event_can_be_restored(swiss: Desk) -> None:
    swiss.do(drawing.publish)

    ruling = swiss.do(departures.give_bye, entry=3, round=2, points="1/2", reason="A train")

    assert ruling.reason == "A train"
    assert ruling.before is not None
    swiss.do(departures.cancel_bye, entry=3, round=2)
    assert swiss.entry(3).asked == []


def test_by_api_the_points_are_those_of_a_match(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3), 6)
    caller = Caller(desk.director)

    act(caller, desk.event, "ask-bye", entry=2, round=1, points="1/2")
    act(caller, desk.event, "ask-bye", entry=2, round=1, points="many", status=400)
    assert desk.entry(2).asked == [[1, "1/2"]]
    act(caller, desk.event, "unask-bye", entry=2, round=1)
    assert desk.entry(2).asked == []


@pytest.mark.long
def test_only_where_rounds_are_paired(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)

    assert window.get(url("act", desk.event.key, "ask-bye")).status_code == 404
    page = text(window.get(url("roster", desk.event.key)))
    assert "Agreed byes" not in page
    assert "Kept apart" in page
    desk.do(drawing.publish)
    assert "Agree to a bye" not in text(window.get(url("desk", desk.event.key)))


def test_on_the_desk_where_rounds_are_paired(desk: Desk, window: Client) -> None:
    desk.start(a_plan("swiss", rounds=3), 4)
    assert "Agree to a bye" in text(window.get(url("desk", desk.event.key)))
