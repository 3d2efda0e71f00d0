"""One night through every outage in turn: no acknowledged act is lost, none is doubled, and deadlines are met.

A director enters a result each second while one web process, all web processes, the workers and beat are killed, Redis
is away for a minute and comes back empty, and PostgreSQL is restarted with `-m immediate`. PostgreSQL and Redis are the
test's own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from matches.models import JournalEntry, Match
from runtime.models import Node, Outage
from tests import services
from tests.matches.test_crash import say
from tests.runtime import product
from tests.runtime.conftest import MIGRATE
from tests.runtime.premises import ALIAS, Premises, Program
from tests.runtime.support import get, python, until
from tests.services import free_port
from tournaments.models import Pairing, PairingState, Ruling, RulingKind

pytestmark = [pytest.mark.slow, pytest.mark.services, pytest.mark.first]

NIGHT_SECONDS = 170
PLAYERS = 20
FLAGS, JOBS = 30, 300
# The delay with which a supervisor such as systemd or Compose restarts a process.
RESTART_SECONDS = 1
REDIS_SECONDS = 60
LATEST = timedelta(seconds=5)

Span = tuple[datetime, datetime]


class Night:
    """The installation, its servers, and when which of them was away."""

    def __init__(self, place: Premises, folder: Path, redis: list[str]) -> None:
        self.place, self.folder = place, folder
        self._redis = redis
        self.running: dict[str, Program] = {}
        self.outages: list[tuple[str, Span]] = []

    def start_redis(self) -> None:
        self.place.redis = subprocess.Popen(self._redis, stdout=subprocess.DEVNULL)
        until(lambda: services.answers(self.place.env["REDIS_URL"]))

    def start(self, part: str) -> None:
        if part == "web":
            self.running[part] = self.place.open("serve", "web", "--processes", "2")
            return
        began = datetime.now(UTC)
        self.running[part] = self.place.start(part)
        until(lambda: self.living(part).filter(started_at__gte=began).exists())

    def living(self, role: str) -> Any:
        return Node.objects.using(ALIAS).filter(role=role)

    @contextmanager
    def outage(self, what: str) -> Iterator[None]:
        began = datetime.now(UTC)
        yield
        self.outages.append((what, (began, ended := datetime.now(UTC))))
        print(f"{what} away from {began:%T.%f} for {(ended - began).total_seconds():.1f} s", flush=True)

    def kill(self, part: str) -> None:
        """Kill a part with all its processes, and start it again."""
        with self.outage(part):
            os.killpg(self.running.pop(part).process.pid, signal.SIGKILL)
            time.sleep(RESTART_SECONDS)
            self.start(part)

    def kill_one_web_process(self) -> None:
        before = set(self.living("web").values_list("name", flat=True))
        with self.outage("one of two web processes"):
            os.kill(int(min(before).split("-")[-2]), signal.SIGKILL)
            until(lambda: self.living("web").exclude(name__in=before).exists())

    def empty_redis(self) -> None:
        with self.outage("redis"):
            self.place.redis.kill()
            self.place.redis.wait()
            time.sleep(REDIS_SECONDS)
            self.start_redis()

    def restart_postgresql(self) -> None:
        connections[ALIAS].close()
        with self.outage("postgresql"):
            services.restart_at_once(self.folder)

    def lateness(self, due: datetime, done: datetime) -> timedelta:
        """The time from *due* to *done*, without the outages that began before it was late."""
        at = due
        for _what, (began, ended) in self.outages:
            if began - LATEST <= at <= ended:
                at = max(at, ended)
        late = max(timedelta(), done - at)
        if late > LATEST / 2:
            print(f"{late} late: due {due:%T.%f}, done {done:%T.%f}, counted from {at:%T.%f}")
        return late


@pytest.fixture
def night(static_root: Path, tmp_path: Path, django_db_blocker: Any) -> Iterator[Night]:
    programs = services.find_postgresql()
    if programs is None:
        pytest.skip("there is no PostgreSQL of our own to restart")
    port = free_port()
    redis = [
        "redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path),
        "--save", "", "--appendonly", "no",
    ]  # fmt: skip
    # Not below tmp_path, into which PostgreSQL's account must not look.
    with (
        tempfile.TemporaryDirectory(prefix="barpoint-night-") as name,
        services.own_postgresql(programs, Path(name)) as url,
        django_db_blocker.unblock(),
    ):
        made = python(MIGRATE, timeout=300, DATABASE_URL=url, DATA_DIR=str(tmp_path / "var"))
        assert made.returncode == 0, made.stderr
        place = Premises(
            tmp_path / "var",
            static_root=static_root,
            database_url=url,
            redis_url=f"redis://127.0.0.1:{port}/0",
        )
        ours = Night(place, Path(name), redis)
        ours.start_redis()
        try:
            yield ours
        finally:
            place.close()
            place.redis.kill()
            place.redis.wait()


class Director(threading.Thread):
    """Enters a result each second, and sends each again until it is acknowledged."""

    def __init__(self, place: Premises, event: str, token: str) -> None:
        super().__init__(daemon=True)
        self.port, self.path, self.token = place.port, f"/api/v1/events/{event}/", token
        # Acknowledged scores by match, and the matches of acts that were sent.
        self.acknowledged: dict[str, list[int]] = {}
        self.sent: set[str] = set()
        self.met: Counter[str] = Counter()
        self.longest_wait = 0.0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(1):
            if ready := [one for one in self._ready() if one["key"] not in self.sent]:
                self._enter(ready[0])

    def _ready(self) -> list[dict[str, Any]]:
        status, body = self._ask("pairings/?state=ready")
        return [one for one in body["results"] if one["opened_at"]] if status == 200 else []

    def _enter(self, match: dict[str, Any]) -> None:
        score = [match["length"], len(self.sent) % match["length"]][:: 1 if len(self.sent) % 2 else -1]
        act = {"act": "result", "key": match["key"], "score": score}
        key, began = uuid4().hex, time.monotonic()
        self.sent.add(match["key"])
        while not self.over.is_set():
            status, _body = self._ask("acts/", act, key)
            if status == 200:
                self.acknowledged[match["key"]] = score
                break
            self.over.wait(0.2)
        self.longest_wait = max(self.longest_wait, time.monotonic() - began)

    def _ask(self, path: str, act: Any = None, key: str = "") -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Content_Type": "application/json"}
        body = None if act is None else json.dumps(act).encode()
        try:
            status, answer, _ = get(
                self.port, self.path + path, method="POST" if act else "GET", body=body,
                **headers, **({"Idempotency_Key": key} if key else {}),
            )  # fmt: skip
            told = json.loads(answer)
        except (OSError, ValueError):
            status, told = 0, None
        self.met[str(status)] += 1
        return status, told


def test_no_outage_of_a_night_loses_doubles_or_delays_anything(night: Night) -> None:
    place = night.place
    for part in ("web", "worker", "beat"):
        night.start(part)
    seeded = say(place, "tests.tournaments.unattended", str(PLAYERS), "round-robin")
    away = say(place, "tests.matches.unattended", str(FLAGS), "10", str(NIGHT_SECONDS / FLAGS))
    deadlines = dict(Match.objects.using(ALIAS).filter(key__in=away).values_list("key", "deadline_at"))
    place.put_work(JOBS, later=NIGHT_SECONDS)
    director = Director(place, seeded["key"], seeded["directors"][0])
    director.start()
    began = time.monotonic()

    time.sleep(10)
    night.kill_one_web_process()
    for part in ("web", "worker", "beat"):
        time.sleep(8)
        night.kill(part)
    time.sleep(8)
    night.empty_redis()
    time.sleep(8)
    night.restart_postgresql()
    time.sleep(max(10.0, NIGHT_SECONDS + 10 - (time.monotonic() - began)))
    director.over.set()
    director.join(60)
    connections[ALIAS].close()

    flags = lateness_of_flags(night, deadlines)
    rows = place.rows().filter(kind=product.KIND).values_list("due_at", "done_at")
    jobs = [night.lateness(due, done) for due, done in rows]
    print(
        f"{len(director.acknowledged)} results acknowledged, the longest wait {director.longest_wait:.1f} s"
    )
    print("answers:", dict(director.met))
    print(f"latest of {len(flags)} flags {max(flags)}, latest of {len(jobs)} jobs {max(jobs)}")
    nothing_was_lost_or_doubled(director)
    assert place.effects() == JOBS
    assert len(director.acknowledged) > NIGHT_SECONDS / 2
    assert max(flags) <= LATEST
    assert max(jobs) <= LATEST
    verified = place.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def nothing_was_lost_or_doubled(director: Director) -> None:
    found = Pairing.objects.using(ALIAS).filter(state=PairingState.DECIDED, kind="played")
    scores = {key: [a, b] for key, a, b in found.values_list("key", "score_a", "score_b")}
    assert {key: scores.get(key) for key in director.acknowledged} == director.acknowledged
    assert scores.keys() <= director.sent
    rulings = Ruling.objects.using(ALIAS).filter(act=RulingKind.ENTERED_RESULT)
    entered = Counter(data["key"] for data in rulings.values_list("data", flat=True))
    assert entered == dict.fromkeys(scores, 1)


def lateness_of_flags(night: Night, deadlines: dict[str, datetime]) -> list[timedelta]:
    """The delay of each flag after its deadline, less the time given back for outages."""
    until(
        lambda: not Match.objects.using(ALIAS).filter(key__in=deadlines).exclude(status="finished").exists()
    )
    fallen = JournalEntry.objects.using(ALIAS).filter(match__key__in=deadlines, fact__fact="flagged")
    assert Counter(fallen.values_list("match__key", flat=True)) == dict.fromkeys(deadlines, 1)
    finished = dict(Match.objects.using(ALIAS).filter(key__in=deadlines).values_list("key", "finished_at"))
    return [
        night.lateness(at + time_given_back(at, finished[key]), finished[key])
        for key, at in deadlines.items()
    ]


def time_given_back(deadline: datetime, finished: datetime) -> timedelta:
    began = deadline - timedelta(seconds=NIGHT_SECONDS + 10)
    rows = Outage.objects.using(ALIAS).filter(role="web", to_at__gt=began, from_at__lt=finished)
    return sum((to_at - from_at for from_at, to_at in rows.values_list("from_at", "to_at")), timedelta())
