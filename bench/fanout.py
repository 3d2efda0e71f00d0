"""The latency of events to those who watch, and whether everyone receives them.

    python -m bench.fanout [--clients 500 2000]

Streams are opened on a running installation; then a director adds guests through the API, and every stream must receive an
event for each. The time runs from the moment the request is sent to the moment a stream has the event, so it covers the
whole way: view, transaction, hub, socket. Clients share the machine's cores with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from bench import installations
from tests import services

CLUB = "harbour-lights-backgammon-club"
EVENTS = 20
# Requests that are not counted: a new process imports and connects during its first requests.
WARMING = 8
PAUSE = 0.25


async def streams(url: str, token: str, count: int, expected: int) -> None:
    """Open *count* streams, and print "open"; then print what they received, as one line of JSON.

    For each stream that is a list of (event number, time), printed when all have *expected* events, or after 60 seconds.
    """
    parts = urlsplit(url)
    heard: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    opened = asyncio.Semaphore(100)
    is_open = [asyncio.Event() for _ in range(count)]

    async def one(number: int) -> None:
        async with opened:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(f"GET /live/?t={quote(token)} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            while b'"hello"' not in await reader.readline():
                pass
            is_open[number].set()
        mine = heard[number]
        while len(mine) < expected:
            line = await reader.readline()
            at = time.monotonic()
            if not line:
                return
            if line.startswith(b"data: ") and b'"seq"' in line:
                mine.append((json.loads(line[6:])["seq"], at))
        writer.close()

    tasks = [asyncio.create_task(one(number)) for number in range(count)]
    for event in is_open:
        await event.wait()
    print("open", flush=True)
    _, late = await asyncio.wait(tasks, timeout=60)
    for task in late:
        task.cancel()
    print(json.dumps(heard), flush=True)


def post_events(url: str, session: str, count: int) -> dict[int, float]:
    """Add guests through the API; return the time of each request by the number of its event."""
    import http.client

    parts = urlsplit(url)
    csrf = "b" * 32
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    sent = {}
    for number in range(count):
        body = json.dumps({"name": f"Guest {number} of {os.getpid()}"})
        headers = {
            "Content-Type": "application/json",
            "Cookie": f"session={session}; csrf={csrf}",
            "X-CSRFToken": csrf,
            "Idempotency-Key": f"{os.getpid()}-{number}-{time.monotonic_ns()}",
        }
        at = time.monotonic()
        connection.request("POST", f"/api/v1/clubs/{CLUB}/guests/", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise SystemExit(f"adding a guest answered {answer.status}: {text[:300]!r}")
        sent[number] = at
        time.sleep(PAUSE)
    return sent


def signed_in(env: dict[str, str]) -> tuple[str, str]:
    """Return a session of the demo club's owner and a token for the club's topic."""
    code = (
        "from django.contrib.sessions.backends.db import SessionStore;"
        "from django.contrib.auth import SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY;"
        "from players.models import Membership; from runtime import stream;"
        f"m = Membership.objects.select_related('player__user').get(club__slug={CLUB!r}, role='owner');"
        "u = m.player.user; s = SessionStore();"
        "s[SESSION_KEY] = str(u.pk); s[BACKEND_SESSION_KEY] = 'django.contrib.auth.backends.ModelBackend';"
        "s[HASH_SESSION_KEY] = u.get_session_auth_hash(); s.create();"
        f"print('FOUND', s.session_key, stream.create_token(['club.{CLUB}']))"
    )
    session, token = installations.run_inside(env, code).split()
    return session, token


@dataclass(frozen=True, slots=True)
class Spread:
    """Latencies of events, in milliseconds from the request that caused them."""

    connected: float
    waits: list[float]
    # By event, until the last stream had it.
    reached_all: list[float]
    in_order: bool


def spread(
    url: str,
    env: dict[str, str],
    count: int,
    events: int = EVENTS,
    while_open: Callable[[], None] = lambda: None,
) -> Spread:
    """Open *count* streams on a running installation, call *while_open*, and cause *events*."""
    session, token = signed_in(env)
    began = time.monotonic()
    code = f"import asyncio; from bench.fanout import streams; asyncio.run(streams({url!r}, {token!r}, {count}, {events + WARMING}))"
    client = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=installations.ROOT
    )
    assert client.stdout is not None
    assert client.stdout.readline().strip() == "open"
    connected = time.monotonic() - began
    while_open()
    sent = post_events(url, session, events + WARMING)
    heard = json.loads(client.stdout.readline())
    client.wait(10)
    first = min(seq for mine in heard for seq, _ in mine)
    late: dict[int, list[float]] = {}
    for mine in heard:
        for seq, at in mine:
            if seq - first >= WARMING:
                late.setdefault(seq, []).append((at - sent[seq - first]) * 1000)
    in_order = all([seq for seq, _ in mine] == list(range(first, first + len(mine))) for mine in heard)
    return Spread(
        connected,
        sorted(wait for waits in late.values() for wait in waits),
        sorted(map(max, late.values())),
        in_order,
    )


def measure(name: str, command: list[str], env: dict[str, str], count: int, **more: str) -> None:
    """Measure one installation with *count* streams and print one line."""
    with installations.running(command, env, **more) as url:
        found = spread(url, env, count)
    waits = found.waits
    line = f"{name:38}{count:8}{found.connected:10.1f}{len(waits):10}/{count * EVENTS}"
    print(
        f"{line}{waits[len(waits) // 2]:9.0f}{waits[int(len(waits) * 0.99)]:9.0f}{waits[-1]:9.0f}   "
        f"{'in order' if found.in_order else 'OUT OF ORDER'}"
    )


def main() -> None:
    """Measure the embedded installation, then two web processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="*", default=[500, 2000])
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    print(
        f"{'':38}{'streams':>8}{'opened s':>10}{'delivered':>10}{'':8}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}"
    )
    with installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env:
        for count in args.clients:
            measure("one process, SQLite", installations.EMBEDDED, env, count)
    with services.both() as both, installations.with_demo(both) as env:
        for count in args.clients:
            measure(
                "two web processes, PostgreSQL, Redis", installations.WEB_ALONE, env, count, WEB_PROCESSES="2"
            )


if __name__ == "__main__":
    main()
