"""A federation's weekend through the front door: clubs, events of every format, everybody in them, and faults.

    python -m bench.weekend [--services] [--minutes 20] [--seed 1] [--events 30] [--streams 300] [--faults] [--older FOLDER]

Two directors enter the results of each club's events, without knowing of each other, through the API. At the tables players
report, confirm and dispute by phone or keep a score sheet whose network is cut; records are handed in; helpers enter results
until their link is taken back; fees are paid, and prizes paid out; rooms call their matches; spectators read pages and follow
streams; matches that a script has set up are played live, or left and lost on time. What was acknowledged is written outside
of the product and compared with what it says at the end: results, places by rules of a few lines, ratings by the formula, money
to the cent. `manage.py verify` runs. With --faults, processes are killed and frozen, servers stopped, the disk filled, and the
network loses and repeats requests; --older has a worker of an earlier release beside ours. Load and product share the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import sub
from pathlib import Path
from typing import Any, Final

from bench import installations, live, weekend_check, weekend_clocks, weekend_tables
from bench.weekend_hand import BadNetwork, Hand, Journal
from bench.weekend_people import direct, is_over, look
from bench.weekend_site import Queues, Site, Written, break_things, find_waits, opened
from tests.attack import client as strangers

CLUBS: Final = 8
SPECTATORS: Final = 4
# Until everything is over, after the time; then an event counts as unfinished.
LONGEST_END: Final = 300.0
# Until work that is due has been done, and streams have delivered.
LONGEST_REST: Final = 60.0
LAST_EVENTS: Final = 3.0
# So many matches a player, where it is not about two.
MATCHES: Final = {"single-elimination": 1.0, "swiss": 2.5, "round-robin": 4.0, "league": 3.5}
# Seconds in which everybody has come.
LAST_TO_COME: Final = 60.0
# Between two faults: long enough to start everything again.
SHORTEST_PEACE: Final = 20.0
# With faults, one act in so many is late, one sent twice, one without its answer.
BAD_NETWORK: Final = 0.02
TABLES: Final = 12
# One of so many live matches is against a bot.
BOTS: Final = 5
MOST_SHOWN: Final = 40
# Lines of the log that must not be there if nothing has been broken.
FAILED: Final = re.compile(r"Traceback|\[(?:error|critical)(?!.*(?: status=503$|Service Unavailable))")
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
    """The setup of a weekend: the director and events of each club, and the format of each event."""

    directors: dict[str, strangers.Client] = field(default_factory=dict)
    events: dict[str, list[str]] = field(default_factory=dict)
    formats: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    # Events with fees and prizes.
    paid: set[str] = field(default_factory=set)
    players: dict[str, int] = field(default_factory=dict)

    @property
    def keys(self) -> list[str]:
        return [key for keys in self.events.values() for key in keys]


def set_up(site: Site, journal: Journal, chance: random.Random, count: int) -> Weekend:
    """Found the clubs and start the events, by HTTP alone; every second club has a room."""
    made = Weekend()
    for number in range(1, min(CLUBS, count) + 1):
        # Each club has its own network.
        director = strangers.sign_up(int(site.env["PORT"]), source=f"127.0.1.{number}")
        club = strangers.found_club(director)
        made.directors[club], made.events[club] = director, []
        status, told = director.call(
            "POST", "rating-lists/", {"club": club, "name": "Club", "system": "fibs"}
        )
        strangers.expect(status == 201, "open a list", status, told)
    clubs = list(made.directors)
    for number in range(count):
        at = number % len(clubs)
        key = _start(made, clubs[at], number, chance, Hands(site.url, journal, made.directors[clubs[at]]))
        made.events[clubs[at]].append(key)
    return made


class Hands:
    """A director's program, which has a token, and the browser with its session."""

    def __init__(
        self, url: str, journal: Journal, director: strangers.Client, network: BadNetwork | None = None
    ) -> None:
        self.api = Hand(url, journal, director.token, source=director.source, network=network)
        self.pages = Hand(url, journal, source=director.source)
        self.pages.cookies = dict(director.cookies)


def _start(made: Weekend, club: str, number: int, chance: random.Random, hands: Hands) -> str:
    """Start an event: each format in turn, then each template; some have money, some are in the club's room."""
    director = made.directors[club]
    at = number % (len(FORMATS) + len(TEMPLATES))
    if at < len(FORMATS):
        form, options, sizes = FORMATS[at]
        size = chance.choice(sizes)
        plan: dict[str, Any] = {"stages": [{"format": form, "options": options}]}
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
    made.formats[key] = (form, options)
    if number % 3 == 0:
        weekend_tables.set_money(hands.api, key)
        made.paid.add(key)
    for act, fields in (
        ("publish", {}),
        ("admit-named", {"names": [f"Guest {number} {each}" for each in range(size)]}),
    ):
        status, told = director.act(key, act, **fields)
        strangers.expect(status == 200, act, status, told)
    if list(made.directors).index(club) % 2 == 0:
        if not made.events[club]:
            weekend_tables.open_room(hands.pages, club, TABLES)
        weekend_tables.use_room(hands.pages, key)
    status, told = director.act(key, "publish-draw")
    if status != 200 and told["code"] == "not_checked_in":
        director.act(key, "check-in-for", entries=list(range(1, size + 1)), here=True)
        status, told = director.act(key, "publish-draw")
    strangers.expect(status == 200, "publish-draw", status, told)
    made.players[key] = size
    return key


@contextlib.contextmanager
def watched(url: str, pages: list[str], folder: Path) -> Iterator[dict[str, Any]]:
    """Have a process follow these pages; the yielded mapping is filled when the block ends."""
    file = folder / "pages.json"
    file.write_text(json.dumps(pages))
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.weekend_watchers", url, str(file)],
        cwd=installations.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    heard: dict[str, Any] = {}
    try:
        live.await_word(process, "open")
        yield heard
        time.sleep(LAST_EVENTS)
        process.communicate("enough\n", timeout=60)
    finally:
        process.kill()
    heard |= json.loads(Path(f"{file}.heard").read_text())


@contextlib.contextmanager
def played(
    url: str, env: dict[str, str], matches: int, rate: float, seconds: float, folder: Path
) -> Iterator[dict[str, Any]]:
    """Play live matches in the background during the block.

    The yielded mapping is filled when the block ends.
    """
    found: dict[str, Any] = {}
    if not matches:
        yield found
        return
    file = live.seeded(env, str(folder), count=matches, points=5, bots=matches // BOTS)
    with contextlib.ExitStack() as stack:

        def start(*arguments: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [*live.CLIENTS, *arguments],
                cwd=installations.ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.callback(process.kill)
            return process

        watch = start("watch", url, file, "2")
        live.await_word(watch, "open")
        play = start("play", url, file, str(rate), str(seconds))
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
    log = asked.log or folder / "site.log"
    with opened(asked.services, folder, log, asked.older) as site:
        made = set_up(site, journal, chance, asked.events)
        print(
            f"{len(made.directors)} clubs, {len(made.keys)} events, {sum(made.players.values())} players",
            flush=True,
        )
        pages = [f"/events/{chance.choice(made.keys)}/" for _ in range(asked.streams)]
        over = threading.Event()
        used, began = site.count_cpu(), time.monotonic()
        # A restart of PostgreSQL resets its statistics.
        is_counted = asked.services and not asked.faults
        before = site.count_written() if is_counted else None
        faults: list[str] = []
        queues = Queues(site)
        queues.start()
        with (
            watched(site.url, pages, folder) as heard,
            played(site.url, site.env, asked.boards, asked.boards / 7, seconds, folder) as moves,
            weekend_clocks.left(site.url, site.env, asked.left, seconds, folder / "left") as lost,
        ):
            people = _start_people(site.url, made, journal, asked, over)
            if asked.faults:
                pause = max(SHORTEST_PEACE, seconds / 20)
                arguments = (site, over, pause, faults)
                people.append(
                    threading.Thread(target=break_things, args=arguments, name="fault", daemon=True)
                )
                people[-1].start()
            _wait_for(people, began + seconds + LONGEST_END)
            over.set()
            for person in people:
                person.join(60)
        took = time.monotonic() - began
        spent = {role: now - used[role] for role, now in site.count_cpu().items()}
        written = Written(*map(sub, site.count_written(), before)) if before else None
        memory = site.count_memory()
        problems = [*_wait_for_rest(queues), *_look_back(site.url, made, journal, heard, site.env)]
        waits = find_waits(site)
        queues.stop()
        problems += lost["problems"]
        if not asked.faults:
            problems += weekend_clocks.find_late(lost["late"])
            problems += [line for line in log.read_text().splitlines() if FAILED.search(line)]
    moves = {f"live move, {name}": moves.get(name, []) for name in ("answer", "watcher")}
    show(journal, moves | {"lost after its time": lost["late"]}, heard, took)
    show_machine(journal, queues, spent, memory, written, took)
    show_waits(waits)
    print(f"faults: {', '.join(faults) or 'none'}")
    for problem in problems[:MOST_SHOWN]:
        print(f"    {problem}")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


def _wait_for_rest(queues: Queues) -> list[str]:
    """Wait until nothing is left to do; return the queues in which there is."""
    until = time.monotonic() + LONGEST_REST
    while True:
        queues.read()
        left = {queue: lengths[-1] for queue, lengths in queues.lengths.items() if lengths[-1]}
        if queues.lengths and not left:
            return []
        if time.monotonic() > until:
            return [f"{length:.0f} are left in the queue {queue}" for queue, length in left.items()] or [
                "the queues could not be read"
            ]
        time.sleep(1.0)


def _start_people(
    url: str, made: Weekend, journal: Journal, asked: argparse.Namespace, over: threading.Event
) -> list[threading.Thread]:
    """Start two directors a club, so that all is played about when the time is over, and everybody else."""
    people: list[threading.Thread] = []

    def start(name: str, target: Any, *arguments: Any) -> None:
        rng = random.Random(f"{asked.seed} {name} {len(people)}")

        def come() -> None:
            # The clients start at random times, one after another, not all at once.
            over.wait(rng.uniform(0, min(LAST_TO_COME, asked.minutes * 6)))
            target(*arguments, over, rng)

        people.append(threading.Thread(target=come, name=name, daemon=True))

    for club, events in made.events.items():
        matches = sum(MATCHES.get(made.formats[event][0], 2.2) * made.players[event] for event in events)
        # Two directors and the tables enter most results.
        pace = asked.minutes * 60 * 0.7 * 3 / matches

        def hands(who: str, club: str = club) -> Hands:
            rng = random.Random(f"{asked.seed} line {club} {who}")
            network = BadNetwork(rng, BAD_NETWORK) if asked.faults else None
            return Hands(url, journal, made.directors[club], network)

        for number in range(2):
            start("director", direct, hands(f"director {number}").api, events, pace)
        table = hands("tables")
        start("tables", weekend_tables.keep_tables, table.api, table.pages, events, pace)
        start("records", weekend_tables.keep_records, hands("records").api, club, events, 10 * pace)
        if paid := [event for event in events if event in made.paid]:
            start("till", weekend_tables.keep_till, hands("till").api, paid, asked.minutes * 60 * 0.6)
        helper = hands("helper")
        start("helper", weekend_tables.help_out, helper.api, helper.pages, events[0], pace)
    for number in range(1, SPECTATORS + 1):
        hand = Hand(url, journal, source=f"127.0.2.{number}")
        start("spectator", look, hand, made.keys, list(made.events), SPECTATORS / asked.pages)
    start("rooms", weekend_tables.watch_rooms, Hand(url, journal, source="127.0.3.1"), list(made.events))
    for person in people:
        person.start()
    return people


def _wait_for(people: list[threading.Thread], until: float) -> None:
    """Wait until the directors have finished their events and the tills are empty, at the longest until then."""
    for person in people:
        if person.name in {"director", "till"}:
            person.join(max(1.0, until - time.monotonic()))


def _look_back(
    url: str, made: Weekend, journal: Journal, heard: dict[str, Any], env: dict[str, str]
) -> list[str]:
    """Return everything that is wrong at the end."""
    problems = list(journal.errors)
    problems += [f"a stream has a gap: {gap}" for gap in heard["gaps"]]
    terms = weekend_check.MoneyTerms(weekend_tables.ADDED, weekend_tables.RAKE_PERCENT, weekend_tables.PRIZES)
    for club, events in made.events.items():
        hand = Hand(url, Journal(), made.directors[club].token)
        problems += [
            f"{event} is not over: {made.formats[event]}" for event in events if not is_over(hand, event)
        ]
        finished = {event: made.formats[event] for event in events if is_over(hand, event)}
        acts = [act for act in journal.acts if act[0] in finished]
        problems += weekend_check.check(hand, finished, acts, journal.unsure)
        problems += weekend_check.check_ratings(hand, club, finished, acts)
        paid = {event: form for event, (form, _options) in finished.items() if event in made.paid}
        problems += weekend_check.check_money(hand, paid, journal.money, terms)
        problems += hand.journal.errors
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


def show(journal: Journal, matches: dict[str, list[float]], heard: dict[str, Any], took: float) -> None:
    """Print the times by kind of request, refusals and streams."""
    print(f"{'':34}{'number':>8}{'a second':>10}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    kinds = journal.times | matches
    kinds["all pages"] = [
        each for kind, times in journal.times.items() if kind.startswith("page") for each in times
    ]
    for kind in sorted(kinds):
        times = sorted(kinds[kind])
        spread = "".join(f"{live.at(times, share) * 1000:9.0f}" for share in (0.5, 0.95, 0.99, 1.0))
        print(f"{kind:34}{len(times):8}{len(times) / took:10.1f}{spread}")
    print(f"streams: {heard['events']} events, {heard['broken']} reopened, {len(heard['gaps'])} gaps")
    lines = sum(map(len, journal.money.values()))
    print(f"acknowledged: {len(journal.acts)} acts, {lines} lines of money; sent again {journal.repeated}")
    for what, counts in (("refused", journal.refusals), ("network", journal.network)):
        print(f"{what}: {', '.join(f'{name} {count}' for name, count in counts.most_common()) or 'none'}")


def show_machine(
    journal: Journal,
    queues: Queues,
    spent: dict[str, float],
    memory: dict[str, float],
    written: Written | None,
    took: float,
) -> None:
    """Print what the processes and the database used, and how long work waited."""
    for role in spent:
        print(f"{role}: CPU {spent[role]:.1f} s in {took:.0f} s, {memory[role]:.0f} MB")
    acts = max(1, len(journal.acts) + sum(map(len, journal.money.values())))
    if written is not None:
        print(f"written an act: {written.size / acts / 1000:.1f} kB, {written.rows / acts:.1f} rows")
    oldest = sorted(queues.oldest)
    print(
        f"oldest due work: p50 {live.at(oldest, 0.5):.2f} s, p99 {live.at(oldest, 0.99):.2f} s, "
        f"max {live.at(oldest, 1.0):.2f} s"
    )
    for queue, lengths in sorted(queues.lengths.items()):
        print(f"queue {queue}: at most {max(lengths):.0f}, in the end {lengths[-1]:.0f}")


def show_waits(waits: dict[str, list[float]]) -> None:
    """Print by kind of job how long after it was due its last run was done."""
    print(f"{'done after it was due':34}{'number':>8}{'p50 s':>9}{'p95 s':>9}{'p99 s':>9}{'max s':>9}")
    for kind, seconds in sorted(waits.items()):
        spread = "".join(f"{live.at(sorted(seconds), share):9.1f}" for share in (0.5, 0.95, 0.99, 1.0))
        print(f"{kind:34}{len(seconds):8}{spread}")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.weekend",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(services=False)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--embedded", action="store_false", dest="services", help="SQLite and one process, as without either"
    )
    mode.add_argument(
        "--services", action="store_true", help="PostgreSQL, Redis, two web processes, worker, beat"
    )
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, default=30)
    parser.add_argument("--streams", type=int, default=300)
    parser.add_argument("--boards", type=int, default=20, help="matches played live")
    parser.add_argument(
        "--left", type=int, default=60, help="live matches whose players leave, and lose on time"
    )
    parser.add_argument("--faults", action="store_true", help="kill processes and stop servers meanwhile")
    parser.add_argument("--log", type=Path, help="where the processes write what they have to say")
    parser.add_argument("--older", type=Path, help="code of an earlier release, with --services")
    parser.add_argument("--pages", type=float, default=8, help="pages a second")
    asked = parser.parse_args()
    # Asked to end, it ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="barpoint-weekend-") as folder:
        return run(asked, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
