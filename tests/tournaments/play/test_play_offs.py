"""Ties that count are played off where the director wants it: before the start, or while it is played."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.pages.test_api import act
from tests.tournaments.pages.test_columns import CIRCLE, play_circle, table
from tournaments.base import event_rows, ties
from tournaments.base.errors import AlreadyDone, NoPlayoffs, NotRestorable, ReasonNeeded
from tournaments.models import Pairing, PairingMode, Round, RoundStatus, Stage
from tournaments.plan.stage_forms import StageForm
from tournaments.plan.templates import StagePlan
from tournaments.play import corrections, departures, event_control, progress
from tournaments.status import Status

pytestmark = pytest.mark.django_db
GROUP_AND_CUP = (
    StagePlan(format="groups", name="groups", options={"groups": 1}),
    StagePlan(
        format="single-elimination",
        name="cup",
        takes=({"stage": "groups", "first": 1, "last": 2, "each_group": True},),
    ),
)


def in_circle(desk: Desk, matches: int) -> None:
    """Play so many of the group's matches: three of four are tied for the second place at the end."""
    play_circle(desk, matches)


@pytest.mark.long
def test_who_qualifies_is_played_off_when_the_director_says_so_in_time(desk: Desk) -> None:
    desk.start(a_plan(GROUP_AND_CUP), 4)
    in_circle(desk, 5)
    desk.do(event_control.break_ties, playoff=True, reason="A place in the cup is at stake")
    in_circle(desk, 1)
    assert {row.stage.name for row in desk.open()} == {"groups"}
    assert [row.bracket for row in desk.open()] == ["play-off"]
    shown = table(desk)
    assert [row.place for row in shown.rows] == ["1", "2–4", "2–4", "2–4"]  # noqa: RUF001
    assert "lot" not in [column.key for column in shown.columns]

    winner = desk.play_out(lambda row: max(row.a.number, row.b.number) if row.a and row.b else 0)

    assert winner == 4
    assert desk.fresh().status == Status.FINISHED
    final = Pairing.objects.get(tournament=desk.event, stage__name="cup")
    assert {final.a.number, final.b.number} == {1, 4}  # type: ignore[union-attr]


@pytest.mark.long
def test_a_place_among_the_first_of_all_groups_is_played_off_in_the_group(desk: Desk) -> None:
    groups = replace(GROUP_AND_CUP[0], options={"groups": 2, "order": "listed", "playoff": True})
    cup = replace(GROUP_AND_CUP[1], takes=({"stage": "groups", "first": 1, "last": 4},))
    desk.start(a_plan((groups, cup)), 6)
    # 1, 4 and 5 of group A beat each other in a circle; two of them go on.
    while todo := [row for row in desk.open() if row.bracket != "play-off"]:
        for row in todo:
            desk.play(row.key, 5 if {row.a.number, row.b.number} == {1, 5} else None)  # type: ignore[union-attr]

    assert {row.key.rpartition("/")[0] for row in desk.open()} == {"groups/A"}
    assert not ties.list_ties(event_rows.load_rows(desk.fresh()))
    assert desk.fresh().status == Status.RUNNING


@pytest.mark.long
@pytest.mark.parametrize("pairs", [PairingMode.AUTO, PairingMode.DRAFT])
def test_a_swiss_plays_off_who_goes_on(desk: Desk, pairs: PairingMode) -> None:
    swiss = replace(GROUP_AND_CUP[0], format="swiss", options={"rounds": 3, "playoff": True}, pairs=pairs)
    cup = replace(GROUP_AND_CUP[1], takes=({"stage": "groups", "first": 1, "last": 2},))
    desk.start(a_plan((swiss, cup)), 4)
    for _ in range(9):
        for batch in Round.objects.filter(stage__tournament=desk.event, status=RoundStatus.DRAFT):
            desk.do(event_control.publish_round, stage=batch.stage.number, number=batch.number)
        in_circle_by_numbers(desk)
    assert desk.fresh().status == Status.FINISHED
    played = Pairing.objects.filter(tournament=desk.event, bracket="play-off")
    assert played.count() == 3
    final = Pairing.objects.get(tournament=desk.event, stage__name="cup")
    assert {final.a.number, final.b.number} == {1, 4}  # type: ignore[union-attr]


def in_circle_by_numbers(desk: Desk) -> None:
    """Play what is open: three are tied after all rounds, and the last of them wins the play-off."""
    for row in desk.open():
        numbers = (min(row.a.number, row.b.number), max(row.a.number, row.b.number))
        desk.play(row.key, numbers[1] if row.bracket == "play-off" else CIRCLE[numbers])


@pytest.mark.long
def test_without_a_play_off_the_cup_begins_and_then_it_is_too_late(desk: Desk) -> None:
    desk.start(a_plan(GROUP_AND_CUP), 4)
    in_circle(desk, 6)
    assert not desk.open()
    desk.do(event_control.break_ties, playoff=False, reason="There is no time for more")
    assert {row.stage.name for row in desk.open()} == {"cup"}
    with pytest.raises(NoPlayoffs):
        desk.do(event_control.break_ties, playoff=True, reason="Too late")


@pytest.mark.long
@pytest.mark.share
def test_a_robin_that_is_over_goes_on_with_a_play_off_and_the_ruling_is_taken_back(desk: Desk) -> None:
    desk.start(a_plan("round-robin", playoff_for=2), 4)
    in_circle(desk, 6)
    assert desk.fresh().status == Status.FINISHED
    before = desk.image()
    ruling = desk.do(event_control.break_ties, playoff=True, reason="The second prize")
    assert desk.fresh().status == Status.RUNNING
    assert [row.key for row in desk.open()] == ["playoff.2.r1.1"]
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="They share it")
    assert desk.image() == before


def test_after_a_play_off_the_lot_decides_in_a_swiss_that_ranks_by_play_off_too(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=1, ties=["points", "play-off"]), 4)
    desk.play("r1.1")
    desk.play("r1.2")
    desk.do(event_control.break_ties, playoff=True, reason="The first prize")
    winner = desk.play("playoff.1.r1.1").winner
    assert winner

    desk.do(event_control.break_ties, playoff=False, reason="No time for more")

    assert desk.fresh().status == Status.FINISHED
    assert [row.place for row in table(desk).rows] == ["1", "2", "3–4", "3–4"]  # noqa: RUF001
    assert table(desk).rows[0].who.number == winner.number


def test_a_group_match_corrected_afterwards_ends_the_play_off(desk: Desk) -> None:
    desk.start(a_plan("round-robin", playoff=True, playoff_for=2), 4)
    in_circle(desk, 6)
    desk.play(desk.open()[0].key)
    row = next(
        row
        for row in Pairing.objects.filter(tournament=desk.event, bracket="").select_related("a", "b")
        if row.a and row.b and {row.a.number, row.b.number} == {2, 4}
    )
    score = (5, 1) if row.a and row.a.number == 2 else (1, 5)
    desk.do(corrections.correct_result, key=row.key, score=score, reason="Written the wrong way round")
    assert not desk.open()
    assert desk.fresh().status == Status.FINISHED
    assert [row.place for row in table(desk).rows] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("leaver", [0, 1])
def test_what_hung_on_a_play_off_that_is_gone_cannot_come_back(desk: Desk, leaver: int) -> None:
    # Three who play until three are left: the play-off is all there is, and its round goes with it.
    desk.start(a_plan("lives", lives=2, until=3, playoff=True), 3)
    assert [row.key for row in desk.open()] == ["playoff.1.r1.1"]
    acts = [
        lambda: desk.do(departures.withdraw_entry, entry=3),
        lambda: desk.do(departures.disqualify_entry, entry=2, reason="Threw the dice"),
    ]
    first = acts[leaver]()
    acts[1 - leaver]()
    desk.do(event_control.break_ties, playoff=False, reason="No time")
    before = desk.image()

    with pytest.raises(NotRestorable), transaction.atomic():
        desk.do(corrections.undo_act, ruling_id=first.pk, reason="They are back")

    connection.check_constraints()
    assert desk.image() == before
    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="There is time after all")
    connection.check_constraints()


def test_what_is_refused(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    with pytest.raises(ReasonNeeded):
        desk.do(event_control.break_ties, playoff=True, reason=" ")
    with pytest.raises(AlreadyDone):
        desk.do(event_control.break_ties, playoff=False, reason="As it is")
    desk.start(a_plan("single-elimination"), 4)
    with pytest.raises(NoPlayoffs):
        desk.do(event_control.break_ties, playoff=True, reason="No ties here")


def test_the_form_of_a_stage_keeps_and_drops_it() -> None:
    plan = StagePlan(format="round-robin")
    said = {"format": "round-robin", "pairs": plan.pairs, "deadline_policy": plan.deadline_policy}
    form = StageForm(said | {"playoff": "on", "playoff_for": "3", "cancel_half": "on"}, plan=plan)
    assert form.is_valid(), form.errors
    kept = form.stage()
    assert dict(kept.options) == {"playoff": True, "playoff_for": 3}
    form = StageForm(said | {"cancel_half": "on"}, plan=kept)
    assert form.is_valid(), form.errors
    assert dict(form.stage().options) == {}
    assert "playoff" not in StageForm(plan=StagePlan(format="single-elimination")).fields


@pytest.mark.long
def test_the_page_of_the_act_shows_what_happens_and_then_does_it(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("round-robin", playoff_for=2), 4)
    in_circle(desk, 6)
    client.force_login(desk.director)
    said = {"stage": "1", "playoff": "yes", "reason": "The second prize"}
    address = reverse("tournaments:act", args=[event.key, "break-ties"])
    page = client.post(address, said).content.decode()
    assert "What will happen" in page
    assert not Stage.objects.get().options.get("playoff")
    client.post(address, said | {"sure": "yes"})
    assert Stage.objects.get().options["playoff"] is True
    desk.play_out(lambda row: max(row.a.number, row.b.number) if row.a and row.b else 0)
    assert [column.key for column in table(desk).columns][-1] == "play-off"
    assert [row.figures[-1] for row in table(desk).rows] == ["", "2", "1", "0"]
    for name in ("standings", "bracket", "schedule"):
        page = client.get(f"/events/{event.key}/{name}/").content.decode()
        assert "Play-off" in page, name


def test_a_program_does_the_same(desk: Desk) -> None:
    event = desk.start(a_plan("groups", groups=1, playoff_for=2), 4)
    program = Caller(desk.director)
    said = {"playoff": True, "reason": "The second prize"}
    done = act(program, event, "break-ties", **said)
    assert done["about"]["ruling"]["act"] == "BREAKS_TIES"
    assert Stage.objects.get().options["playoff"] is True
    assert act(program, event, "break-ties", status=409, **said)["code"] == "already_done"
    act(program, event, "restore", ruling_id=done["about"]["ruling"]["id"], reason="no time")
    assert "playoff" not in Stage.objects.get().options


def test_a_drafted_play_off_that_is_made_anew_waits_to_be_published_again(desk: Desk) -> None:
    """The round is empty after the change, so it becomes a draft again at once."""
    desk.start(a_plan("lives", lives=2, until=3, playoff=True), 3)
    Stage.objects.filter(tournament=desk.event).update(pairs="draft")
    desk.play("playoff.1.r1.1")
    desk.do(event_control.publish_round, stage=1, number=2)

    desk.do(departures.disqualify_entry, entry=2, reason="threw a checker")

    assert list(Pairing.objects.values_list("key", "opened_at")) == [("playoff.1.r1.1", None)]
    assert list(Round.objects.values_list("number", "status")) == [(1, RoundStatus.DRAFT)]
    assert not progress.advance_event(tournament_id=desk.pk, now=desk.now)
    desk.do(event_control.publish_round, stage=1, number=1)
    desk.play("playoff.1.r1.1")
    assert desk.fresh().status == Status.FINISHED
