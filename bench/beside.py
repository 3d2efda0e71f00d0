"""The slowdown of pages while matches are analysed.

    python -m bench.beside [--matches 50] [--seconds 20] [--rounds 3] [--only sqlite]

Pages of a running event, its club and the calendar are requested at a steady rate, without the page cache,
alternately with analysis off and on. "Apart" is a web process with two workers on PostgreSQL and Redis; "one
process" is the default on SQLite. Before each turn all analyses are deleted, so that there is enough to do
for the whole of it. The clients share the cores with the servers, so compare only figures of one run.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bench import installations
from bench.opinion import OTHERS, OURS, files
from tests import services

Way = Callable[[dict[str, str], str], AbstractContextManager[str]]

WORKERS: Final = 2
# Seconds until a worker has started its first analysis.
TO_BEGIN: Final = 8.0
PATIENCE: Final = 30

# Run inside an installation: prints the largest running event and its club.
WHO = """
import json
from django.db.models import Count
from tournaments.models import Tournament
event = Tournament.objects.filter(status="RUNNING", stages__isnull=False).annotate(n=Count("entries")).order_by("-n").first()
print("FOUND " + json.dumps([event.key, event.club.slug]))
"""
# Run inside an installation: deletes all analyses and queues {matches} imported records.
ASK = """
from django.utils import timezone
from opinion.models import Analysis
import opinion.analyses.analysing as analysing
from records.models import Submission
Analysis.objects.all().delete()
for key in Submission.objects.order_by("-pk").values_list("key", flat=True)[:{matches}]:
    analysing.request_record_analysis(key=key, now=timezone.now())
"""
DONE = """
from opinion.models import Remark
print("FOUND", Remark.objects.count())
"""


@dataclass(slots=True)
class Turn:
    """The measurements without or with analysis: all response times, and the p99 of each round, in ms."""

    times: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    judged: int = 0


def main() -> None:
    """Measure the installations that the arguments choose."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=20, help="pages a second")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    args = parser.parse_args()
    if args.only != "sqlite":
        with services.both() as both, installations.with_demo(both) as env:
            measure("apart, PostgreSQL and Redis", env, apart, args)
    if args.only != "postgresql":
        with installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env:
            measure("one process, SQLite", env, together, args)


def measure(name: str, env: dict[str, str], way: Way, args: argparse.Namespace) -> None:
    """Request pages alternately without and with analysis, and print both."""
    event, club = json.loads(installations.run_inside(env, WHO))
    paths = [f"/events/{event}/", f"/events/{event}/bracket/", f"/clubs/{club}/", "/events/", "/"]
    take_in(env, args.matches, club)
    turns = {"0": Turn(), "1": Turn()}
    for _ in range(args.rounds):
        for opinion, turn in turns.items():
            installations.run_inside(env, ASK.format(matches=args.matches))
            with way(env, opinion) as url:
                time.sleep(TO_BEGIN)
                before = int(installations.run_inside(env, DONE))
                times = send_requests(url, paths, args.rate, args.seconds)
                turn.judged += int(installations.run_inside(env, DONE)) - before
            turn.times += times
            turn.p99.append(late(times))
    off, on = turns["0"], turns["1"]
    print(f"\n{name}: {args.rounds} rounds of {args.seconds:.0f} s, {args.rate:.0f} pages a second")
    print(f"{'':22}{'p50 ms':>9}{'p99 ms':>9}{'decisions':>11}")
    for label, turn in (("nothing is analysed", off), (f"{args.matches} matches are", on)):
        print(
            f"{label:22}{statistics.median(turn.times):9.1f}{statistics.median(turn.p99):9.1f}{turn.judged:11}"
        )
    print(
        f"p99 with analysis is {statistics.median(on.p99) / statistics.median(off.p99):.2f} times the other"
    )


# -- the installations --------------------------------------------------------------------------------


@contextlib.contextmanager
def apart(env: dict[str, str], opinion: str) -> Iterator[str]:
    """Run a web process, two workers and beat; yield the URL."""
    env = env | {"OPINION": opinion}
    parts = [installations.WORKER] * WORKERS + [installations.BEAT]
    with installations.running(installations.WEB_ALONE, env) as url:
        beside = [
            subprocess.Popen(
                part,
                cwd=installations.ROOT,
                env=env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if not os.environ.get("BENCH_DEBUG") else None,
            )
            for part in parts
        ]
        try:
            yield url
        finally:
            for process in beside:
                process.send_signal(signal.SIGTERM)
            for process in beside:
                try:
                    process.wait(40)
                except subprocess.TimeoutExpired:
                    process.kill()


def together(env: dict[str, str], opinion: str) -> AbstractContextManager[str]:
    """Run a single-process installation; yield the URL."""
    return installations.running(installations.EMBEDDED, env, OPINION=opinion)


def take_in(env: dict[str, str], matches: int, club: str) -> None:
    """Import *matches* records into a club."""
    paths = [OTHERS if OTHERS.exists() else OURS]
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as folder:
        for number, (_, data) in enumerate(itertools.islice(files(paths), matches)):
            Path(folder, f"{number:03}.mat").write_bytes(data)
        subprocess.run(
            [sys.executable, "manage.py", "import_records", folder, "--club", club],
            cwd=installations.ROOT,
            env=env,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


# -- the visitors -------------------------------------------------------------------------------------


def send_requests(url: str, paths: list[str], rate: float, seconds: float) -> list[float]:
    """Send requests at a steady rate without waiting for responses; return the times in milliseconds."""
    place, times, wrong = urlsplit(url).netloc, [], []

    def one(path: str) -> None:
        began = time.perf_counter()
        line = http.client.HTTPConnection(place, timeout=PATIENCE)
        line.request("GET", path)
        answer = line.getresponse()
        answer.read()
        times.append(1000 * (time.perf_counter() - began))
        if answer.status != 200:
            wrong.append(f"{path}: {answer.status}")
        line.close()

    began, asked = time.monotonic(), []
    for number, path in zip(range(int(rate * seconds)), itertools.cycle(paths), strict=False):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        # An unknown parameter, to bypass the page cache.
        thread = threading.Thread(target=one, args=(f"{path}?n={number}",))
        thread.start()
        asked.append(thread)
    for thread in asked:
        thread.join()
    if wrong:
        raise SystemExit(wrong[0])
    return times


def late(times: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[min(len(times) - 1, len(times) * 99 // 100)]


if __name__ == "__main__":
    main()
