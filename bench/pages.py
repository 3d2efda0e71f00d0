"""Throughput and latency of a page that needs the database.

    python -m bench.pages [--rounds 3] [--seconds 5] [--page /clubs/] [--only sqlite|postgresql]

The same page from the same demo club, in turns: our server in one process with its worker and beat running,
Django's own ASGI handler on uvicorn, then both on PostgreSQL, ours with two web processes. Ratios are within
one run; the load generator is wrk if it is installed, otherwise a Python client.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench import installations
from tests import services

CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Figures:
    """The measurements of a burst of load."""

    per_second: float
    p50_ms: float
    p99_ms: float


def burst(url: str, seconds: int) -> Figures:
    """Request a page as fast as possible, with wrk if it is installed."""
    return by_wrk(url, seconds) if shutil.which("wrk") else by_hand(url, seconds)


def by_wrk(url: str, seconds: int) -> Figures:
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", url]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text:
        raise SystemExit(f"not every answer was a page:\n{text}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    p50, p99 = (re.search(rf"^\s+{share}%\s+([\d.]+\w+)\s*$", text, re.M)[1] for share in (50, 99))
    return Figures(rate, _ms(p50), _ms(p99))


def _ms(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


def by_hand(url: str, seconds: int) -> Figures:
    """Measure with our own client in a separate process."""
    code = f"import asyncio; from bench.pages import ask_for; asyncio.run(ask_for({url!r}, {seconds}))"
    text = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return Figures(*map(float, text.split()))


async def ask_for(url: str, seconds: int, cookie: str = "") -> None:
    """Keep CONNECTIONS requests open and print rate, p50 and p99."""
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    request = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
    request += f"Cookie: {cookie}\r\n\r\n" if cookie else "\r\n"
    ends, took = time.perf_counter() + seconds, []

    async def one() -> None:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        while (began := time.perf_counter()) < ends:
            writer.write(request.encode())
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(head.decode())
            length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
            await reader.readexactly(length)
            took.append((time.perf_counter() - began) * 1000)
        writer.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    took.sort()
    print(len(took) / seconds, took[len(took) // 2], took[int(len(took) * 0.99)])


def measure(
    name: str,
    runs: list[tuple[str, list[str], dict[str, str]]],
    env: dict[str, str],
    page: str,
    args: argparse.Namespace,
) -> None:
    """Measure several servers alternately and print them side by side."""
    found: dict[str, list[Figures]] = {label: [] for label, *_ in runs}
    for _ in range(args.rounds):
        for label, command, more in runs:
            with installations.running(command, env, **more) as url:
                burst(url + page, 2)
                found[label].append(burst(url + page, args.seconds))
    plain = statistics.median(figures.per_second for figures in found[runs[-1][0]])
    print(f"\n{name}, {page}, {args.rounds} rounds of {args.seconds} s, medians")
    print(f"{'':44}{'pages/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'ratio':>8}")
    for label, figures in found.items():
        rate = statistics.median(f.per_second for f in figures)
        p50 = statistics.median(f.p50_ms for f in figures)
        p99 = statistics.median(f.p99_ms for f in figures)
        print(f"{label:44}{rate:9.0f}{p50:9.1f}{p99:9.1f}{rate / plain:8.2f}")


def main() -> None:
    """Measure on SQLite, then on PostgreSQL with Redis."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", default="/clubs/")
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    args = parser.parse_args()
    if args.only != "postgresql":
        with installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env:
            runs = [
                ("Barpoint, one process with worker and beat", installations.EMBEDDED, {}),
                ("plain Django ASGI on uvicorn", installations.PLAIN_ASGI, {}),
            ]
            measure("SQLite", runs, env, args.page, args)
    if args.only != "sqlite":
        with services.both() as both, installations.with_demo(both) as env:
            runs = [
                ("Barpoint, two web processes", installations.WEB_ALONE, {"WEB_PROCESSES": "2"}),
                ("Barpoint, one web process", installations.WEB_ALONE, {}),
                ("plain Django ASGI on uvicorn", installations.PLAIN_ASGI, {}),
            ]
            measure("PostgreSQL and Redis", runs, env, args.page, args)


if __name__ == "__main__":
    main()
