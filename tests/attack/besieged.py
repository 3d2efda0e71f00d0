"""One web server under attack, and somebody elsewhere who goes on reading pages."""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Limits go by address, so the visitor has one of their own.
VISITOR = "127.0.0.2"
PAGE = "/clubs/"
PAUSE = 0.05


@dataclass
class Siege:
    """What an attack was answered, and what a visitor and the server saw of it."""

    outcomes: dict[int, int] = field(default_factory=dict)
    said: str = ""
    # Status and seconds of each page that was asked for meanwhile.
    visits: list[tuple[int, float]] = field(default_factory=list)
    most_memory: int = 0
    cpu_seconds: float = 0.0


def visit(port: int, path: str = PAGE) -> tuple[int, float]:
    """Ask for a page from another address than the attackers'; return the status, 0 for none, and how long it took."""
    began = time.perf_counter()
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(VISITOR, 0))
    try:
        caller.request("GET", path)
        answer = caller.getresponse()
        answer.read()
        return answer.status, time.perf_counter() - began
    except (OSError, http.client.HTTPException):
        return 0, time.perf_counter() - began
    finally:
        caller.close()


def besiege(name: str, *, port: int, pid: int, token: str, longest: float = math.inf) -> Siege:
    """Carry out the attack *name* in a process of its own, and visit the server until it is over.

    After *longest* seconds it is broken off; then nothing is known of what it was answered.
    """
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # the most memory is counted from here
    before, ends = cpu_of(pid), time.monotonic() + longest
    siege = Siege()
    command = [sys.executable, "-m", "tests.attack.attacks", name, str(port), token]
    attacker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while attacker.poll() is None and time.monotonic() < ends:
            siege.visits.append(visit(port))
            time.sleep(PAUSE)
    finally:
        attacker.kill()
        printed, siege.said = attacker.communicate()
    siege.outcomes = {int(outcome): count for outcome, count in json.loads(printed or "{}").items()}
    siege.most_memory, siege.cpu_seconds = most_memory_of(pid), cpu_of(pid) - before
    return siege


def connections_of(pid: int) -> int:
    """Return how many connections a process has open."""
    found = 0
    for each in Path(f"/proc/{pid}/fd").iterdir():
        # It may be closed meanwhile.
        with contextlib.suppress(OSError):
            found += str(each.readlink()).startswith("socket:")
    return found


def most_memory_of(pid: int) -> int:
    """Return the most bytes a process has had in memory since that was last reset."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
