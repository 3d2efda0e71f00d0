"""A place where a test lets the real servers live, kills them, and looks at what they left."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections
from django.db.models import F

from config import environment
from runtime import stream
from runtime.models import Node, Outbox, Presence, Pulse, Topic, TopicEvent
from runtime.stream import TopicPositions
from tests.runtime import product
from tests.runtime.support import ROOT, answers, clean_environment, end, until
from tests.services import free_port

ALIAS = "installation"
CELERY = ["celery", "-A", "config"]


class Program:
    """A running program of the product, and its output."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            env=env,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.printed: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(ValueError):
            for line in self.process.stdout:
                self.printed.append(line)

    @property
    def text(self) -> str:
        return "".join(self.printed)

    def kill(self) -> None:
        """Kill this one process, as the kernel does when memory is short."""
        self.process.kill()
        self.process.wait(10)

    def stop(self, number: int = signal.SIGTERM, *, within: float = 60) -> int:
        """Ask it to end and return its status."""
        self.process.send_signal(number)
        return self.wait(within)

    def wait(self, within: float = 20) -> int:
        status = self.process.wait(within)
        self._reader.join(5)
        return status


def command_of(*arguments: str, program: Sequence[str] = ("-m", "tests.runtime.product")) -> list[str]:
    """Return the command of a part: Celery's for its worker and beat, else one of *program*."""
    match arguments[0]:
        case "worker":
            parts = ["-m", *CELERY, "worker", "--without-gossip", "--without-mingle", *arguments[1:]]
        case "beat":
            parts = ["-m", *CELERY, "beat"]
        case _:
            parts = [*program, *arguments]
    return [sys.executable, *parts]


class Premises:
    """A data folder (and, for services, a database and its own Redis)."""

    redis: subprocess.Popen[bytes]

    def __init__(
        self, folder: Path, *, static_root: Path, database_url: str = "", redis_url: str = ""
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.programs: list[Program] = []
        self.env = clean_environment(
            DATA_DIR=str(folder),
            PORT=str(self.port),
            STATIC_ROOT=str(static_root),
            SECRET_KEY=settings.SECRET_KEY,
            LOG_LEVEL="WARNING",
            DATABASE_URL=database_url,
            REDIS_URL=redis_url,
            PYTHONPATH=str(ROOT),
            DJANGO_SETTINGS_MODULE="tests.runtime.product_settings",
        )
        database = environment.build_database_settings(
            database_url, sqlite_path=folder / "barpoint.sqlite3", connections=4
        )
        database["OPTIONS"].pop("pool", None)
        connections.settings[ALIAS] = {
            "ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "CONN_HEALTH_CHECKS": False, "TIME_ZONE": None,
            "HOST": "", "PORT": "", "USER": "", "PASSWORD": "", "TEST": {}, **database,
        }  # fmt: skip

    # Programs

    def start(self, *arguments: str, **extra: str) -> Program:
        """Start a part of the installation: `serve`, or Celery's `worker` or `beat`."""
        program = Program(command_of(*arguments), {**self.env, **extra})
        self.programs.append(program)
        return program

    def open(self, *arguments: str, **extra: str) -> Program:
        """Start what serves pages and wait until pages are served."""
        program = self.start(*(arguments or ("serve",)), **extra)
        port = int(extra.get("PORT", self.port))
        until(lambda: answers(port) or program.process.poll() is not None)
        assert program.process.poll() is None, program.text
        return program

    def run(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            command_of(*arguments),
            env={**self.env, **extra},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=90,
        )

    def close(self) -> None:
        """End all programs that still run."""
        for program in self.programs:
            end(program.process)
        connections[ALIAS].close()
        del connections[ALIAS]
        del connections.settings[ALIAS]

    # Work and what became of it

    def put_work(self, count: int, *, seconds: float = 0.0, name: str = "work", later: float = 0.0) -> None:
        """Write rows that count, as a change would have; they fall due one after the other, the last so much *later*."""
        Topic.objects.using(ALIAS).get_or_create(name=product.TOPIC)
        self._put(product.KIND, [{"seconds": seconds}] * count, name, later=later)

    def put_emails(self, count: int, *, name: str = "mail") -> None:
        """Write e-mails."""
        emails = [{"to": "kit@club.example", "subject": f"{name} {n}", "body": "x"} for n in range(count)]
        self._put("runtime.mail", emails, name)

    def _put(self, kind: str, payloads: list[dict[str, Any]], name: str, *, later: float = 0.0) -> None:
        now = datetime.now(UTC)
        step = timedelta(seconds=later) / len(payloads)
        Outbox.objects.using(ALIAS).bulk_create(
            Outbox(
                kind=kind,
                payload=payload,
                dedupe_key=f"{name} {n}",
                created_at=now,
                due_at=now + step * (n + 1) if later else now,
            )
            for n, payload in enumerate(payloads)
        )

    def rows(self) -> Any:
        return Outbox.objects.using(ALIAS)

    def done(self) -> int:
        return int(self.rows().filter(done_at__isnull=False).count())

    def left(self) -> int:
        return int(self.rows().filter(done_at__isnull=True).count())

    def effects(self) -> int:
        return int(Topic.objects.using(ALIAS).get(name=product.TOPIC).head)

    def list_told(self) -> list[tuple[str, bool]]:
        """The topics of published arrivals (True) and departures (False), in order."""
        rows = TopicEvent.objects.using(ALIAS).filter(topic=product.TOLD).order_by("seq")
        return [(data["topic"], data["here"]) for data in rows.values_list("data", flat=True)]

    def emails(self) -> list[str]:
        """Return the subject of every e-mail that was sent."""
        files = sorted((self.folder / "mail").glob("*"))
        return [
            subject for file in files for subject in re.findall(r"^Subject: (.*)$", file.read_text(), re.M)
        ]

    def let_time_pass(self) -> None:
        """Make the dead look as long dead as they would in ten seconds."""
        earlier, until = F("seen_at") - timedelta(seconds=10), F("until") - timedelta(seconds=10)
        Node.objects.using(ALIAS).update(seen_at=earlier, until=until)
        Pulse.objects.using(ALIAS).update(seen_at=earlier, until=until)
        Presence.objects.using(ALIAS).update(seen_at=earlier)

    def token(self, *topics: str, who: str = "") -> str:
        """Return a token for topics on which nothing has happened yet."""
        return stream.create_token([TopicPositions(tuple((topic, 0) for topic in topics))], who=who)


def copy_of(database: Path, folder: Path) -> Path:
    """Prepare a place with a copy of a migrated database."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(database, folder / "barpoint.sqlite3")
    return folder


@contextlib.contextmanager
def own_postgresql_database(url: str, template: str, name: str) -> Iterator[str]:
    """Give the address of a fresh copy of *template* on the server of *url*."""
    import psycopg

    server, _, _ = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        own.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield f"{server}/{name}"
    finally:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
            own.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextlib.contextmanager
def premises_apart(template: str, folder: Path, *, static_root: Path) -> Iterator[Premises]:
    """Give a place with a copy of the database *template* and an empty Redis, which a test may stop and start."""
    redis_port = free_port()
    command = [
        "redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes"
    ]  # fmt: skip
    redis = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    name = f"{template}_{redis_port}"
    with own_postgresql_database(settings.DATABASE_URL, template, name) as url:
        ours = Premises(
            folder / "var",
            static_root=static_root,
            database_url=url,
            redis_url=f"redis://127.0.0.1:{redis_port}/0",
        )
        ours.redis = redis
        try:
            yield ours
        finally:
            ours.close()
            # Perhaps another than the first: tests start it again.
            with contextlib.suppress(ProcessLookupError):
                ours.redis.send_signal(signal.SIGCONT)
            ours.redis.kill()
            ours.redis.wait()
