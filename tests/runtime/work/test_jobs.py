"""Background work of the one process: each job once, the urgent first, and a job that fails ends no thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
import structlog

from runtime.models import Outbox
from runtime.work import jobs, outbox
from runtime.work.jobs import JobThreads
from tests.runtime.support import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def threads() -> Iterator[JobThreads]:
    found = JobThreads()
    yield found
    found.stop(10)


class Held:
    """A job that runs until it is let go."""

    def __init__(self) -> None:
        self.begun, self.over = threading.Event(), threading.Event()

    def __call__(self, _: datetime) -> None:
        self.begun.set()
        assert self.over.wait(30)


def noting(seen: list[str], word: str) -> Callable[[datetime], None]:
    return lambda _: seen.append(word)


def test_what_waits_runs_once_and_what_is_urgent_first(threads: JobThreads) -> None:
    held, seen = Held(), list[str]()
    threads.start(1)
    threads.put("held", held, queue="slow")
    assert held.begun.wait(30)
    for word, queue in (("a", "slow"), ("a", "slow"), ("b", "default"), ("c", "clocks"), ("d", "default")):
        threads.put(word, noting(seen, word), queue=queue)
    held.over.set()
    until(lambda: len(seen) == 4)
    assert seen == ["c", "b", "d", "a"]


def test_what_runs_may_be_asked_for_again(threads: JobThreads) -> None:
    held, seen = Held(), list[str]()
    threads.start(2)
    threads.put("same", held, queue="slow")
    assert held.begun.wait(30)
    threads.put("same", noting(seen, "again"), queue="slow")
    until(lambda: seen == ["again"])
    held.over.set()


def test_a_job_that_fails_is_logged_and_its_thread_goes_on(
    threads: JobThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def fail(_: datetime) -> None:
        raise ConnectionError("the database is away")

    with structlog.testing.capture_logs() as told:
        monkeypatch.setattr(jobs, "log", structlog.wrap_logger(structlog.PrintLogger()))
        threads.start(1)
        threads.put("bad", fail, queue="default")
        threads.put("good", noting(seen, "good"), queue="default")
        until(lambda: seen == ["good"])
    assert [line["event"] for line in told] == ["job.failed"]


def test_no_more_wait_than_there_is_room_for(threads: JobThreads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CAPACITY", 3)
    held, seen = Held(), list[str]()
    threads.start(1)
    threads.put("held", held, queue="slow")
    assert held.begun.wait(30)
    for word in "abcdef":
        threads.put(word, noting(seen, word), queue="slow")
    held.over.set()
    until(lambda: len(seen) == 3)
    assert seen == ["a", "b", "c"]


def test_in_the_one_process_a_hint_is_a_job(
    threads: JobThreads, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(jobs, "THREADS", threads)
    threads.start(1)
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=now)
    until(lambda: Outbox.objects.get().done_at)


def test_before_the_start_and_after_the_end_nothing_is_taken(threads: JobThreads) -> None:
    seen: list[str] = []
    threads.put("early", noting(seen, "early"), queue="default")
    threads.start(1)
    threads.stop(10)
    threads.put("late", noting(seen, "late"), queue="default")
    assert seen == []


def test_the_end_waits_for_what_runs_and_not_for_ever(threads: JobThreads) -> None:
    held = Held()
    threads.start(1)
    threads.put("held", held, queue="slow")
    assert held.begun.wait(30)
    threads.stop(0.05)
    assert not held.over.is_set()
    held.over.set()
    threads.stop(10)
    assert threads._running == 0
