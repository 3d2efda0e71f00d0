"""A cache that may vanish: pages go on, limits still limit, and a frozen Redis costs one short wait."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime import cache as forgiving
from runtime.cache import ForgivingRedisCache
from tests.runtime.support import together, until
from tests.services import free_port


def the_cache(port: int) -> ForgivingRedisCache:
    """As settings make it."""
    options = {"socket_timeout": 1, "socket_connect_timeout": 1}
    return ForgivingRedisCache(f"redis://127.0.0.1:{port}/0", {"OPTIONS": options, "KEY_PREFIX": "tests"})


@pytest.fixture(autouse=True)
def _rested() -> None:
    forgiving._resting_until.clear()


@pytest.fixture
def frozen() -> Iterator[Frozen]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        listener.setblocking(False)
        yield Frozen(listener)


class Frozen:
    """A Redis server that accepts connections and does not answer; it counts its connections."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener, self.port = listener, listener.getsockname()[1]
        self._callers: list[socket.socket] = []

    @property
    def callers(self) -> int:
        with contextlib.suppress(BlockingIOError):
            while True:
                self._callers.append(self.listener.accept()[0])
        return len(self._callers)


def use_all(ours: ForgivingRedisCache) -> None:
    ours.clear()
    assert ours.get("a") is None
    assert ours.get("a", 5) == 5
    assert ours.add("a", 1)
    assert not ours.add("a", 2)
    assert ours.get("a") == 1
    assert ours.incr("a") == 2
    assert ours.decr("a") == 1
    assert ours.has_key("a")
    assert "a" in ours
    assert ours.touch("a", 60)
    ours.set("b", [1, "x", None])
    assert ours.get_many(["a", "b", "c"]) == {"a": 1, "b": [1, "x", None]}
    assert ours.set_many({"c": 3}) == []
    assert ours.get_or_set("d", 4) == 4
    ours.delete_many(["a", "b"])
    assert ours.delete("c")
    assert ours.get_many(["a", "b", "c", "d"]) == {"d": 4}
    with pytest.raises(ValueError, match="nothing"):
        ours.incr("nothing")


def test_without_a_server_this_process_remembers() -> None:
    use_all(the_cache(free_port()))


@pytest.mark.long
def test_a_frozen_server_costs_one_wait_and_not_one_a_request(frozen: Frozen) -> None:
    ours = the_cache(frozen.port)
    use_all(ours)
    assert frozen.callers == 1


@pytest.mark.long
def test_a_frozen_server_costs_one_wait_for_all_threads_together(frozen: Frozen) -> None:
    """Django makes a cache for each thread; what one has learned, the others need not."""
    the_cache(frozen.port).get("a")
    together(4, lambda _: the_cache(frozen.port).get("a"))
    assert frozen.callers == 1


def test_limits_count_across_threads_while_the_server_is_away() -> None:
    port = free_port()
    the_cache(port).clear()
    the_cache(port).set("hits", 0)
    together(8, lambda _: [the_cache(port).incr("hits") for _ in range(25)])
    assert the_cache(port).get("hits") == 200


def test_the_server_is_asked_again_after_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    asked = []

    def count() -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            asked.append(caller)
            caller.close()

    threading.Thread(target=count, daemon=True).start()
    clock = [1000.0]
    monkeypatch.setattr(forgiving.time, "monotonic", lambda: clock[0])
    ours = the_cache(listener.getsockname()[1])
    try:
        ours.get("a")
        first = len(asked)
        assert first >= 1
        clock[0] += forgiving.REST_SECONDS - 0.1
        ours.get("a")
        assert len(asked) == first
        clock[0] += 0.2
        ours.get("a")
        assert len(asked) > first
    finally:
        listener.close()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Any]:
    port = free_port()

    def start() -> subprocess.Popen[bytes]:
        command = [
            "redis-server",
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(tmp_path),
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until(lambda: _listens(port))
        started.append(process)
        return process

    started: list[subprocess.Popen[bytes]] = []
    yield port, start
    for process in started:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.services
def test_redis_is_used_while_it_answers_and_again_when_it_is_back(
    redis_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import redis

    monkeypatch.setattr(forgiving, "REST_SECONDS", 0.2)
    port, start = redis_server
    process = start()
    use_all(the_cache(port))
    ours = the_cache(port)
    ours.set("a", "kept by redis")
    assert redis.Redis(port=port).keys("tests:*")

    process.kill()
    process.wait()
    assert ours.get("a") is None
    ours.set("a", "kept nearby")
    assert ours.get("a") == "kept nearby"

    process = start()
    time.sleep(0.3)
    ours.set("a", "kept by redis again")
    assert redis.Redis(port=port).exists("tests:1:a")

    process.send_signal(signal.SIGSTOP)
    try:
        assert ours.get("a") == "kept nearby"
    finally:
        process.send_signal(signal.SIGCONT)
    time.sleep(0.3)
    assert ours.get("a") == "kept by redis again"
