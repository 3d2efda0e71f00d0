"""The effect of attacks on other visitors and on the server.

    python -m bench.attacks [--set-ups embedded services] [NAME ...]

Starts the product as its users do, on a demo club, with its own limits: embedded (one process, SQLite), and
with services (web, worker and beat, PostgreSQL and Redis). Visitors at other addresses request a page and
/healthz, and save a setting, first without an attack, then during each attack of tests/attack. CPU and memory
are those of all processes of the product with their children, without PostgreSQL and Redis; disk is the
database and the data folder. Prints a line for each attack, then one for each goal.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench import installations
from bench.live import await_rest, helpers
from tests import services
from tests.attack import attacks, strangers
from tests.attack.besieged import PAUSE, WRITER, MemoryMeter, Siege, besiege, visit, write
from tests.attack.client import Client, sign_up

EMBEDDED, SERVICES = "embedded", "services"
NAMES = [*attacks.ATTACKS, *strangers.ATTACKS]
CALM_VISITS = 200
# The goals, in seconds and bytes.
LONGEST_WAIT = 0.3
MOST_GROWTH = 100_000_000
MOST_DISK = 100_000_000
# Refused requests store nothing; this allows for sessions, counters and database pages.
MOST_KEPT = 4_000_000


class Target(NamedTuple):
    """An installation under attack."""

    url: str
    pid: int
    also: list[int]
    log: Path
    measure_disk: Callable[[], int]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--set-ups", nargs="*", choices=(EMBEDDED, SERVICES), default=[EMBEDDED, SERVICES])
    args = parser.parse_args()
    if unknown := {*args.names} - {*NAMES}:
        parser.error(f"unknown attacks: {', '.join(unknown)}")
    for set_up in args.set_ups:
        with embedded() if set_up == EMBEDDED else with_services() as target:
            attack_all(set_up, target, args.names or NAMES)


@contextlib.contextmanager
def embedded() -> Iterator[Target]:
    with (
        installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env,
        _served(installations.EMBEDDED, env, []) as target,
    ):
        yield target


@contextlib.contextmanager
def with_services() -> Iterator[Target]:
    with (
        services.both() as both,
        installations.with_demo(both) as env,
        helpers(env) as also,
        _served(installations.WEB_ALONE, env, also) as target,
    ):
        yield target


@contextlib.contextmanager
def _served(command: list[str], env: dict[str, str], also: list[int]) -> Iterator[Target]:
    # Keep the default limits, which are measured here.
    own = {name: text for name, text in env.items() if not name.endswith("_PER_ADDRESS")}
    # Simulates an IPv6 network by proxy headers; requests without one count by their own address.
    own |= {"LOG_LEVEL": "INFO", "TRUSTED_PROXIES": "1"}
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as folder:
        log = Path(folder) / "log"
        with installations.running(command, own, log=log) as url:
            yield Target(url, installations.pid_of(url), also, log, lambda: disk_of(own))


def disk_of(env: dict[str, str]) -> int:
    """Return the size of the data folder and the database together, in bytes."""
    files = (path for path in Path(env["DATA_DIR"]).rglob("*") if path.is_file())
    used = 0
    for path in files:
        with contextlib.suppress(OSError):
            used += path.stat().st_size
    if env["DATABASE_URL"]:
        import psycopg

        with psycopg.connect(env["DATABASE_URL"]) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
            used += row[0] if row else 0
    return used


def attack_all(set_up: str, target: Target, names: list[str]) -> None:
    """Run the attacks one after the other; print a line for each, then whether each goal holds."""
    await_rest(target.pid)
    token, account = token_of(target.url), sign_up(target.port, source=WRITER)
    print(f"\n{set_up}, load of the machine {os.getloadavg()[0]:.1f}; waits in ms: p50, p99, longest")
    print(
        f"{'':24}{'visits':>7}{'page':>17}{'/healthz':>17}{'write':>17}"
        f"{'memory':>10}{'CPU':>9}{'disk':>9}   answers"
    )
    calm = watch_calm(target, account)
    show("nobody", calm)
    print(f"{'':24} memory of all processes then: {calm.most_memory / 1e6:.0f} MB; below, growth over that")
    sieges = {}
    for name in names:
        siege = besiege(
            name,
            port=target.port,
            pid=target.pid,
            token=token,
            also=target.also,
            measure_disk=target.measure_disk,
            account=account,
            calm_memory=calm.most_memory,
        )
        log = target.log.read_text(errors="replace")
        siege.leaked += [
            f"{log.count(secret)} lines of the log have the code" for secret in siege.secrets if secret in log
        ]
        show(name, siege)
        sieges[name] = siege
        await_rest(target.pid)
    show_verdicts(set_up, sieges)


def watch_calm(target: Target, account: Client) -> Siege:
    calm, meter = Siege(), MemoryMeter((target.pid, *target.also))
    meter.start()
    for number in range(CALM_VISITS):
        calm.visits.append(visit(target.port))
        calm.health.append(visit(target.port, "/healthz"))
        if number % 20 == 0:
            calm.writes.append(write(account))
        time.sleep(PAUSE)
    meter.stop()
    calm.most_memory = meter.most
    return calm


def show_verdicts(set_up: str, sieges: dict[str, Siege]) -> None:
    """Print whether each goal holds, and the attacks for which it does not."""
    failures = {
        f"no other visitor waits longer than {LONGEST_WAIT * 1000:.0f} ms": {
            name: f"{siege.longest_wait * 1000:.0f} ms"
            for name, siege in sieges.items()
            if siege.longest_wait > LONGEST_WAIT
        },
        f"memory grows by less than {MOST_GROWTH / 1e6:.0f} MB": {
            name: f"{siege.memory_growth / 1e6:.0f} MB"
            for name, siege in sieges.items()
            if siege.memory_growth >= MOST_GROWTH
        },
        "nothing is kept that was refused": {
            name: f"{siege.disk_growth / 1e6:.1f} MB"
            for name, siege in sieges.items()
            if siege.is_refused and siege.disk_growth > MOST_KEPT
        },
        f"what is taken grows the disk by less than {MOST_DISK / 1e6:.0f} MB": {
            name: f"{siege.disk_growth / 1e6:.0f} MB"
            for name, siege in sieges.items()
            if siege.disk_growth >= MOST_DISK
        },
        "nothing is told to those who must not know": {
            name: "; ".join(siege.leaked) for name, siege in sieges.items() if siege.leaked
        },
        "no attack ends in an error of the server": {
            name: ", ".join(f"{status}: {count}" for status, count in siege.outcomes.items() if status >= 500)
            for name, siege in sieges.items()
            if name in strangers.ATTACKS and any(status >= 500 for status in siege.outcomes)
        },
        "every attack was carried out": {
            name: siege.said.strip()[-300:] for name, siege in sieges.items() if not siege.outcomes
        },
    }
    print(f"\n{set_up}: {len(sieges)} attacks")
    for goal, found in failures.items():
        told = "; ".join(f"{name} ({why})" for name, why in found.items())
        print(f"  {'FAILS' if found else 'holds'}  {goal}{': ' + told if told else ''}", flush=True)


def token_of(url: str) -> str:
    """Return a token for a public stream."""
    listed = json.load(urllib.request.urlopen(f"{url}/api/v1/events/"))
    event = json.load(urllib.request.urlopen(f"{url}/api/v1/events/{listed['results'][0]['key']}/"))
    return str(event["live"]["token"])


def show(name: str, siege: Siege) -> None:
    refused = sum(status != 200 for status, _ in siege.visits)
    print(
        f"{name:24}{len(siege.visits):7}{_waits(siege.visits)}{_waits(siege.health)}{_waits(siege.writes)}"
        f"{siege.memory_growth / 1e6:+7.0f} MB{siege.cpu_seconds:7.1f} s"
        f"{siege.disk_growth / 1e6:6.1f} MB   "
        + ", ".join(f"{status}: {count}" for status, count in siege.outcomes.items())
        + (f"; {refused} visits refused" if refused else "")
        + "".join(f"; {each}" for each in siege.leaked),
        flush=True,
    )


def _waits(found: list[tuple[int, float]]) -> str:
    times = sorted(seconds * 1000 for _, seconds in found)
    if not times:
        return " " * 17
    return f"{times[len(times) // 2]:5.0f}{times[len(times) * 99 // 100]:6.0f}{times[-1]:6.0f}"


if __name__ == "__main__":
    main()
