"""The thread that carries hints: nobody waits for it, and nothing stops it."""

from __future__ import annotations

import threading

import pytest
import structlog

from runtime.work import messenger
from runtime.work.messenger import Messenger
from tests.runtime.support import until


def test_calls_are_made_one_after_the_other_elsewhere() -> None:
    ours = Messenger()
    seen: list[tuple[int, str]] = []
    for n in range(50):
        ours.say(lambda n=n: seen.append((n, threading.current_thread().name)))  # type: ignore[misc]
    until(lambda: len(seen) == 50)
    assert seen == [(n, "messenger") for n in range(50)]


def test_a_call_that_fails_does_not_end_it() -> None:
    ours = Messenger()
    seen: list[int] = []
    ours.say(lambda: 1 / 0)
    ours.say(lambda: seen.append(1))
    until(lambda: seen)


def test_nobody_waits_for_a_broker_that_hangs_and_what_cannot_be_held_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(messenger, "CAPACITY", 10)
    ours = Messenger()
    thaw, hung, seen = threading.Event(), threading.Event(), []
    with structlog.testing.capture_logs() as told:
        ours.say(lambda: (thaw.wait(60), hung.set()))
        until(lambda: ours._calls.empty())
        for n in range(1000):
            ours.say(lambda n=n: seen.append(n))  # type: ignore[misc]
        assert not hung.is_set()
        thaw.set()
        # One line when it was full and one when it had caught up, not one for each of the 990.
        until(lambda: len(told) > 1)
    assert [line["event"] for line in told] == ["messenger.full", "messenger.caught_up"]
    assert told[1]["forgotten"] == 990
    assert seen == list(range(10))
    ours.say(lambda: seen.append(99))
    until(lambda: seen[-1] == 99)


def test_one_thread_serves_all_who_speak_at_once() -> None:
    from tests.runtime.support import together

    ours = Messenger()
    names: list[threading.Thread] = []
    together(8, lambda _: [ours.say(lambda: names.append(threading.current_thread())) for _ in range(20)])
    until(lambda: len(names) == 160)
    assert len(set(names)) == 1


@pytest.mark.long
def test_a_short_command_ends_when_its_hints_have_gone_out() -> None:
    """The thread would die with the process, whatever it had taken up."""
    import subprocess
    import sys

    command = (
        "import threading; from runtime.work.messenger import MESSENGER\n"
        "for n in range(3): MESSENGER.say(lambda: (threading.Event().wait(0.1), print('told', flush=True)))"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("told\n" * 3, "")


def test_nobody_waits_for_ever_for_the_last_hint() -> None:
    ours, thaw = Messenger(), threading.Event()
    ours.say(thaw.wait)
    assert not ours.finish(0.05)
    thaw.set()
    assert ours.finish(10)


def test_a_muted_one_says_nothing() -> None:
    ours = Messenger()
    ours.is_muted = True
    ours.say(lambda: pytest.fail("spoken"))
    assert ours._calls.empty()


def hint_to(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send one hint of the outbox by way of the broker at *url*; return when the messenger is done with it."""
    from config.celery import app
    from runtime.work import broker

    ours = Messenger()
    monkeypatch.setattr(broker, "MESSENGER", ours)
    monkeypatch.setattr(app.conf, "broker_write_url", url)
    broker._connection.cache_clear()
    after = threading.Event()
    try:
        broker.hint("runtime.deliver", queue="default", outbox_id=1)
        ours.say(after.set)
        assert after.wait(30), "the messenger never came back"
    finally:
        broker._connection.cache_clear()


def test_in_one_process_the_hint_lies_where_the_worker_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    from kombu.transport.memory import Channel

    monkeypatch.setattr(Channel, "queues", {})
    hint_to("memory://localhost/", monkeypatch)
    assert Channel.queues["default"].qsize() == 1


@pytest.mark.slow
def test_a_broker_that_is_frozen_holds_the_messenger_for_seconds_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A worker waits for its broker as long as it takes; who only leaves a hint does not."""
    import socket

    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        hint_to(f"redis://127.0.0.1:{listener.getsockname()[1]}/0", monkeypatch)


def test_a_broker_that_is_gone_is_given_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.runtime.support import free_port

    hint_to(f"redis://127.0.0.1:{free_port()}/0", monkeypatch)


@pytest.mark.services
def test_a_hint_reaches_its_queue(monkeypatch: pytest.MonkeyPatch, apart: object) -> None:
    import json

    import redis

    url = apart.env["REDIS_URL"]  # type: ignore[attr-defined]
    for _ in range(3):
        hint_to(url, monkeypatch)
    messages = redis.Redis.from_url(url).lrange("default", 0, -1)
    assert len(messages) == 3
    assert json.loads(messages[0])["headers"]["task"] == "runtime.deliver"
