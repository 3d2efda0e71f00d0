"""Failures of background work: each retry waits longer, other work goes on, and the failure is reported."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from runtime.http import views
from runtime.models import Failure, Outbox, Queue, SweepRun
from runtime.work import failures, jobs, outbox, sweeps

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def test_a_subject_that_fails_waits_longer_each_time_and_holds_up_no_other(now: datetime) -> None:
    tries: list[float] = []
    done: list[str] = []

    def act(subject: str) -> int:
        if subject == "bad" and second < 20:
            tries.append(second)
            raise ValueError("no such row")
        done.append(subject)
        return 1

    for second in range(20):
        found = failures.process_each("look", ["bad", "good"], act, now=now + second * SECOND)
        assert found == 1
    assert tries == [0, 1, 3, 7, 15]
    assert done == ["good"] * 20
    row = Failure.objects.get()
    assert (row.sweep, row.subject, row.attempts) == ("look", "bad", 5)
    assert row.last_error == "ValueError: no such row"
    assert 'barpoint_sweep_failures{sweep="look"} 5' in views.render_metrics(now=now)

    second = 31
    assert failures.process_each("look", ["bad", "good"], act, now=now + second * SECOND) == 2
    assert not Failure.objects.exists()
    assert "barpoint_sweep_failures{" not in views.render_metrics(now=now)


def test_the_same_error_of_a_subject_is_logged_once(now: datetime) -> None:
    def act(_subject: str) -> int:
        raise ValueError("no such row" if minute < 30 else "another row")

    with capture_logs() as said:
        for minute in range(60):
            failures.process_each("look", ["bad"], act, now=now + minute * timedelta(minutes=1))
    assert [(line["event"], line["subject"]) for line in said] == [("sweep.subject_failed", "bad")] * 2


def test_a_subject_that_no_sweep_finds_any_more_is_forgotten(now: datetime) -> None:
    def act(subject: int) -> int:
        raise ValueError

    for subject in (1, 2):
        failures.process_each("look", [subject], act, now=now + subject * timedelta(minutes=50))
    assert failures.prune(now=now + timedelta(minutes=50) + failures.FORGOTTEN_AFTER + 2 * SECOND) == 1
    assert Failure.objects.get().subject == "2"


def test_a_sweep_that_fails_waits_longer_each_time_and_says_so(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(sweeps, "_sweeps", {})
    tries: list[datetime] = []
    breaks = True

    def look(at: datetime) -> int:
        tries.append(at)
        if breaks:
            raise ValueError("worst row")
        return 1

    sweeps.register("look", SECOND, look)
    for second in range(40):
        sweeps.run("look", now=now + second * SECOND)
        # It is late only when it is not run though its pause is over.
        assert sweeps.list_late(now=now + second * SECOND) == []
    assert [(at - now).total_seconds() for at in tries] == [0, 1, 3, 7, 15, 31]
    assert 'barpoint_sweep_failures{sweep="look"} 6' in views.render_metrics(now=now)
    assert SweepRun.objects.get().last_error == "ValueError: worst row"

    breaks = False
    now += timedelta(minutes=2)
    assert sweeps.run("look", now=now)
    assert sweeps.run("look", now=now + SECOND)
    assert "barpoint_sweep_failures{" not in views.render_metrics(now=now)


def test_a_clock_that_is_put_back_ends_the_pause_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(sweeps, "_sweeps", {})
    sweeps.register("look", SECOND, lambda _now: 1 // 0)
    assert sweeps.run("look", now=now + timedelta(hours=2))
    assert sweeps.run("look", now=now)


def test_sweeps_in_the_background_leave_a_thread_to_the_others(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(sweeps, "_sweeps", {})
    ran: list[str] = []

    def analyse(_now: datetime) -> int:
        # While one of two threads is at it, a second sweep of the kind does not begin, and any other does.
        ran.append("analyse")
        assert not sweeps.run("archive", now=now)
        assert sweeps.run("verdict", now=now)
        return 1

    sweeps.register("analyse", SECOND, analyse, is_background=True)
    sweeps.register("archive", SECOND, lambda _now: len(ran), is_background=True)
    sweeps.register("verdict", SECOND, lambda _now: len(ran))
    assert sweeps.run("analyse", now=now)
    assert SweepRun.objects.get(name="analyse").last_error == ""
    assert sweeps.run("archive", now=now)


def test_background_work_takes_turns(settings: Any) -> None:
    settings.WORKER_CONCURRENCY = 2
    threads = jobs.BackgroundThreads()
    for _ in range(2):
        # The same work goes on until other work is refused.
        with threads.take("analyse") as is_free:
            assert is_free
    with threads.take("analyse"), threads.take("archive") as is_free:
        assert not is_free
    with threads.take("analyse") as is_free:
        assert not is_free, "the archive comes first"
    with threads.take("archive") as is_free:
        assert is_free
    with threads.take("analyse") as is_free:
        assert is_free


def test_a_letter_in_the_background_waits_while_another_runs_and_no_other_letter_does(now: datetime) -> None:
    ran: list[str] = []

    def compute(payload: dict[str, Any], *, now: datetime) -> None:
        ran.append("compute")
        if len(ran) == 1:
            outbox.drain(queue=Queue.SLOW, now=now)

    outbox.register("tests.compute", compute, external=True, is_background=True)
    outbox.register("tests.judge", lambda _payload, *, now: ran.append("judge"))
    for kind, key in (("tests.compute", "1"), ("tests.compute", "2"), ("tests.judge", "3")):
        outbox.put(kind, {}, dedupe_key=key, now=now, queue=Queue.SLOW)
    assert outbox.deliver(outbox_id=Outbox.objects.order_by("pk")[0].pk, now=now)
    assert ran == ["compute", "judge"]
    # No attempt is counted.
    assert Outbox.objects.get(dedupe_key="2").attempts == 0
    outbox.drain(queue=Queue.SLOW, now=now)
    outbox.drain(queue=Queue.SLOW, now=now)
    assert ran == ["compute", "judge", "compute"]
