"""The time until the first page: from a bare clone, with the environment ready, and when all is there.

    python -m bench.start [--rounds 5] [--also FOLDER]

Clones what is committed, and times three things as users do them. Cold: `make setup` in the clone, packages fetched, then
the first page. First: the environment is there, the club is empty. Warm: the same club again. Each is given in seconds and
in CPU seconds, which a busy machine changes less; each line of output is shown with the second at which it came.
`--also` measures another checkout in the same run, in turns, and shows how many times faster this one is.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench import idle, installations
from tests.services import free_port

LONGEST = 600.0
# Variables that would make this machine's starts different from those of users.
OURS = {"VIRTUAL_ENV", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "STATIC_ROOT", "PYTHONDONTWRITEBYTECODE"}


@dataclass(slots=True)
class Start:
    """The time of a start up to the first page, or of building an environment, with its CPU seconds."""

    seconds: float
    computing: float
    said: list[tuple[float, str]] = field(default_factory=list)


@dataclass(slots=True)
class Checkout:
    """A clone with its environment and measurements."""

    name: str
    folder: Path
    environment: Start
    firsts: list[Start] = field(default_factory=list)
    warm: list[Start] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--also", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as name:
        sources = [installations.ROOT, *([asked.also] if asked.also else [])]
        found = [build(source, Path(name) / str(number)) for number, source in enumerate(sources)]
        for turn in range(asked.rounds):
            for checkout in found:
                data = checkout.folder / f"var-{turn}"
                checkout.firsts.append(first_page(checkout.folder, data))
                checkout.warm.append(first_page(checkout.folder, data))
        for checkout in found:
            show(checkout)
        if asked.also:
            compare(*found)


def build(source: Path, folder: Path) -> Checkout:
    """Clone a checkout and build its environment."""
    subprocess.run(
        ["git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--no-hardlinks", source, folder],
        check=True,
    )
    before, began = computed(), time.monotonic()
    subprocess.run(
        ["make", "setup", f"PYTHON={outside()}"], cwd=folder, env=clean(), check=True, capture_output=True
    )
    return Checkout(idle.describe(source), folder, Start(time.monotonic() - began, computed() - before))


def outside() -> str:
    """Return the Python from which our environment was created."""
    return str(Path(sys.executable).resolve())


def clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OURS}


def computed() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_page(folder: Path, data: Path) -> Start:
    """Start a server, wait for the first page, and stop it."""
    port = free_port()
    env = {**clean(), "DATA_DIR": str(data), "PORT": str(port), "LOG_LEVEL": "ERROR"}
    began = time.monotonic()
    process = subprocess.Popen(
        [".venv/bin/python", "manage.py", "serve"], cwd=folder, env=env, stdout=subprocess.PIPE, text=True
    )
    start = Start(0.0, 0.0)
    threading.Thread(target=listen, args=(process, start, began), daemon=True).start()
    try:
        wait_for(f"http://127.0.0.1:{port}/", process)
        start.seconds = time.monotonic() - began
        start.computing = idle.used(process.pid)["cpu"] / idle.TICK
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    return start


def listen(process: subprocess.Popen[str], start: Start, began: float) -> None:
    """Record the progress lines of the output with their times."""
    for line in process.stdout or ():
        if line.endswith("...\n"):
            start.said.append((time.monotonic() - began, line.strip()))


def wait_for(url: str, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError):
            urllib.request.urlopen(url, timeout=60).read()
            return
        time.sleep(0.02)
    raise SystemExit("the server did not start")


def middle(starts: list[Start]) -> Start:
    return Start(median(each.seconds for each in starts), median(each.computing for each in starts))


def stages(checkout: Checkout) -> dict[str, Start]:
    first = middle(checkout.firsts)
    environment = checkout.environment
    cold = Start(environment.seconds + checkout.firsts[0].seconds, environment.computing + first.computing)
    return {"environment": environment, "cold": cold, "first": first, "warm": middle(checkout.warm)}


def show(checkout: Checkout) -> None:
    print(f"-- {checkout.name}")
    for name, start in stages(checkout).items():
        print(f"  {name:<14}{start.seconds:>8.1f} s {start.computing:>8.1f} s of computing")
    for at, line in checkout.firsts[0].said:
        print(f"  first, at {at:4.1f} s: {line}")


def compare(ours: Checkout, theirs: Checkout) -> None:
    print("-- times as fast as the other")
    others = stages(theirs)
    for name, start in stages(ours).items():
        seconds, computing = others[name].seconds / start.seconds, others[name].computing / start.computing
        print(f"  {name:<14}{seconds:>8.1f} x {computing:>8.1f} x in computing")


if __name__ == "__main__":
    main()
