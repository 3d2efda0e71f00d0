"""A night in its own installation, whose workers and Redis are killed in the middle: it finishes, and nothing
twice."""

from __future__ import annotations

import json
import random
import subprocess
import threading
import time
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest

from runtime.models import Outbox
from tests.matches.test_crash import say
from tests.runtime.conftest import _services_or_skip, apart, migrated_postgresql, static_root  # noqa: F401
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import get, until
from tournaments.models import Pairing, PairingState, Report, ReportStatus, Ruling, RulingKind, Tournament
from tournaments.play import backlog
from tournaments.status import Status

pytestmark = pytest.mark.services
WORKERS = 5


class Hand:
    """The API client of one user, which retries if the server does not answer."""

    def __init__(self, place: Premises, key: str, token: str) -> None:
        self.port, self.path, self.token = place.port, f"/api/v1/events/{key}/", token
        self.met: Counter[str] = Counter()

    def send_request(self, path: str, told: Any = None) -> Any:
        try:
            status, body, _ = get(
                self.port, self.path + path, method="GET" if told is None else "POST",
                body=None if told is None else json.dumps(told).encode(),
                Authorization=f"Bearer {self.token}",
            Content_Type="application/json",
                Idempotency_Key=uuid4().hex,
            )  # fmt: skip
        except OSError:
            self.met["lost"] += 1
            return None
        self.met[str(status)] += 1
        return json.loads(body) if status == 200 else None

    def ready(self) -> list[dict[str, Any]]:
        found = self.send_request("pairings/?state=ready") or {"results": []}
        return [one for one in found["results"] if one["opened_at"]]


def direct(hand: Hand, rng: random.Random, over: threading.Event) -> None:
    """Enter results, concurrently with other directors and players."""
    while not over.wait(0.1):
        if ready := hand.ready():
            one = rng.choice(ready)
            score = rng.choice([[one["length"], 0], [0, one["length"]]])
            hand.send_request("acts/", {"act": "result", "key": one["key"], "score": score})


def report(place: Premises, seeded: Any, rng: random.Random, over: threading.Event) -> None:
    """Report results as a player. The workers confirm the reports later."""
    hands = {number: Hand(place, seeded["key"], token) for number, token in seeded["players"].items()}
    while not over.wait(0.05):
        if ready := hands["1"].ready():
            one = rng.choice(ready)
            told = {"act": "report", "key": one["key"], "score": [one["length"], 1]}
            hands[str(one["a"]["entry"])].send_request("acts/", told)


@pytest.mark.parametrize(
    ("form", "players", "killed", "back"),
    [
        ("double-elimination", 16, 5, 14),
        # A field so large that workers pair its rounds: the second is paired while Redis is gone.
        pytest.param("swiss", 66, 20, 40, marks=pytest.mark.slow),
    ],
)
def test_workers_and_redis_killed_in_the_middle_of_a_night(
    apart: Any,  # noqa: F811
    form: str,
    players: int,
    killed: int,
    back: int,
) -> None:
    seeded = say(apart, "tests.tournaments.unattended", str(players), form)
    apart.open("serve", "web", WEB_PROCESSES="1")
    workers = [apart.start("worker", "-n", f"{n}@crash") for n in range(WORKERS)]
    apart.start("beat")
    over = threading.Event()
    hands = [Hand(apart, seeded["key"], token) for token in seeded["directors"]]
    reporter = threading.Thread(target=report, args=(apart, seeded, random.Random(9), over))
    threads = [reporter]
    threads += [
        threading.Thread(target=direct, args=(hand, random.Random(n), over)) for n, hand in enumerate(hands)
    ]
    try:
        reporter.start()
        # Directors are quick: first something has to be left to the workers.
        until(lambda: bool(stood()[1]), within=60)
        for thread in threads[1:]:
            thread.start()
        until(lambda: decided() >= killed, within=60)
        workers[0].kill()
        apart.redis.kill()
        apart.redis.wait()
        until(lambda: decided() >= back, within=60)
        apart.redis = subprocess.Popen(apart.redis.args, stdout=subprocess.DEVNULL)
        until(lambda: event().status == Status.FINISHED, within=90)
    finally:
        over.set()
        for thread in threads:
            if thread.is_alive():
                thread.join(30)

    assert all(hand.met["200"] > 0 for hand in hands)
    verified = apart.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    entered, confirmed = stood()
    played = Pairing.objects.using(ALIAS).filter(state=PairingState.DECIDED, kind="played")
    assert Counter(played.values_list("key", flat=True)) == entered + confirmed, (
        "each result once, from one hand"
    )
    jobs = Outbox.objects.using(ALIAS).filter(kind=backlog.KIND)
    assert jobs.exists() == (players > backlog.MOST_PLAYERS), "workers pair large fields, and only these"


def event() -> Tournament:
    return Tournament.objects.using(ALIAS).get()


def decided() -> int:
    time.sleep(0.1)
    return Pairing.objects.using(ALIAS).filter(state=PairingState.DECIDED).count()


def stood() -> tuple[Counter[str], Counter[str]]:
    """The results that directors entered, and those that were reported and then confirmed."""
    rulings = Ruling.objects.using(ALIAS).filter(act=RulingKind.ENTERED_RESULT)
    reports = Report.objects.using(ALIAS).filter(status=ReportStatus.CONFIRMED)
    return (
        Counter(data["key"] for data in rulings.values_list("data", flat=True)),
        Counter(reports.values_list("pairing__key", flat=True)),
    )
