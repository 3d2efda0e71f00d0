"""Losses by the clock: every presence under every policy."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from players.models import Notice
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_deadlines import members, start, start_with, sweep
from tournaments.base.settings import Settings
from tournaments.models import Entry, Pairing, Report
from tournaments.plan import drawing
from tournaments.play import deadlines, directing, event_control, incidents, results, table_play
from tournaments.status import Status

CALLED = ""
DOUBLE = "double forfeit"
# For each policy: the end if neither, one or both players are at the table.
ENDS = [
    ("call", CALLED, CALLED, CALLED),
    ("forfeit", CALLED, "won", CALLED),
    ("double", DOUBLE, "won", CALLED),
]


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize(("policy", "nobody", "one", "both"), ENDS)
def test_a_deadline_takes_the_match_from_those_alone_who_are_not_there(
    desk: Desk, policy: str, nobody: str, one: str, both: str, side: str
) -> None:
    start(desk, players=8, round_minutes=90, deadline_policy=policy)
    keys = [*desk.pairs()]
    a, b = desk.pairs()[keys[1]]
    desk.do(incidents.record_arrival, key=keys[1], entry=a if side == "a" else b)
    for number in desk.pairs()[keys[2]]:
        desk.do(incidents.record_arrival, key=keys[2], entry=number)

    sweep(desk, 90)

    rows = [desk.row(key) for key in keys[:3]]
    assert rows[0].kind == nobody
    assert rows[1].kind == ("forfeit" if one == "won" else "")
    assert rows[2].kind == both == CALLED, "both are playing: nobody is late"
    winner = rows[1].winner
    assert (winner and winner.number) == ((a if side == "a" else b) if one == "won" else None)
    for row in rows:
        assert row.needs_director == ("" if row.kind else "deadline")


@pytest.mark.parametrize("policy", ["call", "forfeit", "double"])
def test_where_both_are_at_the_table_nobody_is_a_no_show(desk: Desk, policy: str) -> None:
    start(desk, no_show_minutes=20, no_show_policy=policy)
    key, two = next(iter(desk.pairs().items()))
    for number in two:
        desk.do(incidents.record_arrival, key=key, entry=number)

    sweep(desk, 60)

    assert (desk.row(key).kind, desk.row(key).needs_director) == ("", "")


@pytest.mark.parametrize("way", ["one", "both", "call taken back"])
def test_who_comes_after_all_needs_no_director(desk: Desk, way: str) -> None:
    start(desk, no_show_minutes=20)
    key, two = next(iter(desk.pairs().items()))
    sweep(desk, 20)
    assert desk.row(key).needs_director == "no-show"
    if way == "call taken back":
        table_play.cancel_call(desk.event, desk.row(key))
    else:
        for number in two[: 1 if way == "one" else 2]:
            desk.do(incidents.record_arrival, key=key, entry=number)
    sweep(desk, 1)
    assert desk.row(key).needs_director == ("no-show" if way == "one" else "")


def test_the_first_reason_for_calling_the_director_stays(desk: Desk) -> None:
    start(desk, no_show_minutes=20, round_minutes=90)
    key = next(iter(desk.pairs()))

    sweep(desk, 20)
    sweep(desk, 90)

    assert desk.row(key).needs_director == "no-show"


def test_what_is_paused_or_over_is_left_alone_even_if_somebody_asks(desk: Desk) -> None:
    start(desk, no_show_minutes=20, no_show_policy="double")
    desk.do(event_control.pause_event)
    late = desk.now + timedelta(minutes=60)
    assert deadlines.process_event(tournament_id=desk.pk, now=late) == 0
    desk.do(event_control.resume_event)
    desk.do(directing.cancel_event, reason="A burst pipe")

    assert deadlines.list_due_events(now=late) == []
    assert deadlines.process_event(tournament_id=desk.pk, now=late) == 0
    assert set(Pairing.objects.values_list("kind", flat=True)) == {""}


def test_where_nothing_is_due_nothing_is_told(desk: Desk) -> None:
    start(desk, no_show_minutes=20)
    version = desk.fresh().version

    assert deadlines.process_event(tournament_id=desk.pk, now=desk.now) == 0
    assert desk.fresh().version == version
    sweep(desk, 20)
    assert desk.fresh().version > version


def test_a_large_event_is_done_in_helpings(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "HELPING", 3)
    start(desk, players=8, form="swiss", no_show_minutes=20, no_show_policy="double")

    assert [sweep(desk, 20), sweep(desk, 0)] == [3, 1]


def test_a_report_that_cannot_stand_calls_nobody_twice(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    start_with(desk, users, confirm_minutes=10)
    (key,) = desk.pairs()
    row = desk.row(key)
    assert row.a
    winner = next(user for user in users if user.player.pk == row.a.player_id)
    results.report_result(tournament_id=desk.pk, key=key, user=winner, score=(5, 3), now=desk.now)
    # The length was another one when it was said.
    Pairing.objects.filter(pk=row.pk).update(length=7)

    assert sweep(desk, 10) == 1
    assert Report.objects.get().confirms_at is None
    assert (desk.row(key).state, sweep(desk, 10)) == ("ready", 0)


def test_a_report_stands_only_in_its_own_event_and_once_its_time_has_come(desk: Desk) -> None:
    users = members(desk, "Ann", "Ben")
    reported = []
    for minutes in (10, 30):
        start_with(desk, users, confirm_minutes=minutes)
        (key,) = desk.pairs()
        row = desk.row(key)
        assert row.a
        winner = next(user for user in users if user.player.pk == row.a.player_id)
        results.report_result(tournament_id=desk.pk, key=key, user=winner, score=(5, 3), now=desk.now)
        reported.append(desk.pk)

    sweep(desk, 10)

    stands = dict(Pairing.objects.values_list("tournament_id", "state"))
    assert [stands[pk] for pk in reported] == ["decided", "ready"]


def test_guests_are_not_written_to(desk: Desk) -> None:
    (ann,) = members(desk, "Ann")
    plan = a_plan("single-elimination", Settings(remind_minutes=60))
    desk.announce(replace(plan, stages=(replace(plan.stages[0], round_days=1),)))
    desk.do(directing.admit_members, player_keys=[ann.player.key])
    desk.do(directing.admit_named, names=["A guest"])
    desk.do(drawing.publish)

    assert sweep(desk, 23 * 60) == 1
    assert Notice.objects.filter(text__contains="is to be played soon").count() == 1
    assert Entry.objects.filter(tournament=desk.event).count() == 2
    assert desk.fresh().status == Status.RUNNING
