"""One web server under attack, and a visitor elsewhere who goes on reading pages."""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.attack.client import Client

ROOT = Path(__file__).resolve().parent.parent.parent
# Rate limits count by address, so visitor, monitor and writer have separate ones.
VISITOR, MONITOR, WRITER = "127.0.0.2", "127.0.0.3", "127.0.0.4"
PAGE = "/clubs/"
PAUSE = 0.05
WRITE_PAUSE = 0.2
SAMPLE_PAUSE = 0.1
BAD_REQUEST = 400


@dataclass
class Siege:
    """The answers to an attack, and the measurements of visitors and server."""

    outcomes: dict[int, int] = field(default_factory=dict)
    said: str = ""
    # Status and seconds of each page that was requested in the meantime; of each /healthz; of each write.
    visits: list[tuple[int, float]] = field(default_factory=list)
    health: list[tuple[int, float]] = field(default_factory=list)
    writes: list[tuple[int, float]] = field(default_factory=list)
    # Of the web process alone, since it was last reset.
    most_memory: int = 0
    # Of all processes of the installation with their children, over what they had before the attack.
    memory_growth: int = 0
    cpu_seconds: float = 0.0
    disk_growth: int = 0
    secrets: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)

    @property
    def longest_wait(self) -> float:
        return max((seconds for _, seconds in (*self.visits, *self.health, *self.writes)), default=0.0)

    @property
    def is_refused(self) -> bool:
        """True if nothing the attack asked for was granted."""
        return all(status == 0 or status >= BAD_REQUEST for status in self.outcomes)


def visit(port: int, path: str = PAGE, *, source: str = VISITOR) -> tuple[int, float]:
    """Request a page from another address than the attackers'; return the status, 0 for none, and how long it
    took."""
    began = time.perf_counter()
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    try:
        caller.request("GET", path)
        answer = caller.getresponse()
        answer.read()
        return answer.status, time.perf_counter() - began
    except (OSError, http.client.HTTPException):
        return 0, time.perf_counter() - began
    finally:
        caller.close()


def besiege(
    name: str,
    *,
    port: int,
    pid: int,
    token: str,
    longest: float = math.inf,
    also: Sequence[int] = (),
    measure_disk: Callable[[], int] = lambda: 0,
    account: Client | None = None,
    calm_memory: int = 0,
) -> Siege:
    """Carry out the attack *name* in its own process, and visit the server until it is over.

    After *longest* seconds it is broken off; then nothing is known of what it was answered. *also*: further
    processes of the installation, besides that which answers. With an *account*, its writes are measured,
    too. *calm_memory*: what all of them have while only visitors come; without it, what they have at the
    beginning.
    """
    command = [sys.executable, "-m", "tests.attack.attacks", name, str(port), token]
    attacker = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if attacker.stdout.readline().strip() != "ready":
        return Siege(said=attacker.communicate()[1])
    siege, roots = Siege(), (pid, *also)
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # the most memory is counted from here
    cpu, disk, ends = cpu_of_trees(roots), measure_disk(), time.monotonic() + longest
    meter = MemoryMeter(roots, calm_memory)
    is_over = threading.Event()

    def repeat(found: list[tuple[int, float]], call: Callable[[], tuple[int, float]], pause: float) -> None:
        while not is_over.is_set():
            found.append(call())
            is_over.wait(pause)

    work = [
        (siege.visits, lambda: visit(port), PAUSE),
        (siege.health, lambda: visit(port, "/healthz", source=MONITOR), PAUSE),
    ]
    if account is not None:
        work.append((siege.writes, lambda: write(account), WRITE_PAUSE))
    threads = [threading.Thread(target=repeat, args=each, daemon=True) for each in work]
    printed = ""
    try:
        for thread in (*threads, meter):
            thread.start()
        try:
            printed, siege.said = attacker.communicate(
                "go\n", timeout=max(0.0, ends - time.monotonic()) if longest < math.inf else None
            )
        except subprocess.TimeoutExpired:
            attacker.kill()
            printed, siege.said = attacker.communicate()
    finally:
        attacker.kill()
        is_over.set()
        # Visits that were begun during the attack are waited for.
        for thread in threads:
            thread.join()
        siege.memory_growth = meter.stop()
    report = json.loads(printed or '{"outcomes": {}}')
    siege.outcomes = {int(outcome): count for outcome, count in report["outcomes"].items()}
    siege.secrets, siege.leaked = report.get("secrets", []), report.get("leaked", [])
    siege.most_memory, siege.cpu_seconds = most_memory_of(pid), cpu_of_trees(roots) - cpu
    siege.disk_growth = measure_disk() - disk
    return siege


def write(account: Client) -> tuple[int, float]:
    """Save a setting of an account, as a small write of anybody's; return the status and how long it took."""
    began = time.perf_counter()
    status, _ = account.post_form("/settings/appearance/", theme="dark")
    return status, time.perf_counter() - began


class MemoryMeter(threading.Thread):
    """Samples how much memory some processes have with all their children; what they share is divided among them."""

    def __init__(self, roots: Sequence[int], before: int = 0) -> None:
        super().__init__(daemon=True)
        self._roots, self._is_over = roots, threading.Event()
        self.most = memory_of_trees(roots)
        self._before = max(before, self.most)

    def run(self) -> None:
        while not self._is_over.wait(SAMPLE_PAUSE):
            self.most = max(self.most, memory_of_trees(self._roots))

    def stop(self) -> int:
        """Return by how many bytes the memory has grown at most."""
        self._is_over.set()
        self.join()
        return max(0, self.most - self._before)


def tree(root: int) -> list[int]:
    """Return a process and its descendants."""
    found = [root]
    for pid in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def memory_of_trees(roots: Sequence[int]) -> int:
    return sum(_memory_of(pid) for root in roots for pid in tree(root))


def _memory_of(pid: int) -> int:
    # It may have ended in the meantime.
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def cpu_of_trees(roots: Sequence[int]) -> float:
    """Return the seconds of processor of processes, their descendants, and the children that have ended."""
    return sum(cpu_of(pid) for root in roots for pid in tree(root))


def connections_of(pid: int) -> int:
    """Count how many connections a process has open."""
    found = 0
    for each in Path(f"/proc/{pid}/fd").iterdir():
        # It may be closed in the meantime.
        with contextlib.suppress(OSError):
            found += str(each.readlink()).startswith("socket:")
    return found


def most_memory_of(pid: int) -> int:
    """Return the most bytes a process has had in memory since that was last reset."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def cpu_of(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        # Its own, and that of children that have ended.
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0
