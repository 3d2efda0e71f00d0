"""A worker whose loop fails though nobody ended it, as Celery's does where Redis goes at a bad moment, begins again by itself."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.runtime.support import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.premises import Premises, Program

pytestmark = [pytest.mark.slow, pytest.mark.services, pytest.mark.share]

CHILDREN = "2"


def children(program: Program) -> set[int]:
    """Return who was begun by this process and lives."""
    pid = program.process.pid
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return {int(one) for one in file.read().split()}


@pytest.fixture
def worker(apart: Premises, tmp_path: Path) -> Program:
    return apart.start(
        "serve",
        "worker",
        "--queues",
        "clocks,default,slow",
        FALLS=str(tmp_path / "falls"),
        WORKER_CONCURRENCY=CHILDREN,
    )


def test_a_worker_that_fails_begins_again_and_works_on(
    apart: Premises, worker: Program, tmp_path: Path
) -> None:
    apart.start("serve", "beat")
    apart.put_work(3, name="before")
    until(lambda: apart.left() == 0)
    before = children(worker)

    (tmp_path / "falls").touch()
    until(lambda: "worker.begun_again" in worker.text)
    apart.put_work(3, name="after")
    until(lambda: apart.left() == 0)

    assert apart.effects() == 6
    assert worker.process.poll() is None
    until(lambda: len(children(worker)) == len(before))
    assert not before & children(worker)


def test_a_worker_that_is_told_to_end_ends(apart: Premises, worker: Program) -> None:
    apart.start("serve", "beat")
    apart.put_work(1)
    until(lambda: apart.left() == 0)
    os.kill(worker.process.pid, signal.SIGTERM)

    assert worker.wait(30) == 0
    assert "worker.begun_again" not in worker.text
