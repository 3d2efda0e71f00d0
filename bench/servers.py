"""Which server is the front? Ours, uvicorn without our guard, uvicorn with a bridge of others, granian: python -m bench.servers

Each stands on a copy of one demo club, on SQLite, and is asked in turns: for a public page that is kept and for one made anew;
to hold streams, and bring events to all of them; to take moves as fast as they come. Then each is attacked as in
bench/attacks.py. The processor's time is that of a server with all its processes.

granian and a2wsgi are no dependencies of ours. Whoever wants them measured says where they are:
`pip install --target FOLDER granian a2wsgi`, then `PYTHONPATH=FOLDER`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench import fanout, installations, live, shared
from bench.attacks import show as show_siege
from bench.attacks import token_of
from tests.attack import attacks
from tests.attack.besieged import besiege, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURES = ("pages", "streams", "moves", "attacks")
# An idle connection is one of a crowd.
ATTACKS = [name for name in attacks.ATTACKS if name != "idle_connections"]
# Whoever is patient with a slow caller for so long is patient for ever, as far as we wait.
LONGEST_ATTACK = 20.0
# Some probes leave a connection open, which a browser may keep for half a minute.
LONGEST_PROBES = 70.0
IDLE_SECONDS = 3.0
EVENTS = 10


class Front(NamedTuple):
    """One way to serve Barpoint."""

    name: str
    command: list[str]
    needs: str = "uvicorn"
    has_streams: bool = True


def _uvicorn(application: str, *more: str) -> list[str]:
    options = "--port {port} --no-access-log --log-level critical --no-proxy-headers --ws none --backlog 2048"
    return [sys.executable, "-m", "uvicorn", application, *options.split(), *more]


def _granian(application: str, options: str) -> list[str]:
    # The nearest it has to our limits.
    limits = "--http 1 --http1-header-read-timeout 15000 --http1-buffer-size 32768 --backpressure 8000 --backlog 2048"
    options = f"--port {{port}} --no-ws --no-log {limits} {options}"
    return [sys.executable, "-m", "granian", *options.split(), application]


FRONTS = [
    Front("today's", installations.WEB_ALONE),
    Front("uvicorn, no guard", _uvicorn("bench.fronts:whole")),
    Front("uvicorn, a2wsgi", _uvicorn("bench.fronts:bridged", "--factory"), "a2wsgi"),
    Front("granian, ASGI", _granian("bench.fronts:whole", "--interface asgi --loop uvloop"), "granian"),
    Front(
        "granian, WSGI",
        _granian("bench.fronts:pages", "--interface wsgi --blocking-threads 2"),
        "granian",
        has_streams=False,
    ),
]


class Standing(NamedTuple):
    """A front that is being served."""

    front: Front
    url: str
    env: dict[str, str]

    @property
    def pid(self) -> int:
        return installations.pid_of(self.url)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measures", nargs="*", choices=MEASURES, default=MEASURES)
    parser.add_argument("--fronts", nargs="*", metavar="NAME", help="only those whose names begin so")
    parser.add_argument("--seconds", type=int, default=2, help="of one burst")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, nargs="*", default=[500, 2000])
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--attacks", nargs="*", choices=attacks.ATTACKS, default=ATTACKS)
    args = parser.parse_args()
    args.watchers = 1
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    fronts = list(there(args.fronts))
    if not fronts:
        return
    with installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env:
        collect_static_files(env)
        with contextlib.ExitStack() as stack:
            standing = [stack.enter_context(started(front, env)) for front in fronts]
            if "pages" in args.measures:
                measure_pages(standing, env, args)
            if "streams" in args.measures:
                measure_streams(standing, args)
            if "moves" in args.measures:
                measure_moves(standing, args)
        if "attacks" in args.measures:
            # The limits are what is measured.
            own = {name: text for name, text in env.items() if not name.endswith("_PER_ADDRESS")}
            for front in fronts:
                with started(front, own) as one:
                    attack(one, args.attacks)


def there(names: list[str] | None) -> Iterator[Front]:
    """Give what is asked for and installed."""
    for front in FRONTS:
        if names and not front.name.startswith(tuple(names)):
            continue
        if importlib.util.find_spec(front.needs) is None:
            print(f"{front.name} is left out: {front.needs} is not installed")
        else:
            yield front


def collect_static_files(env: dict[str, str]) -> None:
    """Do for all of them what our own server does when it starts."""
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=installations.ROOT, env=env, check=True)


@contextlib.contextmanager
def started(front: Front, env: dict[str, str]) -> Iterator[Standing]:
    """Serve a copy of the club."""
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as data:
        shutil.copytree(env["DATA_DIR"], data, dirs_exist_ok=True)
        mine = {**env, "DATA_DIR": data}
        with installations.running(front.command, mine) as url:
            yield Standing(front, url, mine)


# ---- pages


def measure_pages(standing: list[Standing], env: dict[str, str], args: argparse.Namespace) -> None:
    """Ask all of them for each page, one after the other, round by round."""
    # The session was in none of the copies; the pages are a visitor's.
    event, _, _ = shared.who(env)
    asked = {"kept": ("/clubs/", "many"), "anew": (f"/events/{event}/", "anew")}
    found: dict[tuple[str, str], shared.Found] = {}
    for _ in range(args.rounds):
        for what, (address, how) in asked.items():
            for one in standing:
                mine = found.setdefault((what, one.front.name), shared.Found())
                shared.ask(mine, one.url, address, how, "", args.seconds)
    print(
        f"\nPages, {args.rounds} rounds of {args.seconds} s, 16 connections, medians; kept is /clubs/, anew an event's page"
    )
    print(f"{'':20}{'pages/s':>9}{'ratio':>7}{'p99 ms':>8}{'CPU ms a page':>15}{'ratio':>7}")
    for what in asked:
        rate_of_first = cpu_of_first = 0.0
        for one in standing:
            mine = found[what, one.front.name]
            rate, p99, cpu = map(statistics.median, (mine.rates, mine.p99, mine.computing))
            rate_of_first, cpu_of_first = rate_of_first or rate, cpu_of_first or cpu
            print(
                f"{what + ': ' + one.front.name:26}{rate:7.0f}{rate / rate_of_first:7.2f}{p99:8.0f}"
                f"{cpu:11.2f}{cpu / cpu_of_first:7.2f}",
                flush=True,
            )


# ---- streams


def measure_streams(standing: list[Standing], args: argparse.Namespace) -> None:
    """Open streams, leave them idle for a moment, then cause events."""
    print(f"\nStreams, {EVENTS} events; ms from the request until the last stream has an event")
    print(
        f"{'':20}{'streams':>8}{'opened s':>10}{'KB each':>9}{'idle CPU ms/s':>15}{'median':>8}{'most':>7}{'heard':>14}"
    )
    for count in args.clients:
        for one in standing:
            if one.front.has_streams:
                print(_streams_line(one, count), flush=True)


def _streams_line(one: Standing, count: int) -> str:
    empty = private_memory(one.pid)
    seen: list[float] = []

    def look() -> None:
        time.sleep(1)
        before = live.cpu_seconds(one.pid)
        time.sleep(IDLE_SECONDS)
        seen.append((live.cpu_seconds(one.pid) - before) / IDLE_SECONDS * 1000)
        seen.append((private_memory(one.pid) - empty) / count / 1024)

    spread = fanout.spread(one.url, one.env, count, events=EVENTS, while_open=look)
    idle, each = seen
    return (
        f"{one.front.name:20}{count:8}{spread.connected:10.1f}{each:9.1f}{idle:15.1f}"
        f"{statistics.median(spread.reached_all):8.0f}{spread.reached_all[-1]:7.0f}{len(spread.waits):7}/{count * EVENTS}"
        + ("" if spread.in_order else "   OUT OF ORDER")
    )


# ---- moves


def measure_moves(standing: list[Standing], args: argparse.Namespace) -> None:
    """Play as fast as it goes; one watches each match where there are streams."""
    print(
        f"\nMoves, {args.matches} matches at once for {args.seconds * 2} s, a stream watches each where there are any"
    )
    print(f"{'':20}{'moves/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'CPU ms a move':>15}{'memory MB':>11}")
    for one in standing:
        asked = argparse.Namespace(
            matches=args.matches, watchers=int(one.front.has_streams), seconds=args.seconds * 2
        )
        played, _, spent = live.played_and_heard(one.url, one.pid, one.env, asked, 0.0)
        acked = played["acked"]
        answers = sorted((answered - at) * 1000 for _, _, at, answered in acked)
        print(
            f"{one.front.name:20}{len(acked) / played['took']:9.0f}{live.at(answers, 0.5):8.0f}{live.at(answers, 0.99):8.0f}"
            f"{spent / max(1, len(acked)) * 1000:15.2f}{private_memory(one.pid) / 1e6:11.0f}   {played['refused'] or ''}",
            flush=True,
        )


# ---- attacks


def attack(one: Standing, names: list[str]) -> None:
    """Attack one server; it need not survive."""
    port, pid = int(one.url.rpartition(":")[2]), working(one.pid)
    token = token_of(one.url) if one.front.has_streams else ""
    print(f"\n{one.front.name}, attacked; no answers: broken off after {LONGEST_ATTACK:.0f} s")
    for name in names:
        if name == "streams" and not token:
            continue
        try:
            longest = LONGEST_PROBES if name == "probes" else LONGEST_ATTACK
            siege = besiege(name, port=port, pid=pid, token=token, longest=longest)
            show_siege(name, siege)
            if siege.said:
                print("   " + siege.said.strip().replace("\n", "\n   "))
        except FileNotFoundError:
            print(f"{name:18} the server is gone")
            return


# ---- processes


def working(root: int) -> int:
    """Return which of a server's processes answers: that with the most memory."""
    return max(tree(root), key=_private)


def private_memory(root: int) -> int:
    """Return the bytes that a server's processes share with nobody."""
    return sum(map(_private, tree(root)))


def _private(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


if __name__ == "__main__":
    main()
