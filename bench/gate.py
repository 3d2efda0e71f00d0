"""What the gate before SQLite's writers is worth: python -m bench.gate

Eight processes write to one file, each a small transaction at a time, with the gate and without it, in turns. A write's
time is from asking for the transaction to its commit. First at a rate, as moves of many matches come in, then as fast
as they can.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import installations, live
from config import environment

WRITER = """
import json, sys, time
from django.conf import settings
settings.configure(DATABASES={"default": json.loads(sys.argv[1])}, USE_TZ=True)
import django
django.setup()
from django.db import connection, transaction
pause, seconds = float(sys.argv[2]), float(sys.argv[3])
connection.ensure_connection()
print("ready", flush=True)
due, took, refused = float(sys.stdin.readline()), [], 0
end = due + seconds
while due < end:
    time.sleep(max(0.0, due - time.time()))
    began = time.perf_counter()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            (n,) = cursor.execute("SELECT n FROM counter").fetchone()
            cursor.execute("UPDATE counter SET n = %s", [n + 1])
            cursor.execute("INSERT INTO line VALUES (%s)", ["x" * 300])
        took.append(time.perf_counter() - began)
    except Exception:
        refused += 1
    due = due + pause if pause else time.time()
print(json.dumps([took, refused]))
"""


def run(path: Path, *, gate: bool, writers: int, rate: float, seconds: float) -> str:
    """Let them write for a while; return a line of the table."""
    database = {**environment.sqlite(path, gate=gate), "NAME": str(path)}
    pause = writers / rate if rate else 0.0
    command = [sys.executable, "-c", WRITER, json.dumps(database), str(pause), str(seconds)]
    running = [_started(command) for _ in range(writers)]
    for each in running:
        live.await_word(each, "ready")
    begin = time.time() + 0.5
    for number, each in enumerate(running):
        assert each.stdin is not None
        # At a rate they come one after the other, not all in the same moment.
        each.stdin.write(f"{begin + number * pause / writers}\n")
        each.stdin.flush()
    found = [json.loads(each.communicate(timeout=seconds + 120)[0]) for each in running]
    took = sorted(1000 * each for times, _ in found for each in times)
    p50, p99, most = (took[min(len(took) - 1, int(len(took) * share))] for share in (0.5, 0.99, 1))
    aim = f"{rate:.0f}/s" if rate else "all"
    return (
        f"{'with the gate' if gate else 'without':16}{aim:>7}{len(took) / seconds:10.0f}{p50:9.1f}{p99:9.1f}"
        f"{most:9.1f}{sum(refused for _, refused in found):9}"
    )


def _started(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=installations.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--rates", type=float, nargs="*", default=[100, 300, 0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    print(f"{args.writers} processes, {args.seconds:.0f} s; ms from asking to the commit")
    print(f"{'':16}{'aim':>7}{'writes/s':>10}{'p50':>9}{'p99':>9}{'most':>9}{'refused':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for rate in args.rates:
            for number in range(2 * args.rounds):
                path = Path(folder) / f"{rate}-{number}.sqlite3"
                _make(path)
                line = run(path, gate=number % 2 == 0, writers=args.writers, rate=rate, seconds=args.seconds)
                print(line, flush=True)


def _make(path: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(path)
    connection.executescript(
        "PRAGMA journal_mode=WAL; CREATE TABLE counter (n INTEGER); CREATE TABLE line (text TEXT);"
        "INSERT INTO counter VALUES (0);"
    )
    connection.close()


if __name__ == "__main__":
    main()
