"""The cost of an installation while nothing happens, and during an event in which no player moves.

    python -m bench.idle [--seconds 30] [--only sqlite|services] [--also FOLDER]

Starts the servers as their users start them, on an empty club, and measures three things from outside: CPU
time and written bytes from /proc (`wrote` reached the disk's cache, `said` was handed to write calls), and
statements. Then the same with one drawn event and two live boards, both players at each. On SQLite statements
are counted in a separate run by SQLite's own trace, since counting costs CPU; PostgreSQL counts in its log,
for each process. `--also` measures another checkout in the same run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests import services
from tests.runtime.support import Listener

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
TICK = os.sysconf("SC_CLK_TCK")
# Seconds to wait after a start or a change before measuring.
SETTLE = 8.0
LONGEST_START = 300.0
CELERY = [sys.executable, "-m", "celery", "-A", "config"]
PARTS = {
    "web": [sys.executable, "manage.py", "serve", "web"],
    "worker": [*CELERY, "worker", "--without-gossip", "--without-mingle"],
    "beat": [*CELERY, "beat"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--only", choices=("sqlite", "services"))
    parser.add_argument("--also", type=Path, metavar="FOLDER")
    parser.add_argument("--seed", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--counted", metavar="FILE", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.seed:
        seed()
    elif asked.counted:
        serve_counted(Path(asked.counted))
    else:
        with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as statics:
            for number, folder in enumerate((ROOT, *([asked.also] if asked.also else []))):
                print(f"-- {describe(folder)}", flush=True)
                os.environ["STATIC_ROOT"] = f"{statics}/{number}"
                if asked.only != "services":
                    embedded(folder, asked.seconds)
                if asked.only != "sqlite":
                    with services.both() as environment:
                        apart(folder, asked.seconds, environment)


def describe(folder: Path) -> str:
    command = ["git", "-C", str(folder), "log", "-1", "--format=%h %s"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


# Everything in one process, on SQLite


def embedded(folder: Path, seconds: float) -> None:
    head("one process, SQLite")
    figures: dict[str, dict[str, float]] = {}
    with started(folder, [sys.executable, "manage.py", "serve"]) as (pid, env):
        for state in states(folder, env):
            figures[state] = spent(pid, seconds)
    with tempfile.NamedTemporaryFile() as file:
        command = [sys.executable, str(HERE), "--counted", file.name]
        with started(folder, command) as (_, env):
            for state in states(folder, env):
                before = int(Path(file.name).read_text() or 0)
                time.sleep(seconds)
                figures[state]["statements"] = (int(Path(file.name).read_text()) - before) / seconds
    for state, found in figures.items():
        show(state, found)


# Web, worker and beat apart, on PostgreSQL and Redis


def apart(folder: Path, seconds: float, environment: dict[str, str]) -> None:
    import psycopg

    from bench import installations  # imported here, since a measured checkout may lack it

    head("web, worker and beat, PostgreSQL and Redis")
    server = environment["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as own:
        row = own.execute("SHOW data_directory").fetchone()
        log = Path(row[0] if row else "") / "log"
        # A database role for each process, which identifies it in the log.
        for part in PARTS:
            own.execute(f"DO $$BEGIN CREATE ROLE {part} SUPERUSER LOGIN; EXCEPTION WHEN OTHERS THEN END$$")
        own.execute("ALTER SYSTEM SET log_line_prefix = '%u|'")
        own.execute("ALTER SYSTEM SET log_statement = 'all'")
        own.execute("SELECT pg_reload_conf()")
    with contextlib.ExitStack() as stack:
        web = stack.enter_context(started(folder, installations.WEB_ALONE, **named("web", environment)))
        pids, env = {"web": web[0]}, web[1]
        for part in ("worker", "beat"):
            process = subprocess.Popen(
                PARTS[part],
                cwd=folder,
                env={**env, **named(part, environment)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(end, process)
            pids[part] = process.pid
        for state in states(folder, env):
            said = log.stat().st_size
            with ThreadPoolExecutor(len(pids)) as threads:
                measured = threads.map(lambda pid: spent(pid, seconds), pids.values())
                found = dict(zip(pids, measured, strict=True))
            counted = statements(log, said)
            for part in pids:
                show(f"{state}: {part}", {**found[part], "statements": counted[part] / seconds})


def named(part: str, environment: dict[str, str]) -> dict[str, str]:
    """Return the environment with a database role named after the part."""
    parts = urlsplit(environment["DATABASE_URL"])
    own = parts._replace(netloc=f"{part}@{parts.netloc.rpartition('@')[2]}")
    return {**environment, "DATABASE_URL": own.geturl()}


def statements(log: Path, start: int) -> Counter[str]:
    with log.open(errors="replace") as lines:
        lines.seek(start)
        found = (re.match(r"([^|]*)\|LOG:  (?:statement|execute [^:]*):", line) for line in lines)
        return Counter(match[1] for match in found if match)


# Shared


@contextlib.contextmanager
def started(folder: Path, command: list[str], **more: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Run a server on an empty club; yield its process id and environment."""
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as data:
        clean = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
        }
        port = str(services.free_port())
        env = {
            **clean,
            "DATA_DIR": data,
            "LOG_LEVEL": "ERROR",
            # Not the folder of this file, whose engine.py would shadow the package.
            "PYTHONPATH": str(folder),
            "PYTHONSAFEPATH": "1",
            **more,
            "PORT": port,
        }
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=folder, env=env, check=True
        )
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL)
        try:
            wait_for(int(port), process)
            yield process.pid, env
        finally:
            end(process)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    from tests.runtime.support import answers, until

    until(lambda: answers(port) or process.poll() is not None, within=LONGEST_START)
    if process.poll() is not None:
        raise SystemExit("the server did not start")


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def states(folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Bring a server into each state to measure, and yield its name."""
    time.sleep(SETTLE)
    yield "idle"
    done = subprocess.run(
        [sys.executable, str(HERE), "--seed"], cwd=folder, env=env, check=True, capture_output=True, text=True
    )
    with contextlib.ExitStack() as stack:
        for token in json.loads(done.stdout.splitlines()[-1]):
            stack.enter_context(listener(int(env["PORT"]), token))
        time.sleep(SETTLE)
        yield "an event, two boards"


def listener(port: int, token: str) -> Listener:
    from tests.runtime.support import Listener

    return Listener(port, token)


def family(root: int) -> list[int]:
    """Return a process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            told = (folder / "stat").read_text().rpartition(")")[2].split()
            parents.setdefault(int(told[1]), []).append(int(folder.name))
    found = [root]
    for pid in found:
        found += parents.get(pid, [])
    return found


def used(root: int) -> Counter[str]:
    total: Counter[str] = Counter()
    for pid in family(root):
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total["cpu"] += int(told[11]) + int(told[12])
        io = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
        total["wrote"] += int(io["write_bytes"])
        total["said"] += int(io["wchar"])
    return total


def spent(root: int, seconds: float) -> dict[str, float]:
    """Return the usage per second of a process and its children, measured over *seconds*."""
    before, began = used(root), time.monotonic()
    time.sleep(seconds)
    after, took = used(root), time.monotonic() - began
    return {
        "cpu": 1_000 * (after["cpu"] - before["cpu"]) / TICK / took,
        "wrote": (after["wrote"] - before["wrote"]) / took,
        "said": (after["said"] - before["said"]) / took,
    }


def head(what: str) -> None:
    print(f"{what:<42}   CPU ms/s   wrote B/s    said B/s   statements/s", flush=True)


def show(what: str, found: dict[str, float]) -> None:
    figures = (
        f"{found['cpu']:>9.1f} {found['wrote']:>11,.0f} {found['said']:>11,.0f} {found['statements']:>14.1f}"
    )
    print(f"  {what:<40} {figures}", flush=True)


# In a separate process, in the measured checkout


def set_up() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()


def seed() -> None:
    """Draw an event and create two live boards with running clocks; print stream tokens of their players."""
    set_up()
    from django.utils import timezone

    from bench import deadlines, events
    from matches.models import Match
    from matches.play.match_access import get_seat_topic
    from players.accounts import accounts
    from players.clubs import clubs
    from runtime import stream
    from tournaments.plan import drawing

    now = timezone.now()
    director = accounts.register(email="desk@example.org", password=None, name="Dora", now=now)
    event = events.announced(
        clubs.create(owner=director, name="Here", now=now), director, 8, "double-elimination"
    )
    drawing.publish(tournament_id=event.pk, by=director, now=now)
    rows = Match.objects.filter(pk__in=deadlines.build(2, now))
    topics = [
        ((f"match.{row.key}", row.head), (get_seat_topic(row.key, side), 0))
        for row in rows
        for side in sides()
    ]
    print(json.dumps([stream.create_token([stream.TopicPositions(each)]) for each in topics]))


def sides() -> Any:
    from engine.side import Side

    return Side


def serve_counted(file: Path) -> None:
    """Run a single-process server that periodically writes its number of SQLite statements to *file*."""
    set_up()
    from django.core.management import call_command
    from django.db.backends.signals import connection_created

    counted: Counter[str] = Counter()

    def count(_statement: str) -> None:
        counted["all"] += 1

    def trace(connection: Any, **_: Any) -> None:
        connection.connection.set_trace_callback(count)

    def tell() -> None:
        while True:
            file.write_text(str(counted["all"]))
            time.sleep(0.2)

    connection_created.connect(trace, weak=False)
    threading.Thread(target=tell, daemon=True).start()
    call_command("serve")


if __name__ == "__main__":
    main()
