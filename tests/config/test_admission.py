"""Admission: few requests compute at once, many may wait, and each of them gets its turn."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from config.front import bridge
from config.front.bridge import Admission


def most_at_once(calls: int, *, seconds: float, threads: int = 8) -> int:
    """Run *calls* that take *seconds* each and return how many were inside at the busiest moment."""
    inside, most, lock = 0, 0, threading.Lock()

    def work() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(seconds)
        with lock:
            inside -= 1

    async def all_of_them() -> None:
        gate = Admission(threads)
        await asyncio.gather(*(gate.run(work) for _ in range(calls)))
        assert gate.inside == 0
        gate.close()

    asyncio.run(all_of_them())
    return most


def test_quick_ones_pass_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOMENT_SECONDS", 5.0)

    assert most_at_once(12, seconds=0.01) == 2


@pytest.mark.long
def test_those_who_wait_for_something_else_let_others_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOMENT_SECONDS", 0.02)

    assert most_at_once(8, seconds=0.4) > 4


def test_there_are_never_more_than_there_are_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOMENT_SECONDS", 0.001)

    assert most_at_once(12, seconds=0.05, threads=3) == 3


def test_a_failing_call_gives_its_turn_back() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def fail_often() -> list[object]:
        gate = Admission(2)
        found = await asyncio.gather(*(gate.run(fail) for _ in range(5)), return_exceptions=True)
        assert gate.inside == 0
        assert await gate.run(lambda: 7) == 7
        return list(found)

    assert [type(error) for error in asyncio.run(fail_often())] == [ValueError] * 5


def test_one_who_leaves_the_line_does_not_block_it() -> None:
    async def leave() -> int:
        gate = Admission(4)
        first = asyncio.create_task(gate.run(lambda: time.sleep(0.03)))
        await asyncio.sleep(0.005)
        second = asyncio.create_task(gate.run(lambda: 2))
        third = asyncio.create_task(gate.run(lambda: 3))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        found = await third
        assert gate.inside == 0
        return found

    assert asyncio.run(leave()) == 3
