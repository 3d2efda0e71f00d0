"""How long until everybody who follows an event has a result: python -m bench.followers

A drawn event of 128 players stands on a running installation. Each follower holds a stream of it; the desk enters results
through the API, one after the other. The time runs from the moment the request is sent until a follower's stream tells of it.
Everything ends by itself. The followers share the machine's cores with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from bench import installations, live
from tests import services

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = 20
# Entered first and not counted: a fresh process imports and connects during its first requests.
WARMING = 4
PAUSE = 1.0
# For what does not come.
LONGEST_WAIT = 60.0
SIZE = 128

# Run inside an installation: an event is drawn, and its owner's session, a token and what can be entered are printed.
DRAWN = f"""
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from bench.events import START, announced
from players.models import Membership
from runtime import stream
from tournaments.models import Pairing
from tournaments.plan import drawing
owner = Membership.objects.select_related("club", "player__user").filter(role="owner", player__user__isnull=False).first()
user = owner.player.user
event = announced(owner.club, user, {SIZE}, "single-elimination")
drawing.publish(tournament_id=event.pk, by=user, now=START)
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session.save()
ready = Pairing.objects.filter(tournament=event, state="ready").order_by("pk").values_list("key", flat=True)
print("FOUND " + json.dumps([event.key, session.session_key, stream.token([f"event.{{event.key}}"]), list(ready)]))
"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An event that can be followed, and what the desk needs."""

    key: str
    session: str
    token: str
    ready: list[str]


async def follow(url: str, token: str, count: int, results: int) -> None:
    """Hold so many streams, and print when each follower heard of each version of the event."""
    parts = urlsplit(url)
    heard: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    is_open = [asyncio.Event() for _ in range(count)]
    opening = asyncio.Semaphore(100)

    async def one(number: int) -> None:
        async with opening:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(f"GET /live/?t={quote(token)} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            while b'"hello"' not in await reader.readline():
                pass
            is_open[number].set()
        while len(heard[number]) < results and (line := await reader.readline()):
            if not line.startswith(b"data: ") or b'"changed"' not in line:
                continue
            version = json.loads(line[6:])["data"]["version"]
            heard[number].append((version, time.monotonic()))
        writer.close()

    tasks = [asyncio.create_task(one(number)) for number in range(count)]
    for event in is_open:
        await event.wait()
    print("open", flush=True)
    _, late = await asyncio.wait(tasks, timeout=LONGEST_WAIT)
    for task in late:
        task.cancel()
    print(json.dumps(heard), flush=True)


def drawn(env: dict[str, str]) -> Drawn:
    """Draw an event on an installation."""
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", DRAWN]
    told = subprocess.run(
        command,
        cwd=installations.ROOT,
        env={**env, "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
        check=True,
    )
    return Drawn(*json.loads(told.stdout.rpartition("FOUND ")[2]))


def enter(url: str, event: Drawn, count: int) -> Iterator[tuple[int, float]]:
    """Enter results as the desk does; give of each the version that came of it and when it was sent."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    csrf = "b" * 32
    for number, key in enumerate(event.ready[:count]):
        headers = {
            "Content-Type": "application/json",
            "Cookie": f"session={event.session}; csrf={csrf}",
            "X-CSRFToken": csrf,
            "Idempotency-Key": f"{os.getpid()}-{number}-{time.monotonic_ns()}",
        }
        body = json.dumps({"act": "result", "key": key, "score": [5, 3]})
        sent = time.monotonic()
        connection.request("POST", f"/api/v1/events/{event.key}/acts/", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"a result answered {answer.status}: {text[:300]!r}")
        yield json.loads(text)["version"], sent
        time.sleep(PAUSE)


def waits(told: list[list[tuple[int, float]]], sent: dict[int, float]) -> list[float]:
    """Return, in milliseconds and sorted, how long each follower waited for each result that counts."""
    counted = set(sorted(sent)[WARMING:])
    return sorted((at - sent[version]) * 1000 for mine in told for version, at in mine if version in counted)


def measure(name: str, command: list[str], env: dict[str, str], count: int, **more: str) -> None:
    """Measure one installation with *count* followers and print its lines."""
    event = drawn(env)
    with installations.running(command, env, **more) as url:
        total = RESULTS + WARMING
        called = f"follow({url!r}, {event.token!r}, {count}, {total})"
        client = subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"import asyncio; from bench.followers import follow; asyncio.run({called})",
            ],
            stdout=subprocess.PIPE,
            text=True,
            cwd=installations.ROOT,
        )
        assert client.stdout is not None
        if client.stdout.readline().strip() != "open":
            raise SystemExit("the followers could not open their streams")
        pid = installations.pid_of(url)
        before = live.cpu_seconds(pid)
        sent = dict(enter(url, event, total))
        heard = json.loads(client.stdout.readline())
        spent = (live.cpu_seconds(pid) - before) / total * 1000
        client.wait(10)
    took = waits(heard, sent)
    print(
        f"{name:44}{count:10}{len(took):10}/{count * RESULTS}{live.at(took, 0.5):9.0f}"
        f"{live.at(took, 0.99):9.0f}{took[-1]:9.0f}{spent:14.0f}",
        flush=True,
    )


def main() -> None:
    """Measure the embedded installation, then two web processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--followers", type=int, nargs="*", default=[1000])
    parser.add_argument("--only", choices=("embedded", "services"))
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 16384)), hard))
    print(
        f"{'':44}{'followers':>10}{'delivered':>10}{'':6}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'CPU ms/result':>14}"
    )
    if args.only != "services":
        with installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env:
            for count in args.followers:
                measure("one process, SQLite", installations.EMBEDDED, env, count)
    if args.only != "embedded":
        with services.both() as both, installations.with_demo(both) as env:
            for count in args.followers:
                measure(
                    "two web processes, PostgreSQL, Redis",
                    installations.WEB_ALONE, env, count, WEB_PROCESSES="2",
                )  # fmt: skip


if __name__ == "__main__":
    main()
