"""Rounds paired by a worker: the result is stored at once, what follows is worked out without holding anything."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from runtime import batched_exists
from runtime.models import Outbox, Queue
from runtime.work import outbox
from tests.deliveries import deliver
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing
from tournaments.pages import event_page_data
from tournaments.plan.templates import StagePlan
from tournaments.play import backlog, departures, directing, event_control, pairing_jobs, progress
from tournaments.play.backlog import Work, find_waiting_work
from tournaments.play.reconciliation import Reconciler
from tournaments.status import Status

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _everything_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "MOST_PLAYERS", 0)


def second_round(desk: Desk) -> int:
    return Pairing.objects.filter(tournament=desk.event, round__number=2).count()


@pytest.fixture
def played(desk: Desk) -> Desk:
    """A Swiss event whose first round is played and whose second is not paired yet."""
    desk.start(a_plan("swiss", rounds=3), 8)
    for key in desk.pairs():
        desk.play(key)
    return desk


def test_a_result_is_stored_and_a_worker_pairs(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert played.fresh().pairing_at == played.now
    assert second_round(played) == 0
    job = Outbox.objects.get(kind=backlog.KIND)
    assert job.queue == Queue.SLOW
    # However long it takes, nothing is held in the meantime.
    held: list[bool] = []
    honest = progress.compute_outcome

    def watched(rows: Any, *, now: datetime, **more: Any) -> Reconciler:
        held.append(connection.in_atomic_block and len(connection.savepoint_ids) > 0)
        return honest(rows, now=now, **more)

    monkeypatch.setattr(progress, "compute_outcome", watched)
    deliver(played.now)

    assert held == [False]
    assert played.fresh().pairing_at is None
    assert second_round(played) == 4
    version = played.event.version
    assert not pairing_jobs.pair_event(tournament_id=played.pk, now=played.now)
    assert played.fresh().version == version


def test_an_errand_that_was_lost_is_found(played: Desk) -> None:
    Outbox.objects.all().delete()
    assert pairing_jobs.sweep(played.now + timedelta(seconds=1)) == 0
    assert pairing_jobs.sweep(played.now + pairing_jobs.PATIENCE) == 1
    assert second_round(played) == 4


@pytest.mark.long
def test_the_last_round_ends_the_event(played: Desk) -> None:
    for _ in range(3):
        pairing_jobs.pair_event(tournament_id=played.pk, now=played.now)
        for key in played.pairs():
            played.play(key)
    pairing_jobs.pair_event(tournament_id=played.pk, now=played.now)
    assert played.fresh().status == Status.FINISHED
    assert played.entry(1).place == 1


def test_whoever_changes_the_event_meanwhile_is_seen(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, asked = progress.compute_outcome, 0

    def slow(rows: Any, *, now: datetime, **more: Any) -> Reconciler:
        nonlocal asked
        asked += 1
        outcome = honest(rows, now=now, **more)
        if asked == 1:
            played.do(departures.mark_away, entries=[3, 5])
            # What an act of the director brings, it brings at once: nothing is left to the worker.
            backlog.queue_job(played.fresh(), at=now, now=now)
        return outcome

    monkeypatch.setattr(progress, "compute_outcome", slow)
    assert pairing_jobs.pair_event(tournament_id=played.pk, now=played.now)
    assert played.fresh().pairing_at is None
    sits = Pairing.objects.filter(tournament=played.event, round__number=2)
    seated = {one for row in sits for one in (row.a_id, row.b_id)}
    assert not seated & {played.entry(3).pk, played.entry(5).pk}


def test_an_event_that_never_keeps_still_is_held(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, asked = progress.compute_outcome, 0

    def disturbed(rows: Any, *, now: datetime, **more: Any) -> Reconciler:
        nonlocal asked
        asked += 1
        outcome = honest(rows, now=now, **more)
        if not connection.savepoint_ids:
            type(played.event).objects.filter(pk=played.pk).update(stamp=f"other {asked}")
        return outcome

    monkeypatch.setattr(progress, "compute_outcome", disturbed)
    assert pairing_jobs.pair_event(tournament_id=played.pk, now=played.now)
    assert asked == pairing_jobs.TRIES + 1
    assert second_round(played) == 4


def test_in_a_pause_nothing_is_paired(played: Desk) -> None:
    played.do(event_control.pause_event)
    assert not pairing_jobs.pair_event(tournament_id=played.pk, now=played.now)
    assert pairing_jobs.sweep(played.now + timedelta(minutes=1)) == 0
    assert second_round(played) == 0
    played.do(event_control.resume_event)
    assert pairing_jobs.sweep(played.now + timedelta(minutes=1)) == 1
    assert second_round(played) == 4


def test_a_cancelled_event_waits_for_no_worker_until_it_is_reopened(played: Desk) -> None:
    assert find_waiting_work(played.fresh()) is not Work.NONE
    played.do(directing.cancel_event, reason="No power")
    event = played.fresh()
    assert pairing_jobs.sweep(played.now + timedelta(minutes=1)) == 0
    assert find_waiting_work(event) is Work.NONE
    page = event_page_data.load_page(event, AnonymousUser(), now=played.now - timedelta(minutes=1))
    assert page.next_pairing is None

    played.do(directing.reopen_event, reason="Power is back")
    pairing_jobs.sweep(played.now + timedelta(minutes=1))
    assert second_round(played) == 4


def test_one_event_that_cannot_be_paired_keeps_no_other_waiting(
    played: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = played.pk
    played.start(a_plan("swiss", rounds=3), 4)
    for key in played.pairs():
        played.play(key)
    honest = pairing_jobs.pair_event

    def pair(*, tournament_id: int, now: datetime) -> bool:
        if tournament_id == broken:
            raise RuntimeError
        return honest(tournament_id=tournament_id, now=now)

    monkeypatch.setattr(pairing_jobs, "pair_event", pair)
    assert pairing_jobs.sweep(played.now + pairing_jobs.PATIENCE) == 1
    assert second_round(played) == 2


def test_a_pairing_that_fails_is_tried_again_later_each_time_and_by_nobody_else(
    played: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, tries = progress.compute_outcome, []

    def broken(rows: Any, *, now: datetime, **more: Any) -> Reconciler:
        tries.append(now)
        raise RuntimeError

    monkeypatch.setattr(progress, "compute_outcome", broken)
    began = played.now
    for second in range(40):
        now = began + timedelta(seconds=second)
        outbox.drain(queue=Queue.SLOW, now=now)
        if batched_exists.find_true({"rounds": pairing_jobs.query_due}, now=now):
            pairing_jobs.sweep(now)
        # What is left to a worker in the meantime changes nothing.
        backlog.request_job(played.pk, at=now, now=now)
    assert [(at - began).total_seconds() for at in tries] == [0, 2, 6, 14, 30]

    monkeypatch.setattr(progress, "compute_outcome", honest)
    outbox.drain(queue=Queue.SLOW, now=began + timedelta(minutes=2))
    assert second_round(played) == 4


def test_a_sheet_never_waits(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play(next(iter(desk.pairs())))
    assert desk.fresh().pairing_at is None
    assert not Outbox.objects.filter(kind=backlog.KIND).exists()


def test_in_batches_the_free_are_paired_at_their_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    desk.start(a_plan("lives", lives=2, mode="continuous", batch_minutes=10), 8)
    first, second, third, fourth = desk.pairs()
    began = desk.now
    desk.now += timedelta(minutes=3)
    desk.play(first)
    desk.play(second)

    assert desk.fresh().pairing_at == began + timedelta(minutes=10)
    assert not pairing_jobs.pair_event(tournament_id=desk.pk, now=began + timedelta(minutes=9))
    assert list(desk.pairs()) == [third, fourth]
    assert pairing_jobs.pair_event(tournament_id=desk.pk, now=began + timedelta(minutes=10))
    assert len(desk.pairs()) == 4

    # Without open matches there is no wait.
    desk.now += timedelta(minutes=20)
    for key in desk.pairs():
        desk.play(key)
    assert desk.fresh().pairing_at is None
    assert desk.pairs()


def test_a_later_stage_does_not_wait_for_batches(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    batched = {"lives": 1, "until": 4, "mode": "continuous", "batch_minutes": 10}
    best = {"stage": "Lives", "first": 1, "last": 4}
    plan = [
        StagePlan(format="lives", name="Lives", options=batched),
        StagePlan(format="single-elimination", name="Finals", takes=(best,)),
    ]
    desk.start(a_plan(plan), 8)
    for key in desk.pairs():
        desk.play(key)
    first, _second = desk.pairs()
    assert first.startswith("Finals/")

    desk.play(first)

    assert desk.fresh().pairing_at is None
    assert desk.row("Finals/main/2.1").a is not None
