"""Installations to measure: the product started as users start it, on a separate demo club."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent
LONGEST_START = 60.0
_running: dict[str, int] = {}


@contextlib.contextmanager
def with_demo(environment: dict[str, str] | None = None, folder: Path = ROOT) -> Iterator[dict[str, str]]:
    """Create a demo club with the code of a checkout; yield the environment of its installation."""
    data = tempfile.mkdtemp(prefix="barpoint-bench-")
    try:
        env = {
            **os.environ,
            **(environment or {}),
            "DATA_DIR": data,
            "LOG_LEVEL": "WARNING",
            "TRUSTED_PROXIES": "0",
            # All clients have the same address.
            "CONNECTIONS_PER_ADDRESS": "20000",
            "STREAMS_PER_ADDRESS": "20000",
        }
        for command in (["migrate", "--verbosity", "0"], ["demo"]):
            subprocess.run(
                [sys.executable, "manage.py", *command],
                cwd=folder,
                env=env,
                check=True,
                stdout=subprocess.DEVNULL,
            )
        yield env
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextlib.contextmanager
def running(
    command: list[str], env: dict[str, str], folder: Path = ROOT, *, log: Path | None = None, **more: str
) -> Iterator[str]:
    """Start a server by *command* (with {port} filled in) in a checkout, yield its URL, and end it.

    Its standard error is written to the file *log*.
    """
    port = free_port()
    env = {**env, **more, "PORT": str(port)}
    quiet = subprocess.DEVNULL if not os.environ.get("BENCH_DEBUG") else None
    with log.open("wb") if log else contextlib.nullcontext() as file:
        process = subprocess.Popen(
            [part.format(port=port) for part in command],
            cwd=folder,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=file or quiet,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + LONGEST_START
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/healthz", timeout=2).read()
                break
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the server did not start: {' '.join(command)}")
            time.sleep(0.05)
        time.sleep(1.0)
        _running[url] = process.pid
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


def pid_of(url: str) -> int:
    """Return the process id of the server of *url*."""
    return _running[url]


EMBEDDED = [sys.executable, "manage.py", "serve"]
WEB_ALONE = [sys.executable, "manage.py", "serve", "web"]
CELERY = [sys.executable, "-m", "celery", "-A", "config"]
WORKER = [*CELERY, "worker", "--without-gossip", "--without-mingle"]
BEAT = [*CELERY, "beat"]
PLAIN_ASGI = [
    sys.executable,
    "-m",
    "uvicorn",
    "bench.plain_asgi:application",
    "--port",
    "{port}",
    "--no-access-log",
    "--log-level",
    "error",
    "--lifespan",
    "off",
]


def run_inside(env: dict[str, str], code: str) -> str:
    """Run code inside an installation; return what it prints after "FOUND"."""
    command = [sys.executable, "manage.py", "shell", "-v", "0", "--no-imports", "-c", code]
    told = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout
    return told.partition("FOUND ")[2].strip()
