"""Calls to Redis: in order by one thread, without blocking the callers, dropped while Redis is down."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from runtime import redis_calls
from runtime.redis_calls import RedisCalls
from tests.runtime.support import python, together, until


def test_calls_are_made_in_order_by_one_thread() -> None:
    ours, seen = RedisCalls(), list[tuple[int, str]]()
    for n in range(50):
        ours.submit(lambda n=n: seen.append((n, threading.current_thread().name)))  # type: ignore[misc]
    until(lambda: len(seen) == 50)
    assert [n for n, _ in seen] == list(range(50))
    assert len({name for _, name in seen}) == 1


def test_one_thread_serves_all_who_call_at_once() -> None:
    ours, threads = RedisCalls(), list[threading.Thread]()

    def call(_: int) -> None:
        for _ in range(20):
            ours.submit(lambda: threads.append(threading.current_thread()))

    together(8, call)
    until(lambda: len(threads) == 160)
    assert len(set(threads)) == 1


def test_after_a_failure_those_that_waited_behind_it_are_dropped_and_the_next_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redis_calls, "REST_SECONDS", 60.0)
    ours, thaw, seen = RedisCalls(), threading.Event(), list[str]()

    def fail() -> None:
        thaw.wait(60)
        raise ConnectionError("Redis is away")

    ours.submit(fail)
    ours.submit(lambda: seen.append("behind"))
    thaw.set()
    until(lambda: ours._streak._failures == 2)
    ours._rests_until = 0.0
    ours.submit(lambda: seen.append("next"))
    until(lambda: seen == ["next"])


@pytest.mark.long
def test_a_short_command_ends_when_its_calls_have_been_made() -> None:
    done = python(
        "import threading; from runtime.redis_calls import CALLS\n"
        "for n in range(3): CALLS.submit(lambda: (threading.Event().wait(0.1), print('told', flush=True)))"
    )
    assert (done.stdout, done.stderr) == ("told\n" * 3, "")


@pytest.mark.long
def test_a_fork_has_a_thread_of_its_own() -> None:
    done = python(
        "import os, threading; from runtime.redis_calls import CALLS\n"
        "told = threading.Event(); CALLS.submit(told.set); told.wait(30)\n"
        "pid = os.fork()\n"
        "told = threading.Event(); CALLS.submit(told.set)\n"
        "print(told.wait(30), flush=True)\n"
        "os.waitpid(pid, 0) if pid else os._exit(0)"
    )
    assert done.stdout == "True\nTrue\n", done.stderr


def test_a_muted_one_makes_none() -> None:
    ours = RedisCalls()
    ours.is_muted = True
    ours.submit(lambda: pytest.fail("made"))
    assert ours._process == os.getpid()
    assert not ours._thread._threads


# What the outbox says


@pytest.fixture
def hint_to(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Callable[[str], None]:
    """Send one hint of the outbox to the broker at an address; return when the thread is done with it."""
    from config.celery import app
    from runtime.work import jobs, outbox

    def send(url: str) -> None:
        ours, after = RedisCalls(), threading.Event()
        monkeypatch.setattr(redis_calls, "REST_SECONDS", 0.0)
        monkeypatch.setattr(jobs, "CALLS", ours)
        settings.REDIS_URL = url
        monkeypatch.setattr(app.conf, "broker_write_url", url)
        jobs._get_connection.cache_clear()
        try:
            outbox.queue_delivery(1, queue="default")
            ours.submit(after.set)
            assert after.wait(30), "the thread never came back"
        finally:
            jobs._get_connection.cache_clear()

    return send


@pytest.mark.slow
def test_a_broker_that_is_frozen_holds_the_thread_for_seconds_and_not_for_ever(
    hint_to: Callable[[str], None],
) -> None:
    """A worker waits for its broker as long as necessary; a process that only sends a hint does not."""
    import socket

    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        hint_to(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")


def test_a_broker_that_is_gone_is_given_up_at_once(hint_to: Callable[[str], None]) -> None:
    from tests.services import free_port

    hint_to(f"redis://127.0.0.1:{free_port()}/0")


@pytest.mark.services
def test_a_hint_reaches_its_queue(hint_to: Callable[[str], None], apart: object) -> None:
    import json

    import redis

    url = apart.env["REDIS_URL"]  # type: ignore[attr-defined]
    for _ in range(3):
        hint_to(url)
    messages = redis.Redis.from_url(url).lrange("default", 0, -1)
    assert len(messages) == 3
    assert json.loads(messages[0])["headers"]["task"] == "runtime.deliver"
