"""Admission: few requests compute at once, many may wait, and each of them gets its turn."""

from __future__ import annotations

import asyncio
import threading
import time
from functools import partial

import pytest

from config.front import admission
from config.front.admission import Admission
from runtime import transactions


def most_at_once(calls: int, *, seconds: float, threads: int = 8, at_once: int = 2) -> int:
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
        gate = Admission(threads, at_once=at_once)
        await asyncio.gather(*(gate.run(work) for _ in range(calls)))
        assert gate.inside == 0
        gate.close()

    asyncio.run(all_of_them())
    return most


def test_quick_ones_pass_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOMENT_SECONDS", 5.0)

    assert most_at_once(12, seconds=0.01) == 2


@pytest.mark.long
def test_those_who_wait_for_something_else_let_others_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOMENT_SECONDS", 0.02)

    assert most_at_once(8, seconds=0.4) > 4


def test_one_that_waits_for_sqlite_lets_the_next_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOMENT_SECONDS", 5.0)
    goes_on = threading.Event()

    def wait() -> None:
        notice = transactions.LIMIT.on_wait
        assert notice is not None
        notice()
        assert goes_on.wait(10)

    async def both() -> None:
        gate = Admission(4, at_once=1)
        waiting = asyncio.create_task(gate.run(wait))
        # Without the notice it would not begin before the other is done.
        await asyncio.wait_for(gate.run(goes_on.set), 10)
        await waiting
        assert gate.inside == 0
        gate.close()

    asyncio.run(both())
    assert transactions.LIMIT.on_wait is None


def test_those_with_less_patience_start_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOMENT_SECONDS", 60.0)
    begun: list[str] = []
    may_end = threading.Event()

    async def line_up() -> None:
        gate = Admission(4, at_once=1)
        runs = [asyncio.create_task(gate.run(may_end.wait))]
        for name, patience in (("page", 60.0), ("page 2", 60.0), ("act", 0.0), ("form", 30.0)):
            runs.append(asyncio.create_task(gate.run(partial(begun.append, name), patience=patience)))
            await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*runs)
        gate.close()

    asyncio.run(line_up())
    assert begun == ["act", "form", "page", "page 2"]


def test_a_page_that_has_waited_long_is_passed_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOMENT_SECONDS", 60.0)
    begun: list[str] = []
    may_end = threading.Event()

    async def line_up() -> None:
        gate = Admission(4, at_once=1)
        runs = [asyncio.create_task(gate.run(may_end.wait))]
        await asyncio.sleep(0)
        runs.append(asyncio.create_task(gate.run(partial(begun.append, "page"), patience=0.01)))
        await asyncio.sleep(0.02)
        runs.append(asyncio.create_task(gate.run(partial(begun.append, "act"))))
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*runs)
        gate.close()

    asyncio.run(line_up())
    assert begun == ["page", "act"]


def test_there_are_never_more_than_there_are_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOMENT_SECONDS", 0.001)

    assert most_at_once(12, seconds=0.05, threads=3) == 3


def test_a_failing_call_gives_its_turn_back() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def fail_often() -> list[object]:
        gate = Admission(2, at_once=1)
        found = await asyncio.gather(*(gate.run(fail) for _ in range(5)), return_exceptions=True)
        assert gate.inside == 0
        assert await gate.run(lambda: 7) == 7
        return list(found)

    assert [type(error) for error in asyncio.run(fail_often())] == [ValueError] * 5


def test_one_who_leaves_the_line_does_not_block_it() -> None:
    async def leave() -> int:
        gate = Admission(4, at_once=1)
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
