"""The installation of `bench.weekend`: its processes, what they use, and the faults that befall them."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from bench import installations
from tests import services
from tests.attack import besieged

LONGEST_START: Final = 120.0
REDIS_AWAY: Final = 10.0
# How long a process is stopped that is not killed: long enough that its heart is missed.
FROZEN: Final = 5.0
ASLEEP: Final = 30.0
DISK_FULL: Final = 8.0
DISK: Final = 400 << 20
QUEUE: Final = re.compile(r'^barpoint_queue_length\{queue="(\w+)"\} (\d+)$', re.MULTILINE)
OLDEST: Final = re.compile(r"^barpoint_outbox_oldest_seconds ([\d.]+)$", re.MULTILINE)

# Run inside the installation: prints by kind of job the seconds from the moment each was due until it was done.
WAITS: Final = """
import json
from collections import defaultdict
from runtime.models import Outbox
waits = defaultdict(list)
for kind, due, done in Outbox.objects.exclude(done_at=None).values_list("kind", "due_at", "done_at"):
    waits[kind].append((done - due).total_seconds())
print("FOUND " + json.dumps(waits))
"""


class Written(NamedTuple):
    """The writes of PostgreSQL so far: bytes of its log, and rows."""

    size: int
    rows: int


class Site:
    """An installation of one process or of several, each of which can be killed and started again."""

    def __init__(
        self,
        env: dict[str, str],
        roles: dict[str, list[str]],
        folder: Path,
        log: Path,
        folders: dict[str, Path],
    ) -> None:
        self.env = env
        self.roles = roles
        self.url = f"http://127.0.0.1:{env['PORT']}"
        self.folder = folder
        # Of roles that another release plays: the folder of its code.
        self._folders = folders
        self._log = log.open("wb")
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.others: list[subprocess.Popen[bytes]] = []
        # CPU seconds of processes that are gone.
        self._used: dict[str, float] = defaultdict(float)

    def start(self, role: str) -> None:
        self._running[role] = subprocess.Popen(
            self.roles[role],
            cwd=self._folders.get(role, installations.ROOT),
            env=self.env,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def open(self) -> None:
        """Start all processes, and wait for the first answer."""
        for role in self.roles:
            self.start(role)
        until = time.monotonic() + LONGEST_START
        while not self.answers():
            if time.monotonic() > until:
                raise SystemExit("the site does not answer")
            time.sleep(0.2)

    def answers(self) -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
        return False

    def kill(self, role: str) -> None:
        """Kill a process with its children."""
        process = self._running[role]
        self._used[role] += besieged.cpu_of_trees([process.pid])
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)

    def freeze(self, roles: list[str], seconds: float) -> None:
        """Suspend the processes, as when a machine sleeps or swaps."""
        groups = [self._running[role].pid for role in roles]
        try:
            for group in groups:
                os.killpg(group, signal.SIGSTOP)
            time.sleep(seconds)
        finally:
            for group in groups:
                os.killpg(group, signal.SIGCONT)

    def count_cpu(self) -> dict[str, float]:
        """Return the CPU seconds so far, by role."""
        return {
            role: self._used[role] + besieged.cpu_of_trees([process.pid])
            for role, process in self._running.items()
        }

    def count_memory(self) -> dict[str, float]:
        """Return the megabytes in memory, by role."""
        return {
            role: besieged.memory_of_trees([process.pid]) / 1e6 for role, process in self._running.items()
        }

    def count_written(self) -> Written:
        """Read from PostgreSQL how much it has written since its statistics began."""
        import psycopg

        with psycopg.connect(self.env["DATABASE_URL"]) as connection:
            found = connection.execute(
                "SELECT pg_current_wal_lsn() - '0/0', sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables"
            ).fetchone()
        assert found is not None
        return Written(int(found[0]), int(found[1]))

    def close(self) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()
        for process in self.others:
            process.kill()
            process.wait()
        self._log.close()


def find_waits(site: Site) -> dict[str, list[float]]:
    """Return by kind of job how long after it was due each was done; of one asked for again, its last run."""
    waits: dict[str, list[float]] = json.loads(installations.run_inside(site.env, WAITS))
    return waits


@contextlib.contextmanager
def opened(with_services: bool, folder: Path, log: Path, beside: Path | None = None) -> Iterator[Site]:
    """Start an installation, with PostgreSQL and Redis or without; its processes write to *log*.

    *beside*: the folder of another release, whose worker runs beside ours.
    """
    env = {
        **os.environ, "DATA_DIR": str(folder / "data"), "LOG_LEVEL": "WARNING", "TRUSTED_PROXIES": "0",
        "CONNECTIONS_PER_ADDRESS": "20000", "STREAMS_PER_ADDRESS": "20000", "PORT": str(services.free_port()),
        "DATABASE_URL": "", "REDIS_URL": "", "PUBLIC_URL": "http://club.example.test",
    }  # fmt: skip
    roles, folders = {"web": installations.EMBEDDED}, {}
    with contextlib.ExitStack() as stack:
        if with_services:
            both = stack.enter_context(services.both())
            env |= {
                "DATABASE_URL": both["DATABASE_URL"],
                "REDIS_URL": both["REDIS_URL"],
                "WEB_PROCESSES": "2",
            }
            schedule = [*installations.BEAT, "--schedule", str(folder / "beat")]
            roles = {"web": installations.WEB_ALONE, "worker": installations.WORKER, "beat": schedule}
            if beside is not None:
                roles["older worker"], folders["older worker"] = installations.WORKER, beside
        else:
            stack.enter_context(_own_disk(Path(env["DATA_DIR"])))
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=installations.ROOT,
            env=env,
            check=True,
            stderr=subprocess.DEVNULL,
        )
        site = Site(env, roles, folder, log, folders)
        stack.callback(site.close)
        site.open()
        yield site


@contextlib.contextmanager
def _own_disk(folder: Path) -> Iterator[None]:
    """Mount a small tmpfs at the folder, if permitted, so that a full disk can be simulated."""
    folder.mkdir(mode=0o700)
    options = f"size={DISK},mode=700,uid={os.getuid()}"
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, check=False)
    try:
        yield
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)


def break_things(site: Site, over: threading.Event, pause: float, done: list[str]) -> None:
    """Cause each fault in turn: processes die and freeze, servers stop, the disk is full."""
    faults: list[tuple[str, Callable[[], None]]] = []
    for role in site.roles:
        faults += [
            (f"{role} killed", functools.partial(_kill_and_start, site, role)),
            (f"{role} frozen", functools.partial(site.freeze, [role], FROZEN)),
        ]
    if site.env["DATABASE_URL"]:
        faults += [
            ("PostgreSQL restarted", functools.partial(_restart_postgresql, site)),
            ("Redis away", functools.partial(_take_redis_away, site, over)),
            ("Redis frozen", functools.partial(_freeze_redis, site)),
        ]
    elif os.path.ismount(site.env["DATA_DIR"]):
        faults.append(("disk full", functools.partial(_fill_disk, site, over)))
    faults.append(("everything asleep", functools.partial(site.freeze, list(site.roles), ASLEEP)))
    for name, fault in itertools.cycle(faults):
        if over.wait(pause):
            return
        fault()
        done.append(name)


def _kill_and_start(site: Site, role: str) -> None:
    site.kill(role)
    site.start(role)


def _restart_postgresql(site: Site) -> None:
    import psycopg

    with psycopg.connect(site.env["DATABASE_URL"]) as connection:
        found = connection.execute("SHOW data_directory").fetchone()
    assert found is not None
    services.restart_at_once(Path(found[0]).parent)


def _find_redis(site: Site) -> int:
    import redis

    return int(redis.Redis.from_url(site.env["REDIS_URL"]).info()["process_id"])


def _freeze_redis(site: Site) -> None:
    pid = _find_redis(site)
    try:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(FROZEN)
    finally:
        os.kill(pid, signal.SIGCONT)


def _take_redis_away(site: Site, over: threading.Event) -> None:
    os.kill(_find_redis(site), signal.SIGKILL)
    over.wait(REDIS_AWAY)
    port = urlsplit(site.env["REDIS_URL"]).port
    folder = tempfile.mkdtemp(prefix="redis-", dir=site.folder)
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
    site.others.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))


def _fill_disk(site: Site, over: threading.Event) -> None:
    filler = Path(site.env["DATA_DIR"]) / "filler"
    try:
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * (1 << 16))
        over.wait(DISK_FULL)
    finally:
        filler.unlink(missing_ok=True)


class Queues(threading.Thread):
    """Reads every second how long each queue is, and how old its oldest work."""

    def __init__(self, site: Site) -> None:
        super().__init__(name="queues", daemon=True)
        self._site = site
        self._over = threading.Event()
        self.lengths: dict[str, list[float]] = {}
        self.oldest: list[float] = []

    def run(self) -> None:
        while not self._over.wait(1.0):
            self.read()

    def read(self) -> None:
        """Read the figures once; nothing is read from a site that does not answer."""
        try:
            with urllib.request.urlopen(f"{self._site.url}/metrics", timeout=5) as answer:
                text = answer.read().decode()
        except OSError:
            return
        for queue, length in QUEUE.findall(text):
            self.lengths.setdefault(queue, []).append(float(length))
        self.oldest += map(float, OLDEST.findall(text))

    def stop(self) -> None:
        self._over.set()
        self.join(10)
