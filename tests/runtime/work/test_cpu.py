"""Sums that leave the process which serves the pages."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

import pytest

from runtime.work import cpu
from tests.runtime.support import ROOT, clean_environment, until


@pytest.fixture
def _shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cpu, "_is_shared", False)
    cpu.enable_pools()
    yield
    cpu.close()


def niceness() -> int:
    return os.nice(0)


def test_in_a_worker_of_its_own_it_is_a_plain_call() -> None:
    assert cpu.run(os.getpid) == os.getpid()
    assert cpu.run(int, "ff", base=16) == 255
    with pytest.raises(ZeroDivisionError):
        cpu.run(divmod, 1, 0)


@pytest.mark.usefixtures("_shared")
def test_where_pages_are_served_it_runs_elsewhere_and_politely() -> None:
    assert cpu.run(os.getpid) != os.getpid()
    assert cpu.run(os.nice, 0) == min(19, niceness() + cpu.NICENESS)
    assert cpu.run(int, "ff", base=16) == 255
    with pytest.raises(ZeroDivisionError):
        cpu.run(divmod, 1, 0)
    assert cpu.run(math.isqrt, 81) == 9, "an exception of one sum ends no other"

    # A child that the system kills (memory) fails its own sum and no later one.
    with pytest.raises(BrokenProcessPool):
        cpu.run(os._exit, 1)
    assert cpu.run(math.isqrt, 81) == 9


@pytest.mark.usefixtures("_shared")
def test_what_nobody_waits_for_holds_up_no_other_sum() -> None:
    child = cpu.run_in_background(os.getpid)
    assert cpu.run_in_background(os.nice, 0) == min(19, niceness() + cpu.BACKGROUND_NICENESS)
    ended = threading.Event()

    def sleep_long() -> None:
        with suppress(BrokenProcessPool, CancelledError):
            cpu.run_in_background(time.sleep, 60)
        ended.set()

    threading.Thread(target=sleep_long, daemon=True).start()
    until(lambda: len(cpu._BACKGROUND.executor._pending_work_items) == 1)  # type: ignore[union-attr]
    # Each on its own process: this answer would come after a minute.
    assert child not in {os.getpid(), cpu.run(os.getpid)}
    assert not ended.is_set()
    cpu.close()
    assert ended.wait(30)


@pytest.mark.usefixtures("_shared")
def test_closing_ends_running_sums_and_their_callers_are_told() -> None:
    child = cpu.run(os.getpid)
    errors: list[BaseException] = []

    def wait_long() -> None:
        try:
            cpu.run(time.sleep, 60)
        except (BrokenProcessPool, CancelledError) as error:
            errors.append(error)

    callers = [threading.Thread(target=wait_long) for _ in range(3)]
    for caller in callers:
        caller.start()
    pool = cpu._SUMS.executor
    assert pool is not None
    until(lambda: len(pool._pending_work_items) == 3)
    cpu.close()
    for caller in callers:
        caller.join(30)
    assert len(errors) == 3
    until(lambda: not _is_running(child))
    cpu.close()


def test_when_the_server_is_killed_no_sum_goes_on_without_it() -> None:
    code = (
        "import os, threading, time\n"
        "from runtime.work import cpu\n"
        "if __name__ == '__main__':\n"
        "    cpu.enable_pools()\n"
        "    print(cpu.run(os.getpid), flush=True)\n"
        "    cpu.run(time.sleep, 60)\n"
    )
    script = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=clean_environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        child = int(script.stdout.readline())
        assert _is_running(child)
        script.send_signal(signal.SIGKILL)
        script.wait(5)
        until(lambda: not _is_running(child), within=5)
    finally:
        script.kill()
        script.stdout.close()  # type: ignore[union-attr]


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
