"""Helpers of the runtime tests: concurrent threads, programs that are killed, streams that are read."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
# A busy machine takes long to start a program; who waits for a state may wait.
PATIENCE = 120.0


def together(count: int, work: Callable[[int], Any], *, timeout: float = 60.0) -> list[Any]:
    """Run work(0) ... work(count - 1) in threads that start at the same moment; return what each gave.

    The first exception is raised here, and no thread leaves a connection behind.
    """
    from django.db import connections

    line = threading.Barrier(count)
    results: list[Any] = [None] * count
    errors: list[BaseException] = []

    def run(place: int) -> None:
        try:
            line.wait(10)
            results[place] = work(place)
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,), daemon=True) for place in range(count)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + timeout
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    if errors:
        raise errors[0]
    return results


class Undone(Exception):
    """Raised by a test inside a transaction, to have it rolled back."""


def undone(act: Callable[[], object]) -> None:
    """Do something and then fail, as a view may after its first change."""
    act()
    raise Undone


def until(condition: Callable[[], Any], *, within: float = PATIENCE, every: float = 0.02) -> Any:
    """Wait until *condition* gives something true and return it."""
    deadline = time.monotonic() + within
    while True:
        if found := condition():
            return found
        assert time.monotonic() < deadline, f"not true within {within} s"
        time.sleep(every)


def clean_environment(**extra: str) -> dict[str, str]:
    """Return an environment in which only *extra* says how to run."""
    ours = {
        "DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "EMAIL_URL", "DATA_DIR", "PORT", "HOST", "DEBUG", "SECRET_KEY",
        "LOG_LEVEL", "LOG_FORMAT", "WEB_PROCESSES", "DJANGO_SETTINGS_MODULE", "ALLOWED_HOSTS",
        "TRUSTED_PROXIES", "SECRET_KEY_FALLBACKS", "WEB_THREADS", "WORKER_CONCURRENCY", "EMAIL_FROM", "TIME_ZONE",
        "STATIC_ROOT", "CONNECTIONS_PER_ADDRESS", "STREAMS_PER_ADDRESS", "DATABASE_PASSWORD",
        "REDIS_PASSWORD", "PULSE_FILE",
    }  # fmt: skip
    return {**{k: v for k, v in os.environ.items() if k not in ours}, **extra}


def python(code: str, *, timeout: float = 60.0, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a few lines in their own Python."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(**extra),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=timeout,
    )


@contextlib.contextmanager
def program(*command: str | Path, **extra: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program of the product, and kill it at the end."""
    process = subprocess.Popen(
        list(map(str, command)),
        env=clean_environment(**extra),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[Any]) -> None:
    """Kill what a test started, with all its children."""
    for pid in session_of(process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 9)
    process.wait(10)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def session_of(leader: int) -> list[int]:
    """All processes of the session that *leader* began, in all its process groups."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def answers(port: int, path: str = "/healthz") -> bool:
    """True if the server at *port* answers 200."""
    try:
        return get(port, path)[0] == 200
    except OSError:
        return False


def get(
    port: int, path: str, *, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of one answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(
            method, path, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()}
    finally:
        connection.close()


class Listener:
    """One open stream, read as a browser would."""

    def __init__(
        self,
        port: int,
        token: str,
        *,
        after: str | None = None,
        last_event_id: str | None = None,
        cookie: str = "",
        api_token: str = "",
    ) -> None:
        query = f"t={token}" + (f"&after={after}" if after is not None else "")
        headers = {"Last-Event-ID": last_event_id} if last_event_id is not None else {}
        if cookie:
            headers["Cookie"] = cookie
        if api_token:
            headers["Authorization"] = f"Bearer {api_token}"
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._connection.request("GET", f"/live/?{query}", headers=headers)
        self.answer = self._connection.getresponse()
        self.last_id = ""

    def event(self, *, within: float = 5.0) -> dict[str, Any]:
        while True:
            block = self.block(within=within)
            for line in block:
                if line.startswith("id: "):
                    self.last_id = line[4:]
            for line in block:
                if line.startswith("data: "):
                    return json.loads(line[6:])  # type: ignore[no-any-return]

    def block(self, *, within: float = 5.0) -> list[str]:
        """Return the lines up to the next empty one."""
        assert self._connection.sock is not None or self.answer.fp is not None
        raw = self.answer.fp.raw  # type: ignore[union-attr]
        raw._sock.settimeout(within)
        lines: list[str] = []
        while True:
            line = self.answer.readline()
            if not line:
                raise EOFError("the stream ended")
            text = line.decode().rstrip("\n")
            if not text:
                return lines
            lines.append(text)

    def close(self) -> None:
        """Leave."""
        self.answer.close()
        self._connection.close()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
