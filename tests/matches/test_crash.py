"""The real servers, killed while two dozen matches are played: no acknowledged move is lost, none hangs."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from matches.models import JournalEntry, Match
from runtime.models import Outage, Pulse
from tests.runtime.conftest import (  # noqa: F401
    _services_or_skip,
    apart,
    migrated_file,
    migrated_postgresql,
    premises,
    static_root,
)
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import ROOT, answers, until

CLIENTS = [sys.executable, "-m", "bench.live_clients"]


def say(place: Premises, *command: str) -> Any:
    """Run a module of the tests in the environment of *place*; return the JSON it prints last."""
    done = subprocess.run(
        [sys.executable, "-m", *command], env=place.env, cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


class Load:
    """Clients that play until their time is over, and the answers they received."""

    def __init__(self, place: Premises, matches: Any, folder: Path, *, rate: float, seconds: float) -> None:
        file = folder / "matches.json"
        self.acknowledged = folder / "matches.json.played"
        file.write_text(json.dumps(matches))
        url = f"http://127.0.0.1:{place.port}"
        self.process = subprocess.Popen(
            [*CLIENTS, "play", url, str(file), str(rate), str(seconds)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_end(self) -> Any:
        """Wait for the end; return everything that was acknowledged."""
        _, errors = self.process.communicate(timeout=120)
        assert self.process.returncode == 0, errors
        return json.loads(self.acknowledged.read_text())


def lines_of(key: str) -> int:
    return int(Match.objects.using(ALIAS).values_list("head", flat=True).get(key=key))


def nothing_was_lost(place: Premises, told: Any) -> int:
    """Check that every line acknowledged to a client is stored, and count these lines."""
    written = set(JournalEntry.objects.using(ALIAS).values_list("match__key", "seq"))
    acknowledged = {(key, seq) for key, seqs, _, _ in told["acked"] for seq in seqs}
    assert acknowledged <= written
    verified = place.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    return len(acknowledged)


def no_match_hangs(place: Premises, matches: Any, folder: Path) -> None:
    """Play on until every match has moved: a busy machine takes longer, a match that hangs takes for ever."""
    before = {match["key"]: lines_of(match["key"]) for match in matches}
    for _ in range(15):
        left = [match for match in matches if not has_moved(match["key"], before)]
        if not left:
            return
        Load(place, left, folder, rate=0, seconds=3).wait_for_end()
    raise AssertionError(f"{[match['key'] for match in left]} hang")


def has_moved(key: str, before: dict[str, int]) -> bool:
    row = Match.objects.using(ALIAS).get(key=key)
    return row.status == "finished" or row.head > before[key]


def flags_fell_once(keys: list[str]) -> None:
    """Every clock that ran out did so once, with its match."""
    until(
        lambda: Match.objects.using(ALIAS).filter(key__in=keys, status="finished").count() == len(keys),
        within=30,
    )
    fallen = Counter(
        JournalEntry.objects.using(ALIAS)
        .filter(match__key__in=keys, fact__fact="flagged")
        .values_list("match__key", flat=True)
    )
    assert fallen == dict.fromkeys(keys, 1)


def kill_it_often(place: Premises, tmp_path: Path, *, kills: int, matches: int, seconds: float) -> None:
    away = say(place, "tests.matches.unattended", "5", "6")
    seeded = say(place, "bench.live_clients", "seed", json.dumps({"count": matches, "points": 5}))
    server = place.open()
    load = Load(place, seeded, tmp_path, rate=60, seconds=seconds)
    rng = random.Random(kills)
    for _ in range(kills):
        time.sleep(1.2 + rng.random())
        server.kill()
        server = place.open()
    told = load.wait_for_end()
    assert nothing_was_lost(place, told)
    flags_fell_once(away)
    no_match_hangs(place, seeded, tmp_path)
    assert nothing_was_lost(place, told)


@pytest.mark.slow
def test_a_server_killed_in_the_middle_of_play(premises: Premises, tmp_path: Path) -> None:  # noqa: F811
    kill_it_often(premises, tmp_path, kills=1, matches=8, seconds=4)


@pytest.mark.slow
def test_a_server_killed_eight_times(premises: Premises, tmp_path: Path) -> None:  # noqa: F811
    kill_it_often(premises, tmp_path, kills=8, matches=24, seconds=30)


@pytest.mark.long
@pytest.mark.services
def test_web_worker_and_redis_killed_in_the_middle_of_play(apart: Any, tmp_path: Path) -> None:  # noqa: F811
    away = say(apart, "tests.matches.unattended", "5", "12")
    seeded = say(apart, "bench.live_clients", "seed", '{"count": 20, "points": 5}')
    web = apart.open("serve", "web", WEB_PROCESSES="1")
    worker = apart.start("worker")
    apart.start("beat")
    load = Load(apart, seeded, tmp_path, rate=60, seconds=16)
    time.sleep(3)
    web.kill()
    began = timezone.now()
    web = apart.open("serve", "web", WEB_PROCESSES="1")
    # Its pulse can only be missed once it has had one.
    until(lambda: Pulse.objects.using(ALIAS).filter(role="web", seen_at__gt=began).exists())
    worker.kill()
    apart.redis.kill()
    apart.redis.wait()
    time.sleep(2)
    web.kill()
    # Until its pulse is missed.
    until(lambda: Pulse.objects.using(ALIAS).filter(role="web", until__lt=timezone.now()).exists(), within=30)
    web = apart.open("serve", "web", WEB_PROCESSES="1")
    told = load.wait_for_end()
    assert nothing_was_lost(apart, told)
    # Neither Redis nor a worker is there any more: the web process sweeps by itself.
    flags_fell_once(away)
    no_match_hangs(apart, seeded, tmp_path)
    assert nothing_was_lost(apart, told)
    assert Outage.objects.using(ALIAS).exists()
    assert answers(apart.port)
