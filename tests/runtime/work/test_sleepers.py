"""Servers that sleep until something falls due, killed before, at and after that moment: it is done, and done once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.matches.test_crash import flags_fell_once, say
from tests.runtime.premises import Premises, Program
from tests.runtime.support import until

pytestmark = pytest.mark.slow

KILLS = 8
# What falls due, over how long: kills come between, about one for every three.
WORK, SECONDS = 24, 24.0
FLAGS, CLOCK_SECONDS = 4, 12


def due_once(place: Premises, flags: list[str]) -> None:
    """Everything that fell due has been done, each once; what was done twice would have been counted twice."""
    until(lambda: place.left() == 0)
    assert place.effects() == WORK
    emails = place.emails()
    assert set(emails) == {f"mail {n}" for n in range(6)}
    flags_fell_once(flags)
    assert early(place) == []
    verified = place.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def early(place: Premises) -> list[str]:
    """The keys of the work that was done before it was due."""
    rows = place.rows().filter(done_at__isnull=False)
    return [key for key, done, due in rows.values_list("dedupe_key", "done_at", "due_at") if done < due]


def kill_now_and_then(kill: Callable[[], Any]) -> None:
    """Kill at moments that nothing announces."""
    rng = random.Random(KILLS)
    for _ in range(KILLS):
        time.sleep(rng.uniform(0.2, 2 * SECONDS / KILLS - 2))
        kill()


@pytest.mark.share
def test_a_sleeping_server_killed_again_and_again_does_once_what_falls_due(premises: Premises) -> None:
    running = [premises.open()]
    premises.put_emails(6)
    premises.put_work(WORK, later=SECONDS)
    flags = say(premises, "tests.matches.unattended", str(FLAGS), str(CLOCK_SECONDS))

    def kill() -> None:
        running.pop().kill()
        running.append(premises.open())

    kill_now_and_then(kill)
    due_once(premises, flags)
    assert Counter(premises.emails()) == {f"mail {n}": 1 for n in range(6)}


PARTS = {
    "web": ("serve", "web", "--processes", "2"),
    "worker": ("worker",),
    "beat": ("beat",),
}


@pytest.mark.services
@pytest.mark.parametrize("victim", [*PARTS, "redis"])
def test_sleeping_servers_killed_one_by_one_do_once_what_falls_due(apart: Premises, victim: str) -> None:
    def start(part: str) -> Program:
        return apart.open(*PARTS[part]) if part == "web" else apart.start(*PARTS[part])

    running = {part: start(part) for part in PARTS}
    apart.put_emails(6)
    apart.put_work(WORK, later=SECONDS)
    flags = say(apart, "tests.matches.unattended", str(FLAGS), str(CLOCK_SECONDS))

    def kill() -> None:
        if victim == "redis":
            apart.redis.kill()
            apart.redis.wait()
            apart.redis = subprocess.Popen(apart.redis.args, stdout=subprocess.DEVNULL)
        else:
            kill_with_its_children(running[victim])
            running[victim] = start(victim)

    kill_now_and_then(kill)
    due_once(apart, flags)


def kill_with_its_children(program: Program) -> None:
    os.killpg(program.process.pid, signal.SIGKILL)
    program.process.wait(10)
