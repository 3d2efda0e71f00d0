"""A federation's weekend through the front door: clubs, events of every format, spectators, live matches, faults.

    python -m bench.weekend [--services] [--minutes 20] [--seed 1] [--events 30] [--streams 300] [--faults]

Two directors enter the results of each club's events, without knowing of each other, through the API; spectators read pages and
follow streams; matches that a script has set up are played live. What was acknowledged is written outside of the product and compared with what it
says at the end, with the places by rules of a few lines, and `manage.py verify` runs. With --faults, processes are killed and
servers stopped meanwhile. Load and product share the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from bench import installations, live, weekend_check
from bench.weekend_people import Hand, Journal, direct, is_over, look
from tests import services
from tests.attack import client as strangers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CLUBS: Final = 8
SPECTATORS: Final = 4
# Until everything is over, after the time; then an event counts as unfinished.
LONGEST_END: Final = 300.0
REDIS_AWAY: Final = 10.0
# Seconds in which streams may still deliver.
LAST_EVENTS: Final = 3.0
# Between two faults: long enough to start everything again.
SHORTEST_PEACE: Final = 20.0
MOST_SHOWN: Final = 40
# Every format, with options where one cannot do without, and every template.
FORMATS: Final[tuple[tuple[str, dict[str, Any], tuple[int, ...]], ...]] = (
    ("single-elimination", {}, (8, 32, 128)),
    ("double-elimination", {}, (8, 16, 48)),
    ("consolation", {}, (16, 32)),
    ("progressive-consolation", {}, (12, 16)),
    ("feed-in", {}, (12, 24)),
    ("first-match-losers", {}, (16,)),
    ("last-chance", {}, (16, 32)),
    ("swiss", {"rounds": 5}, (9, 24, 64)),
    ("lives", {"lives": 2}, (8, 20)),
    ("round-robin", {}, (6, 10)),
    ("groups", {"size": 4}, (8, 16)),
    ("league", {}, (6, 8)),
)
TEMPLATES: Final = (
    "club-night", "swiss", "weekend", "double", "groups", "round-robin", "lives", "beginners", "novices", "league",
)  # fmt: skip


@dataclass
class Weekend:
    """What is set up: by club its director's token and events, and of each event its format."""

    tokens: dict[str, str] = field(default_factory=dict)
    events: dict[str, list[str]] = field(default_factory=dict)
    formats: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    players: int = 0

    @property
    def keys(self) -> list[str]:
        return [key for keys in self.events.values() for key in keys]


def set_up(url: str, chance: random.Random, count: int) -> Weekend:
    """Found the clubs and start the events, by HTTP alone."""
    made = Weekend()
    port = int(url.rpartition(":")[2])
    directors = []
    for _ in range(min(CLUBS, count)):
        director = strangers.sign_up(port)
        club = strangers.found_club(director)
        made.tokens[club], made.events[club] = director.token, []
        directors.append((director, club))
    for number in range(count):
        director, club = directors[number % len(directors)]
        key, size = _start(director, club, number, chance, made)
        made.events[club].append(key)
        made.players += size
    return made


def _start(
    director: strangers.Client, club: str, number: int, chance: random.Random, made: Weekend
) -> tuple[str, int]:
    """Start an event: each format in turn, then each template."""
    at = number % (len(FORMATS) + len(TEMPLATES))
    if at < len(FORMATS):
        form, options, sizes = FORMATS[at]
        size, plan = chance.choice(sizes), {"stages": [{"format": form, "options": options}]}
    else:
        form, options = "", {}
        size, plan = chance.choice((8, 10, 12)), {"template": TEMPLATES[at - len(FORMATS)]}
    status, told = director.call(
        "POST",
        "events/",
        {
            "club": club,
            "name": f"Event {number}",
            "starts_at": "2030-01-01T19:00:00Z",
            "match_length": chance.choice([1, 3, 5]),
            "plan": plan,
        },
    )
    strangers.expect(status == 201, "make an event", status, told)
    key = str(told["key"])
    for act, fields in (
        ("publish", {}),
        ("admit-named", {"names": [f"Guest {number} {each}" for each in range(size)]}),
        ("publish-draw", {}),
    ):
        status, told = director.act(key, act, **fields)
        strangers.expect(status == 200, act, status, told)
    made.formats[key] = (form, options)
    return key, size


class Site:
    """An installation of one process or of several, each of which can be killed and started again."""

    def __init__(self, env: dict[str, str], roles: dict[str, list[str]], log: Path) -> None:
        self.env = env
        self.roles = roles
        self.url = f"http://127.0.0.1:{env['PORT']}"
        self.folder = log.parent
        self._log = log.open("ab")
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.others: list[subprocess.Popen[bytes]] = []
        # CPU seconds of processes that are gone.
        self._used: Counter[str] = Counter()

    def start(self, role: str) -> None:
        self._running[role] = subprocess.Popen(
            self.roles[role],
            cwd=installations.ROOT,
            env=self.env,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def open(self) -> None:
        """Start all processes, and wait for the first answer."""
        for role in self.roles:
            self.start(role)
        hand = Hand(self.url, Journal())
        hand.read("start", "/healthz")
        hand.close()

    def kill(self, role: str, number: int = signal.SIGKILL) -> None:
        """Kill a process with its children, or ask it to end."""
        process = self._running[role]
        self._used[role] += live.cpu_seconds(process.pid)
        os.killpg(process.pid, number)
        process.wait(30)

    def count_cpu(self) -> dict[str, float]:
        """Return the CPU seconds so far, by role."""
        return {
            role: self._used[role] + live.cpu_seconds(process.pid) for role, process in self._running.items()
        }

    def close(self) -> None:
        for role in self._running:
            self.kill(role, signal.SIGTERM)
        for process in self.others:
            process.kill()
            process.wait()
        self._log.close()


@contextlib.contextmanager
def opened(with_services: bool, folder: Path) -> Iterator[Site]:
    """Start an installation, with PostgreSQL and Redis or without."""
    env = {
        **os.environ, "DATA_DIR": str(folder / "data"), "LOG_LEVEL": "WARNING", "TRUSTED_PROXIES": "0",
        "CONNECTIONS_PER_ADDRESS": "20000", "STREAMS_PER_ADDRESS": "20000", "PORT": str(services.free_port()),
        "DATABASE_URL": "", "REDIS_URL": "",
    }  # fmt: skip
    roles = {"web": installations.EMBEDDED}
    with contextlib.ExitStack() as stack:
        if with_services:
            both = stack.enter_context(services.both())
            env |= {
                "DATABASE_URL": both["DATABASE_URL"],
                "REDIS_URL": both["REDIS_URL"],
                "WEB_PROCESSES": "2",
            }
            schedule = [*installations.BEAT, "--schedule", str(folder / "beat")]
            roles = {"web": installations.WEB_ALONE, "worker": installations.WORKER, "beat": schedule}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=installations.ROOT,
            env=env,
            check=True,
            stderr=subprocess.DEVNULL,
        )
        site = Site(env, roles, folder / "site.log")
        stack.callback(site.close)
        site.open()
        yield site


def break_things(site: Site, over: threading.Event, pause: float, done: list[str]) -> None:
    """Kill each process in turn, restart PostgreSQL hard, and take Redis away until it comes back empty."""
    faults: list[tuple[str, Callable[[], None]]] = [
        (f"{role} killed", functools.partial(_kill_and_start, site, role)) for role in site.roles
    ]
    if site.env["DATABASE_URL"]:
        faults += [("PostgreSQL restarted", functools.partial(_restart_postgresql, site))]
        faults += [("Redis away", functools.partial(_take_redis_away, site, over))]
    for name, fault in itertools.cycle(faults):
        if over.wait(pause):
            return
        fault()
        done.append(name)


def _kill_and_start(site: Site, role: str) -> None:
    site.kill(role)
    site.start(role)


def _restart_postgresql(site: Site) -> None:
    import psycopg

    with psycopg.connect(site.env["DATABASE_URL"]) as connection:
        found = connection.execute("SHOW data_directory").fetchone()
    assert found is not None
    services.restart_at_once(Path(found[0]).parent)


def _take_redis_away(site: Site, over: threading.Event) -> None:
    import redis

    server = redis.Redis.from_url(site.env["REDIS_URL"])
    pid = server.info()["process_id"]
    port = urlsplit(site.env["REDIS_URL"]).port
    os.kill(pid, signal.SIGKILL)
    over.wait(REDIS_AWAY)
    folder = tempfile.mkdtemp(prefix="redis-", dir=site.folder)
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
    site.others.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))


@contextlib.contextmanager
def watched(url: str, pages: list[str], folder: Path) -> Iterator[dict[str, Any]]:
    """Have a process follow these pages; the yielded mapping is filled when the block ends."""
    file = folder / "pages.json"
    file.write_text(json.dumps(pages))
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.weekend_people", "watch", url, str(file)],
        cwd=installations.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    live.await_word(process, "open")
    heard: dict[str, Any] = {}
    yield heard
    time.sleep(LAST_EVENTS)
    process.communicate("enough\n", timeout=60)
    heard |= json.loads(Path(f"{file}.heard").read_text())


@contextlib.contextmanager
def played(
    url: str, env: dict[str, str], matches: int, rate: float, seconds: float, folder: Path
) -> Iterator[dict[str, Any]]:
    """Have matches played live meanwhile; the yielded mapping is filled when the block ends."""
    found: dict[str, Any] = {}
    if not matches:
        yield found
        return
    file = live.seeded(env, matches, 5, str(folder))
    watch = subprocess.Popen(
        [*live.CLIENTS, "watch", url, file, "2"],
        cwd=installations.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    live.await_word(watch, "open")
    play = subprocess.Popen(
        [*live.CLIENTS, "play", url, file, str(rate), str(seconds)],
        cwd=installations.ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    live.await_word(play, "sealed")
    yield found
    play.wait(seconds + 120)
    watch.communicate("enough\n", timeout=60)
    moves, heard = (json.loads(Path(f"{file}.{what}").read_text()) for what in ("played", "heard"))
    sent = {(key, seq): at for key, seqs, at, _ in moves["acked"] for seq in seqs}
    found["answer"] = [answered - at for _, _, at, answered in moves["acked"]]
    found["watcher"] = [at - sent[key, seq] for key, seq, at in heard if (key, seq) in sent]
    found["refused"] = moves["refused"]


def run(asked: argparse.Namespace, folder: Path) -> int:
    """Play the weekend and print what came of it; return the exit status."""
    chance = random.Random(asked.seed)
    journal = Journal()
    seconds = asked.minutes * 60
    with opened(asked.services, folder) as site:
        url = site.url
        made = set_up(url, chance, asked.events)
        print(f"{len(made.tokens)} clubs, {len(made.keys)} events, {made.players} players", flush=True)
        pages = [f"/events/{chance.choice(made.keys)}/" for _ in range(asked.streams)]
        over = threading.Event()
        before, began = site.count_cpu(), time.monotonic()
        faults: list[str] = []
        with (
            watched(url, pages, folder) as heard,
            played(url, site.env, asked.boards, asked.boards / 7, seconds, folder) as moves,
        ):
            people = _start_people(url, made, journal, asked, over)
            if asked.faults:
                people.append(
                    threading.Thread(
                        target=break_things,
                        args=(site, over, max(SHORTEST_PEACE, seconds / 20), faults),
                        name="fault",
                    )
                )
                people[-1].start()
            _wait_for(people, began + seconds + LONGEST_END)
            over.set()
            for person in people:
                person.join(60)
        took = time.monotonic() - began
        used = {role: spent - before[role] for role, spent in site.count_cpu().items()}
        problems = _look_back(url, made, journal, heard, site.env)
    if not asked.faults:
        problems += [line for line in (folder / "site.log").read_text().splitlines() if "rror" in line]
    show(journal, moves, heard, used, took)
    print(f"faults: {', '.join(faults) or 'none'}")
    for problem in problems[:MOST_SHOWN]:
        print(f"    {problem}")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


def _start_people(
    url: str, made: Weekend, journal: Journal, asked: argparse.Namespace, over: threading.Event
) -> list[threading.Thread]:
    """Start two directors a club, so that all is played about when the time is over, and the spectators."""
    matches = 2.2 * made.players
    pace = asked.minutes * 60 * 0.7 * 2 * len(made.tokens) / matches
    people = []
    for club, events in made.events.items():
        for number in range(2):
            hand = Hand(url, journal, made.tokens[club])
            rng = random.Random(f"{asked.seed} {club} {number}")
            people.append(
                threading.Thread(target=direct, args=(hand, events, pace, over, rng), name="director")
            )
    for number in range(SPECTATORS):
        rng = random.Random(f"{asked.seed} spectator {number}")
        arguments = (Hand(url, journal), made.keys, list(made.tokens), SPECTATORS / asked.pages, over, rng)
        people.append(threading.Thread(target=look, args=arguments, name="spectator"))
    for person in people:
        person.start()
    return people


def _wait_for(people: list[threading.Thread], until: float) -> None:
    """Wait until the directors have finished their events, at the longest until then."""
    for person in people:
        if person.name == "director":
            person.join(max(1.0, until - time.monotonic()))


def _look_back(
    url: str, made: Weekend, journal: Journal, heard: dict[str, Any], env: dict[str, str]
) -> list[str]:
    """Return everything that is wrong at the end."""
    problems = list(journal.errors)
    problems += [f"a stream has a gap: {gap}" for gap in heard["gaps"]]
    for club, events in made.events.items():
        hand = Hand(url, Journal(), made.tokens[club])
        problems += [
            f"{event} is not over: {made.formats[event]}" for event in events if not is_over(hand, event)
        ]
        finished = {event: made.formats[event] for event in events if is_over(hand, event)}
        acts = [act for act in journal.acts if act[0] in finished]
        problems += weekend_check.check(hand, finished, acts)
        hand.close()
    done = subprocess.run(
        [sys.executable, "manage.py", "verify"],
        cwd=installations.ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        problems += [f"verify: {line}" for line in (done.stdout + done.stderr).splitlines()]
    return problems


def show(
    journal: Journal, moves: dict[str, Any], heard: dict[str, Any], used: dict[str, float], took: float
) -> None:
    """Print the times by kind of request, refusals, streams, and CPU by role."""
    print(f"{'':34}{'number':>8}{'a second':>10}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    kinds = journal.times | {
        f"live move, {name}": moves[name] for name in ("answer", "watcher") if name in moves
    }
    for kind in sorted(kinds):
        times = sorted(kinds[kind])
        spread = "".join(f"{live.at(times, share) * 1000:9.0f}" for share in (0.5, 0.95, 0.99, 1.0))
        print(f"{kind:34}{len(times):8}{len(times) / took:10.1f}{spread}")
    print(f"streams: {heard['events']} events, {heard['broken']} reopened, {len(heard['gaps'])} gaps")
    print(f"acknowledged acts {len(journal.acts)}, sent again {journal.repeated}")
    print(
        f"refused: {', '.join(f'{name} {count}' for name, count in journal.refusals.most_common()) or 'none'}"
    )
    print(f"CPU: {', '.join(f'{role} {spent:.1f} s' for role, spent in used.items())} in {took:.0f} s")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.weekend",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--services", action="store_true", help="PostgreSQL, Redis, two web processes, worker, beat"
    )
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, default=30)
    parser.add_argument("--streams", type=int, default=300)
    parser.add_argument("--boards", type=int, default=20, help="matches played live")
    parser.add_argument("--faults", action="store_true", help="kill processes and stop servers meanwhile")
    parser.add_argument("--pages", type=float, default=8, help="pages a second")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="barpoint-weekend-") as folder:
        return run(asked, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
