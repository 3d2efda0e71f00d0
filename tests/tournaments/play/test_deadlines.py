"""Deadlines of an event: lateness, no-shows, matches that were not played in time, and unanswered reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Notice, User
from runtime.models import Failure, Queue
from runtime.work import outbox
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.settings import Settings
from tournaments.models import Pairing, Ruling, RulingKind
from tournaments.plan import drawing
from tournaments.play import (
    corrections,
    deadlines,
    directing,
    disputes,
    entering,
    event_control,
    incidents,
    results,
    table_play,
)

LADDER = ((5, 1), (10, 2), (15, None))
# In minutes.
A_WEEK = 7 * 24 * 60


def sweep(desk: Desk, minutes: float) -> int:
    desk.now += timedelta(minutes=minutes)
    return deadlines.sweep(desk.now)


def start(desk: Desk, *, players: int = 4, form: str = "single-elimination", **said: Any) -> None:
    options = {"rounds": 3} if form == "swiss" else {}
    names = ("round_minutes", "round_days", "deadline_policy", "rules")
    stage = {name: said.pop(name) for name in names if name in said}
    plan = a_plan(form, Settings(**said), **options)
    desk.start(replace(plan, stages=(replace(plan.stages[0], **stage),)), players)


def members(desk: Desk, *names: str) -> list[User]:
    return [desk.member(name) for name in names]


def start_with(desk: Desk, users: list[User], **said: Any) -> None:
    desk.announce(a_plan("single-elimination", Settings(**said)))
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()


# -- lateness


def test_who_is_waited_for_gets_points_step_by_step_and_then_loses(desk: Desk) -> None:
    start(desk, lateness=LADDER)
    key, (a, b) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)

    assert sweep(desk, 4) == 0
    sweep(desk, 2)
    assert (desk.row(key).a_late, desk.row(key).b_late) == (0, 1)
    sweep(desk, 5)
    assert desk.row(key).b_late == 2
    sweep(desk, 5)

    row = desk.row(key)
    assert (row.kind, row.winner and row.winner.number) == ("forfeit", a)
    acts = list(Ruling.objects.filter(tournament=desk.event, by=None).values_list("act", flat=True))
    assert sorted(acts) == sorted([RulingKind.PENALISED, RulingKind.PENALISED, RulingKind.FORFEIT])
    assert b != a


def test_a_sweep_that_comes_late_takes_every_step_once(desk: Desk) -> None:
    start(desk, lateness=LADDER)
    key, (a, _) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)

    assert sweep(desk, 60) == 1
    assert desk.row(key).kind == "forfeit"
    assert sweep(desk, 60) == 0


def test_who_comes_at_last_keeps_the_points_and_gets_no_more(desk: Desk) -> None:
    start(desk, lateness=LADDER)
    key, (a, b) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)
    sweep(desk, 6)

    desk.do(incidents.record_arrival, key=key, entry=b)
    assert sweep(desk, 60) == 0
    assert (desk.row(key).b_late, desk.row(key).state) == (1, "ready")


def test_nobody_is_late_where_nobody_waits(desk: Desk) -> None:
    start(desk, lateness=LADDER)

    assert sweep(desk, 60) == 0


def test_a_match_called_anew_is_waited_for_anew(desk: Desk) -> None:
    start(desk, lateness=LADDER)
    key, (a, _) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)
    desk.now += timedelta(minutes=4)
    desk.do(incidents.call_match, key=key, table="7")

    assert sweep(desk, 4) == 0
    assert desk.row(key).table == "7"
    assert sweep(desk, 2) == 1


# -- no-shows and deadlines


@pytest.mark.parametrize(
    ("policy", "here", "kind", "called"),
    [
        ("call", "a", "", "no-show"),
        ("forfeit", "a", "no-show", ""),
        ("forfeit", "", "", "no-show"),
        ("double", "a", "no-show", ""),
        ("double", "", "double forfeit", ""),
    ],
)
def test_who_never_came(desk: Desk, policy: str, here: str, kind: str, called: str) -> None:
    start(desk, no_show_minutes=20, no_show_policy=policy)
    key, (a, _) = next(iter(desk.pairs().items()))
    if here:
        desk.do(incidents.record_arrival, key=key, entry=a)

    sweep(desk, 19)
    assert desk.row(key).state == "ready"
    sweep(desk, 1)

    row = desk.row(key)
    assert (row.kind, row.needs_director) == (kind, called)
    assert (row.winner and row.winner.number) == (a if kind == "no-show" else None)
    assert sweep(desk, 60) == 0, "it is done once"


@pytest.mark.parametrize("kind", ["", "void", "drawn"])
def test_a_match_that_is_reopened_has_its_whole_time_again(desk: Desk, kind: str) -> None:
    start(desk, no_show_minutes=20, no_show_policy="forfeit", round_minutes=25, deadline_policy="double")
    key, (a, _) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)
    sweep(desk, 22)
    assert desk.row(key).kind == "no-show"

    desk.do(corrections.correct_result, key=key, kind=kind, reason="They are here now")

    sweep(desk, 19)
    assert desk.row(key).state == "ready"
    sweep(desk, 1)
    assert desk.row(key).kind == "no-show"


@pytest.mark.parametrize("decision", ["void", "play-on"])
def test_a_dispute_that_lasts_beyond_the_deadline_leaves_time_to_play(desk: Desk, decision: str) -> None:
    users = members(desk, "Ann", "Ben")
    plan = a_plan("single-elimination")
    stage = replace(plan.stages[0], round_minutes=60, deadline_policy="double")
    desk.announce(replace(plan, stages=(stage,)))
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()
    (key,) = desk.pairs()
    said = {"tournament_id": desk.pk, "key": key, "now": desk.now}
    first = desk.row(key).a
    for user in users:
        score = (5, 3) if first and first.player_id == user.player.pk else (3, 5)
        results.report_result(user=user, score=score, **said)
    assert sweep(desk, 70) == 0

    Pairing.objects.update(reminded_at=desk.now)
    desk.do(disputes.rule_on_match, key=key, decision=decision, reason="I have asked both")
    assert desk.row(key).reminded_at is None, "they are reminded of the new deadline"

    sweep(desk, 59)
    assert desk.row(key).state == "ready"
    sweep(desk, 1)
    assert desk.row(key).kind == "double forfeit"


@pytest.mark.parametrize(
    ("policy", "kind", "called"), [("call", "", "deadline"), ("double", "double forfeit", "")]
)
def test_what_was_not_played_in_time(desk: Desk, policy: str, kind: str, called: str) -> None:
    start(desk, round_minutes=90, deadline_policy=policy)
    key = next(iter(desk.pairs()))

    sweep(desk, 89)
    assert desk.row(key).state == "ready"
    sweep(desk, 1)

    assert (desk.row(key).kind, desk.row(key).needs_director) == (kind, called)


@pytest.mark.parametrize("by_table", [True, False])
@pytest.mark.parametrize("policy", ["double", "forfeit"])
def test_a_match_that_waits_for_its_call_is_not_lost_and_has_time_once_it_is_called(
    desk: Desk, policy: str, by_table: bool
) -> None:
    start(desk, round_minutes=60, deadline_policy=policy)
    table_play.set_wait_for_calls(desk.event, waits=True, now=desk.now)
    key = next(iter(desk.pairs()))

    sweep(desk, 60)
    assert (desk.row(key).kind, desk.row(key).needs_director) == ("", "deadline")
    desk.now += timedelta(minutes=30)
    if by_table:
        table_play.record_call(desk.event, desk.row(key), table="4", by=desk.director, now=desk.now)
    else:
        table_play.set_wait_for_calls(desk.event, waits=False, now=desk.now)

    sweep(desk, 59)
    assert (desk.row(key).state, desk.row(key).needs_director) == ("ready", "")
    sweep(desk, 1)
    row = desk.row(key)
    assert (row.kind, row.needs_director) == (
        ("double forfeit", "") if policy == "double" else ("", "deadline")
    )


def test_a_player_who_is_there_before_the_call_does_not_win_by_it(desk: Desk) -> None:
    start(desk, round_minutes=60, deadline_policy="forfeit")
    table_play.set_wait_for_calls(desk.event, waits=True, now=desk.now)
    key, (a, _) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)

    sweep(desk, 60)
    assert (desk.row(key).kind, desk.row(key).needs_director) == ("", "deadline")


def test_the_rounds_of_a_league_are_counted_from_its_start(desk: Desk) -> None:
    start(desk, form="league", round_days=7)

    for row in desk.open():
        assert row.deadline_at == desk.now + timedelta(days=7 * row.round.number)


@pytest.mark.long
def test_a_league_match_that_is_reopened_after_its_deadline_has_the_days_of_its_round(desk: Desk) -> None:
    start(desk, form="league", round_days=7, deadline_policy="double", remind_minutes=60)
    first, third = (next(row for row in desk.open() if row.round.number == number) for number in (1, 3))
    desk.play(third.key)
    for minutes in (A_WEEK - 30, 30):
        sweep(desk, minutes)
    assert desk.row(first.key).kind == "double forfeit"

    for match in (first, third):
        desk.do(corrections.correct_result, key=match.key, kind="", reason="Both were ill")
    assert desk.row(third.key).deadline_at == third.deadline_at, "its own deadline is later"
    assert desk.row(first.key).reminded_at is None

    sweep(desk, A_WEEK - 1)
    assert desk.row(first.key).state == "ready"
    sweep(desk, 1)
    assert desk.row(first.key).kind == "double forfeit"


@pytest.mark.long
def test_the_last_round_of_a_league_alone_has_the_days_of_the_last_round(desk: Desk) -> None:
    start(desk, form="league", round_days=7, rules=({"round": -1, "days": 14},))
    first, second, third = (
        next(row for row in desk.open() if row.round.number == number) for number in (1, 2, 3)
    )
    for row, days in ((first, 7), (second, 14), (third, 28)):
        assert row.deadline_at == desk.now + timedelta(days=days)

    for match in (first, third):
        desk.play(match.key)
    desk.now += timedelta(days=27)
    for match, days in ((first, 7), (third, 14)):
        desk.do(corrections.correct_result, key=match.key, kind="", reason="The boards were set up wrongly")
        assert desk.row(match.key).deadline_at == desk.now + timedelta(days=days)


def test_a_match_reopened_in_a_pause_has_its_whole_time_from_the_end_of_the_pause(desk: Desk) -> None:
    start(desk, round_minutes=60)
    key = next(iter(desk.pairs()))
    desk.play(key)
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=30)
    desk.do(corrections.correct_result, key=key, kind="", reason="The boards were set up wrongly")
    desk.now += timedelta(minutes=10)
    desk.do(event_control.resume_event)

    assert desk.row(key).deadline_at == desk.now + timedelta(minutes=60)


@pytest.mark.long
@pytest.mark.share
def test_a_league_match_that_is_reopened_has_the_time_of_the_pauses_before(desk: Desk) -> None:
    start(desk, form="league", round_days=7)
    third = next(row for row in desk.open() if row.round.number == 3)
    desk.play(third.key)
    for interrupt, go_on in (
        (event_control.pause_event, event_control.resume_event),
        (partial(directing.cancel_event, reason="No room"), partial(directing.reopen_event, reason="A room")),
        (event_control.pause_event, None),
    ):
        desk.do(interrupt)
        desk.now += timedelta(days=10)
        if go_on is not None:
            desk.do(go_on)

    desk.do(corrections.correct_result, key=third.key, kind="", reason="The boards were set up wrongly")
    assert desk.row(third.key).deadline_at == third.deadline_at + timedelta(days=20)
    desk.do(event_control.resume_event)
    assert desk.row(third.key).deadline_at == third.deadline_at + timedelta(days=30)


def test_an_event_that_stands_still_has_no_deadlines_and_later_ones_after(desk: Desk) -> None:
    start(desk, no_show_minutes=20, no_show_policy="double")
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)

    assert sweep(desk, 60) == 0
    desk.do(event_control.resume_event)
    assert sweep(desk, 9) == 0
    assert sweep(desk, 1) == 2


def test_a_round_published_during_a_pause_counts_from_its_end(desk: Desk) -> None:
    plan = a_plan("swiss", Settings(no_show_minutes=15, no_show_policy="double"), rounds=3)
    desk.start(replace(plan, stages=(replace(plan.stages[0], pairs="draft", round_minutes=60),)), 4)
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=55)
    desk.do(event_control.publish_round, stage=1, number=1)
    desk.now += timedelta(minutes=5)
    desk.do(event_control.resume_event)

    for row in desk.open():
        assert row.called_at == desk.now
        assert row.deadline_at == desk.now + timedelta(minutes=60)
        assert row.due_at == desk.now + timedelta(minutes=15)


def test_a_match_called_during_a_pause_counts_from_its_end(desk: Desk) -> None:
    start(desk, no_show_minutes=15, round_minutes=60)
    key, other = desk.pairs()
    opened = desk.now
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=20)
    desk.do(incidents.call_match, key=key)
    desk.now += timedelta(minutes=10)
    desk.do(event_control.resume_event)

    assert desk.row(key).called_at == desk.now
    assert desk.row(other).called_at == opened + timedelta(minutes=30)
    assert {row.deadline_at for row in desk.open()} == {opened + timedelta(minutes=90)}


END = {"act": event_control.end_event_early, "reason": "The lights went out"}
CANCEL = {"act": directing.cancel_event, "reason": "The wrong event"}


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("is_paused", [False, True])
@pytest.mark.parametrize(
    ("end", "is_undone"), [(END, False), (END, True), (CANCEL, False)], ids=["ended", "undone", "cancelled"]
)
def test_an_event_that_was_over_by_mistake_goes_on_with_the_time_it_had(
    desk: Desk, end: dict[str, Any], is_undone: bool, is_paused: bool
) -> None:
    start_with(desk, members(desk, "Ann", "Ben", "Cid", "Dee"), lateness=LADDER, confirm_minutes=10)
    (key, (a, _b)), (other, (winner, _loser)) = desk.pairs().items()
    desk.do(incidents.record_arrival, key=key, entry=a)
    desk.now += timedelta(minutes=2)
    user = desk.player(winner).user
    assert user
    results.report_result(tournament_id=desk.pk, key=other, user=user, score=(5, 3), now=desk.now)
    desk.now += timedelta(minutes=1)
    if is_paused:
        desk.do(event_control.pause_event)
        desk.now += timedelta(minutes=30)
    desk.do(**end)
    ruling = desk.ruling()
    desk.now += timedelta(minutes=17)
    if is_undone:
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="The wrong event")
    else:
        desk.do(directing.reopen_event, reason="The wrong event")
    if is_undone and is_paused:
        desk.do(event_control.resume_event)

    assert sweep(desk, 1) == 0
    sweep(desk, 1)
    assert (desk.row(key).b_late, desk.row(other).state) == (1, "ready")
    sweep(desk, 7)
    assert (desk.row(key).b_late, desk.row(other).state) == (2, "decided")


@pytest.mark.long
@pytest.mark.parametrize("act", [incidents.record_walkover, incidents.record_no_show])
@pytest.mark.parametrize("is_paused", [False, True])
def test_a_match_that_is_open_again_has_the_time_since_the_act_back(
    desk: Desk, act: Callable[..., Any], is_paused: bool
) -> None:
    start_with(desk, members(desk, "Ann", "Ben", "Cid", "Dee"), lateness=LADDER, confirm_minutes=10)
    (key, (a, b)), (other, (winner, loser)) = desk.pairs().items()
    desk.do(incidents.record_arrival, key=key, entry=a)
    desk.now += timedelta(minutes=3)
    user = desk.player(winner).user
    assert user
    results.report_result(tournament_id=desk.pk, key=other, user=user, score=(5, 3), now=desk.now)
    desk.do(act, key=key, loser=b)
    one = desk.ruling()
    desk.do(act, key=other, loser=loser)
    two = desk.ruling()
    if is_paused:
        desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=20)

    for ruling in (two, one):
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="The wrong match")
    if is_paused:
        desk.now += timedelta(minutes=20)
        desk.do(event_control.resume_event)

    assert sweep(desk, 1) == 0
    sweep(desk, 1)
    assert (desk.row(key).b_late, desk.row(other).state) == (1, "ready")
    sweep(desk, 8)
    assert (desk.row(key).b_late, desk.row(other).state) == (2, "decided")


def test_who_came_after_a_penalty_that_is_taken_back_is_there(desk: Desk) -> None:
    start(desk, lateness=LADDER)
    key, (a, b) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)
    sweep(desk, 4)
    desk.do(incidents.penalise_lateness, key=key, entry=b, points=1)
    ruling = desk.ruling()
    desk.do(incidents.record_arrival, key=key, entry=b)

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="There was a queue at the door")

    assert sweep(desk, 60) == 0
    assert (desk.row(key).b_late, desk.row(key).state) == (0, "ready")


@pytest.mark.long
def test_an_act_that_is_taken_back_after_a_pause_leaves_the_times_moved_on(desk: Desk) -> None:
    start(desk, lateness=LADDER)
    key, (a, b) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=a)
    desk.do(incidents.penalise_lateness, key=key, entry=b, points=1)
    ruling = desk.ruling()
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=30)
    desk.do(event_control.resume_event)

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="They were here")

    assert sweep(desk, 4) == 0
    assert desk.row(key).called_at == desk.now - timedelta(minutes=4)
    sweep(desk, 1)
    assert desk.row(key).b_late == 1


def test_when_both_are_gone_the_bracket_goes_on_without_them(desk: Desk) -> None:
    start(desk, players=8, no_show_minutes=20, no_show_policy="double")
    keys = list(desk.pairs())
    for key in keys[1:]:
        desk.play(key)
    opened = {row.key for row in desk.open()}

    sweep(desk, 21)

    assert desk.row(keys[0]).kind == "double forfeit"
    assert {row.key for row in desk.open()}.isdisjoint(opened)


@pytest.mark.long
def test_many_at_one_moment(desk: Desk) -> None:
    start(desk, players=64, form="swiss", no_show_minutes=20, no_show_policy="double")

    assert sweep(desk, 21) == 32
    assert Ruling.objects.filter(tournament=desk.event, act=RulingKind.DOUBLE_FORFEIT).count() == 32
    assert Pairing.objects.filter(tournament=desk.event, round__number=2, state="ready").exists()


# -- reminders and reports


def test_both_are_reminded_once_of_each_deadline(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    desk.announce(
        replace(
            a_plan("single-elimination", Settings(remind_minutes=60)),
            stages=(replace(a_plan("single-elimination").stages[0], round_days=1),),
        )
    )
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)

    assert sweep(desk, 22 * 60) == 0
    assert sweep(desk, 60) == 1
    assert sweep(desk, 1) == 0
    assert Notice.objects.filter(user__in=users, text__contains="is to be played soon").count() == 2

    # Played again, it has another deadline.
    desk.do(incidents.void_match, key=next(iter(desk.pairs())), reason="The board was set up wrongly")
    assert sweep(desk, 23 * 60) == 1
    assert sweep(desk, 1) == 0
    assert Notice.objects.filter(user__in=users, text__contains="is to be played soon").count() == 4


@pytest.mark.parametrize(("hours", "again"), [(1, 0), (24, 2)])
@pytest.mark.parametrize("way", ["pause", "end", "undo"])
def test_after_a_long_interruption_they_are_reminded_of_the_deadline_again(
    desk: Desk, way: str, hours: int, again: int
) -> None:
    users = members(desk, "Ann", "Ben")
    plan = a_plan("single-elimination", Settings(remind_minutes=24 * 60))
    desk.announce(replace(plan, stages=(replace(plan.stages[0], round_days=3),)))
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    reminders = Notice.objects.filter(user__in=users, text__contains="is to be played soon")
    assert sweep(desk, 49 * 60) == 1

    if way == "pause":
        desk.do(event_control.pause_event)
    else:
        desk.do(event_control.end_event_early, reason="The club is closed")
    desk.now += timedelta(hours=hours)
    if way == "pause":
        desk.do(event_control.resume_event)
    elif way == "end":
        desk.do(directing.reopen_event, reason="It is open again")
    else:
        desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="It is open again")
    sweep(desk, 1)

    assert reminders.count() == 2 + again
    assert sweep(desk, 1) == 0


def test_a_report_that_nobody_denies_stands(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    start_with(desk, users, confirm_minutes=10)
    (key,) = desk.pairs()
    a = desk.row(key).a
    assert a
    winner = next(user for user in users if user.player.pk == a.player_id)
    results.report_result(tournament_id=desk.pk, key=key, user=winner, score=(5, 3), now=desk.now)

    assert sweep(desk, 9) == 0
    assert sweep(desk, 1) == 1
    assert (desk.row(key).score_a, desk.row(key).score_b) == (5, 3)
    assert sweep(desk, 1) == 0


def test_the_players_of_a_reported_match_are_not_late(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    start_with(desk, users, lateness=LADDER, no_show_minutes=20, no_show_policy="forfeit", confirm_minutes=60)
    [(key, (number, _other))] = desk.pairs().items()
    desk.do(incidents.record_arrival, key=key, entry=number)
    a = desk.player(number)
    winner = next(user for user in users if user.player.pk != a.pk)
    results.report_result(tournament_id=desk.pk, key=key, user=winner, score=(3, 5), now=desk.now)

    sweep(desk, 30)
    row = desk.row(key)
    assert (row.state, row.a_late, row.b_late) == ("ready", 0, 0)
    sweep(desk, 30)
    assert (desk.row(key).kind, desk.row(key).score_b) == ("played", 5)


def test_a_disputed_report_never_stands_by_itself(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    start_with(desk, users, confirm_minutes=10)
    (key,) = desk.pairs()
    a = desk.row(key).a
    assert a
    winner, loser = sorted(users, key=lambda user: user.player.pk != a.player_id)
    results.report_result(tournament_id=desk.pk, key=key, user=winner, score=(5, 3), now=desk.now)
    results.dispute_report(tournament_id=desk.pk, key=key, user=loser, score=(5, 3), now=desk.now)

    assert sweep(desk, 60) == 0
    assert (desk.row(key).state, desk.row(key).needs_director) == ("ready", "dispute")


def test_one_event_that_cannot_be_helped_keeps_no_other_waiting(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(desk, form="swiss", no_show_minutes=20, no_show_policy="double")
    broken = desk.pk
    start(desk, form="swiss", no_show_minutes=20, no_show_policy="double")
    honest = deadlines.process_event

    def tend(*, tournament_id: int, now: Any) -> int:
        if tournament_id == broken:
            raise RuntimeError
        return honest(tournament_id=tournament_id, now=now)

    monkeypatch.setattr(deadlines, "process_event", tend)
    assert sweep(desk, 21) == 2
    # It is not tried again at each sweep.
    failure = Failure.objects.get(sweep="tournaments.deadlines")
    assert (failure.subject, failure.attempts) == (str(broken), 1)
    monkeypatch.setattr(deadlines, "process_event", honest)
    assert deadlines.sweep(failure.retry_at - timedelta(microseconds=1)) == 0
    assert deadlines.sweep(failure.retry_at) == 2


def test_both_players_are_told_that_the_clock_has_decided(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    start_with(desk, users, no_show_minutes=20, no_show_policy="forfeit")
    (key,) = desk.pairs()
    present = desk.row(key).a
    assert present
    desk.do(incidents.record_arrival, key=key, entry=present.number)
    sweep(desk, 20)
    outbox.drain(queue=Queue.DEFAULT, now=desk.now)

    here, away = sorted(users, key=lambda user: user.player.pk != present.player_id)
    won, lost = (
        str(Notice.objects.get(user=user, text__contains="your match against")) for user in (here, away)
    )
    assert won.startswith(f"The time of your match against {away.player.public_name} in ")
    assert won.endswith(" is over. You win.")
    assert lost.endswith(" is over. You lose.")


def test_no_shows_of_a_whole_round_are_looked_up_together(desk: Desk) -> None:
    """Sheets, reports and moves at the boards are read once for all; each match adds only its two updates."""

    def count_queries(players: int) -> int:
        start(desk, players=players, form="swiss", no_show_minutes=10, no_show_policy="double")
        with CaptureQueriesContext(connection) as asked:
            now = desk.now + timedelta(minutes=11)
            assert deadlines.process_event(tournament_id=desk.pk, now=now) == players // 2
        return len(asked)

    few, many = count_queries(4), count_queries(12)
    assert many - few <= 2 * 4 + 2
