"""The broker inside one process: it sleeps, and every message wakes it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from kombu import Connection

from runtime.work import local_broker
from tests.runtime.support import together

if TYPE_CHECKING:
    from collections.abc import Iterator

MESSAGES = 200


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    monkeypatch.setattr(local_broker.Channel, "queues", {})
    with Connection(f"{local_broker.SCHEME}://localhost/") as found:
        yield found


def test_no_message_is_missed_whoever_puts_it_and_whenever(broker: Connection) -> None:
    heard: list[int] = []
    enough = threading.Event()

    def listen() -> None:
        with broker.Consumer(broker.SimpleQueue("a").queue, callbacks=[take], accept=["json"]):
            while len(heard) < MESSAGES:
                broker.drain_events(timeout=20)
        enough.set()

    def take(body: dict[str, int], message: object) -> None:
        heard.append(body["n"])
        message.ack()  # type: ignore[attr-defined]

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()

    def put(place: int) -> None:
        with Connection(f"{local_broker.SCHEME}://localhost/") as own:
            queue = own.SimpleQueue("a")
            for number in range(place, MESSAGES, 4):
                queue.put({"n": number})

    together(4, put)
    assert enough.wait(20)
    assert sorted(heard) == list(range(MESSAGES))


def test_while_nothing_comes_it_looks_once(broker: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    look = local_broker.Channel._get

    def count(self: local_broker.Channel, queue: str, timeout: float | None = None) -> object:
        looks.append(queue)
        return look(self, queue, timeout)

    monkeypatch.setattr(local_broker.Channel, "_get", count)
    with broker.Consumer(broker.SimpleQueue("a").queue), pytest.raises(TimeoutError):
        broker.drain_events(timeout=0.3)
    assert looks == ["a"]
