"""The latency of moves to those who watch, and the most moves a second.

    python -m bench.live [--matches 200] [--watchers 5] [--rates 50 100 0] [--seconds 20]

Matches are played over HTTP by clients with separate dice chains; some streams watch each. The time of a move runs from the
moment its request is sent to its answer, and to the moment a watcher has its frame. Clients and server share the machine's
cores, so the figures are those of the whole machine. Afterwards every journal is verified.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import installations
from tests import services
from tests.attack import besieged

CLIENTS = [sys.executable, "-m", "bench.live_clients"]
LONGEST_CATCH_UP = 60.0


def seeded(env: dict[str, str], folder: str, **matches: Any) -> str:
    """Create matches with the arguments of `live_clients.seed`; return the path of the file that lists them."""
    done = subprocess.run(
        [*CLIENTS, "seed", json.dumps(matches)],
        cwd=installations.ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    path = Path(folder) / "matches.json"
    path.write_text(done.stdout.splitlines()[-1])
    return str(path)


def measure(
    name: str, url: str, pid: int, env: dict[str, str], args: argparse.Namespace, rate: float
) -> None:
    """Play and watch at one rate; print one line."""
    show(name, rate, *played_and_heard(url, pid, env, args, rate), args)


def played_and_heard(
    url: str, pid: int, env: dict[str, str], args: argparse.Namespace, rate: float
) -> tuple[dict[str, Any], list[Any], float]:
    """Play and watch; return acknowledged moves, events received by watchers, and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = seeded(env, folder, count=args.matches, points=7)
        await_rest(pid)
        watch = subprocess.Popen(
            [*CLIENTS, "watch", url, file, str(args.watchers)],
            cwd=installations.ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        await_word(watch, "open")
        play = subprocess.Popen(
            [*CLIENTS, "play", url, file, str(rate), str(args.seconds)],
            cwd=installations.ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        await_word(play, "sealed")
        before = besieged.cpu_of_trees([pid])
        play.wait(args.seconds + 60)
        spent = besieged.cpu_of_trees([pid]) - before
        watch.communicate("enough\n", timeout=60)
        played, heard = (json.loads(Path(f"{file}.{what}").read_text()) for what in ("played", "heard"))
    return played, heard, spent


def await_rest(pid: int) -> None:
    """Wait until the server has finished the background work of a new demo, such as past rankings."""
    deadline = time.monotonic() + LONGEST_CATCH_UP
    used, idle = besieged.cpu_of_trees([pid]), 0
    while idle < 3 and time.monotonic() < deadline:
        time.sleep(1.0)
        before, used = used, besieged.cpu_of_trees([pid])
        idle = idle + 1 if used - before < 0.1 else 0


def await_word(process: subprocess.Popen[str], word: str) -> None:
    """Wait until a client prints *word*."""
    assert process.stdout is not None
    if process.stdout.readline().strip() != word:
        raise SystemExit(f"the clients did not come to {word!r}")


def show(
    name: str, rate: float, played: dict[str, Any], heard: list[Any], spent: float, args: argparse.Namespace
) -> None:
    """Print one line of the table."""
    acked = played["acked"]
    sent = {(key, seq): at for key, seqs, at, _ in acked for seq in seqs}
    answers = sorted((answered - at) * 1000 for _, _, at, answered in acked)
    frames = sorted((at - sent[key, seq]) * 1000 for key, seq, at in heard if (key, seq) in sent)
    expected = len(sent) * args.watchers
    aim = f"{rate:.0f}/s" if rate else "all"
    print(
        f"{name:30}{aim:>7}{len(acked) / played['took']:9.0f}"
        f"{at(answers, 0.5):8.0f}{at(answers, 0.99):8.0f}"
        f"{at(frames, 0.5):9.0f}{at(frames, 0.99):8.0f}{len(frames):9}/{expected:<8}"
        f"{spent / max(1, len(acked)) * 1000:7.1f}   {json.dumps(played['refused']) if played['refused'] else ''}",
        flush=True,
    )


def at(sorted_values: list[float], share: float) -> float:
    """Return the quantile of sorted values at this share; 0 if there are none."""
    return (
        sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * share))] if sorted_values else 0.0
    )


def verify(env: dict[str, str]) -> None:
    """Verify all journals and print the summary."""
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_journals"],
        cwd=installations.ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    print("   journals:", (done.stdout.strip().splitlines() or [done.stderr.strip()])[-1])


@contextlib.contextmanager
def helpers(env: dict[str, str]) -> Iterator[list[int]]:
    """Run a worker and beat; yield their process ids."""
    running = [
        subprocess.Popen(
            command, cwd=installations.ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for command in (installations.WORKER, installations.BEAT)
    ]
    try:
        yield [process.pid for process in running]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(20)


def main() -> None:
    """Measure the embedded installation, then two web processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--watchers", type=int, default=5, help="streams a match")
    parser.add_argument("--rates", type=float, nargs="*", default=[50, 100, 0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--databases", nargs="*", default=["sqlite", "postgresql"])
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    print(f"{args.matches} matches, {args.matches * args.watchers} streams; ms from the request")
    print(
        f"{'':30}{'aim':>7}{'moves/s':>9}{'answer':>8}{'p99':>8}{'watcher':>9}{'p99':>8}"
        f"{'frames heard':>18}{'CPU ms':>7}   refused"
    )
    if "sqlite" in args.databases:
        with (
            installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env,
            installations.running(installations.EMBEDDED, env) as url,
        ):
            for rate in args.rates:
                measure("one process, SQLite", url, installations.pid_of(url), env, args, rate)
            verify(env)
    if "postgresql" in args.databases:
        with services.both() as both, installations.with_demo(both) as env, helpers(env):
            env = {**env, "WEB_PROCESSES": "2"}
            with installations.running(installations.WEB_ALONE, env) as url:
                for rate in args.rates:
                    measure("two web, PostgreSQL, Redis", url, installations.pid_of(url), env, args, rate)
                verify(env)


if __name__ == "__main__":
    main()
