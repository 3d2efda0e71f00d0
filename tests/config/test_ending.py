"""The wish to end is never lost, whenever the signal comes."""

from __future__ import annotations

import os
import random
import select
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from config.process import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def ending() -> Iterator[Ending]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield Ending()
    os.close(signal.set_wakeup_fd(-1))
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_was_told_before_does_not_wait(ending: Ending, number: int) -> None:
    signal.raise_signal(number)
    assert ending.wait()


def test_nobody_is_told_by_time(ending: Ending) -> None:
    assert not ending.wait(0)


def test_a_signal_between_the_look_and_the_wait_ends_the_wait(
    ending: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = select.select

    def told_first(*arguments: Any) -> Any:
        signal.raise_signal(signal.SIGTERM)
        return really(*arguments)

    monkeypatch.setattr("config.process.select.select", told_first)
    assert ending.wait()


def test_another_signal_is_no_wish_to_end(ending: Ending) -> None:
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    signal.raise_signal(signal.SIGHUP)
    signal.signal(signal.SIGHUP, before)
    assert not ending.wait()
    assert not ending.wait(0)


def test_signals_at_any_moment_end_the_wait(ending: Ending) -> None:
    def fire() -> None:
        until = time.perf_counter() + random.random() * 0.0004
        while time.perf_counter() < until:
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    for _ in range(300):
        ending.is_asked = False
        thread = threading.Thread(target=fire, daemon=True)
        thread.start()
        while not ending.wait():
            pass
        thread.join()
