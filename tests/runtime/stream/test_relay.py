"""Live updates between processes: over Redis while there is one, from the database while there is none."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction

from runtime.models import Presence, Topic, TopicEvent
from runtime.stream import relay
from runtime.stream.events import Event
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import Listener, answers, get, python, until
from tests.services import free_port

pytestmark = pytest.mark.services

# A program that publishes events with the numbers of a range on one topic.
PUBLISH = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from django.utils import timezone
from runtime import stream
for number in range(int(sys.argv[1]), int(sys.argv[2])):
    stream.publish("club.a", "n", {"n": number}, now=timezone.now())
"""


def publish_from_elsewhere(premises: Premises, first: int, last: int) -> None:
    """Publish from a separate process that serves no requests."""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", PUBLISH, str(first), str(last)],
        env=premises.env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def write_unsaid(number: int) -> None:
    """Commit an event without a message, like a process that dies right after its commit."""
    with transaction.atomic(using=ALIAS):
        topic, _ = Topic.objects.using(ALIAS).get_or_create(name="club.a")
        topic.head += 1
        topic.save(using=ALIAS)
        TopicEvent.objects.using(ALIAS).create(
            topic="club.a", seq=topic.head, name="n", data={"n": number}, created_at=datetime.now(UTC)
        )


@pytest.fixture
def two(apart: Premises, request: pytest.FixtureRequest) -> Iterator[Callable[[], list[Listener]]]:
    """Two web processes on one database and one Redis; gives a listener at each."""
    ports = [apart.port, free_port()]
    for port in ports:
        apart.open("serve", "web", PORT=str(port), **getattr(request, "param", {}))
    listeners: list[Listener] = []

    def listen() -> list[Listener]:
        fresh = [Listener(port, apart.token("club.a")) for port in ports]
        for listener in fresh:
            assert listener.event() == {"name": "hello"}
        listeners.extend(fresh)
        return fresh

    yield listen
    for listener in listeners:
        listener.close()


def numbers(listener: Listener, count: int, *, within: float = 5) -> list[int]:
    return [listener.event(within=within)["data"]["n"] for _ in range(count)]


def test_two_web_processes_and_a_third_that_serves_nobody_reach_each_others_readers(
    apart: Premises, two: Callable[[], list[Listener]]
) -> None:
    listeners = two()
    publish_from_elsewhere(apart, 0, 30)
    for listener in listeners:
        assert numbers(listener, 30) == list(range(30))


def test_while_redis_is_gone_the_database_is_looked_at_and_afterwards_redis_is_heard_again(
    apart: Any, two: Callable[[], list[Listener]]
) -> None:
    listeners = two()
    publish_from_elsewhere(apart, 0, 1)
    for listener in listeners:
        assert numbers(listener, 1) == [0]

    apart.redis.kill()
    apart.redis.wait()
    for number in range(1, 4):
        write_unsaid(number)
        for listener in listeners:
            assert numbers(listener, 1, within=8) == [number]

    import subprocess

    apart.redis = subprocess.Popen(apart.redis.args, stdout=subprocess.DEVNULL)
    # They come back by themselves.
    until(lambda: _subscribers(apart) == 2)
    publish_from_elsewhere(apart, 4, 5)
    for listener in listeners:
        assert numbers(listener, 1, within=8) == [4]


def _subscribers(apart: Any) -> int:
    import redis

    client = redis.Redis.from_url(apart.env["REDIS_URL"])
    try:
        return int(client.pubsub_numsub(relay.CHANNEL)[0][1])
    except redis.ConnectionError:
        return 0


@pytest.mark.parametrize(("is_connected", "looks_soon"), [(True, False), (False, True)])
def test_only_who_is_cut_off_looks_often(
    is_connected: bool, looks_soon: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LOOK_SECONDS", 3600)
    monkeypatch.setattr(relay, "LOOK_SECONDS_ALONE", 0.001)
    looks: list[int] = []
    tasks: list[asyncio.Task[None]] = []

    async def look() -> None:
        # A server that another test has left behind may look, too.
        if asyncio.current_task() in tasks:
            looks.append(1)

    monkeypatch.setattr(relay.HUB, "look", look)

    async def watch() -> None:
        ours = relay.Relay()
        ours.is_connected = is_connected
        task = asyncio.get_running_loop().create_task(ours._compare_regularly())
        tasks.append(task)
        while len(looks) < 3 and looks_soon:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        task.cancel()

    asyncio.run(watch())
    assert bool(looks) is looks_soon


@pytest.mark.slow
def test_a_frozen_redis_delays_readers_by_seconds_and_pages_not_at_all(
    apart: Any, two: Callable[[], list[Listener]]
) -> None:
    listeners = two()
    apart.redis.send_signal(signal.SIGSTOP)
    try:
        write_unsaid(1)
        for listener in listeners:
            assert numbers(listener, 1, within=relay.LOOK_SECONDS + 5) == [1]
        for _ in range(10):
            assert get(apart.port, "/clubs/")[0] == 200
    finally:
        apart.redis.send_signal(signal.SIGCONT)


def test_an_unreadable_message_does_not_make_a_process_deaf(
    apart: Any, two: Callable[[], list[Listener]]
) -> None:
    import redis

    listeners = two()
    client = redis.Redis.from_url(apart.env["REDIS_URL"])
    for nonsense in (b"nonsense", b"[]", b"{}", b"null", b'["club.a", "x", 1, 2]', b"\xff"):
        client.publish(relay.CHANNEL, nonsense)
    for names in ("1", "[[]]", "null", '"club.a"', '["club.a"'):
        client.publish(relay.CHANNEL, f'{{"ask_again": {names}}}')
    # No database knows of this one: only who still hears messages can tell it.
    client.publish(relay.CHANNEL, Event("club.a", 1, "n", {"n": 0}).as_json())
    for listener in listeners:
        assert numbers(listener, 1) == [0]
    assert _subscribers(apart) == 2


def test_an_idle_subscription_outlives_the_clients_own_time_limits(
    apart: Any, two: Callable[[], list[Listener]]
) -> None:
    """redis-py closes a silent socket after five seconds by default."""
    two()
    import redis

    client = redis.Redis.from_url(apart.env["REDIS_URL"])

    def ids() -> set[str]:
        return {each["id"] for each in client.client_list(_type="pubsub")}

    before = ids()
    assert len(before) == 2
    time.sleep(7)
    assert ids() == before


def test_a_database_that_goes_and_comes_back_makes_nobody_deaf(
    apart: Any, two: Callable[[], list[Listener]]
) -> None:
    import psycopg

    listeners = two()
    server, _, name = apart.env["DATABASE_URL"].rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        own.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [name],
        )
    from django.db import connections

    connections[ALIAS].close()
    assert answers(apart.port, "/readyz")
    publish_from_elsewhere(apart, 0, 1)
    for listener in listeners:
        assert numbers(listener, 1, within=8) == [0]


# Fills the pool, has the database end every connection in it, and asks once for each.
CUT = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
import psycopg
from django.db import connection
from django.db.utils import OperationalError
connection.ensure_connection()
connection.close()
held = [connection.pool.getconn() for _ in range(3)]
for one in held:
    connection.pool.putconn(one)
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as own:
    for one in held:
        own.execute("SELECT pg_terminate_backend(%s, 5000)", [one.info.backend_pid])
failed = 0
for _ in range(3):
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        failed += 1
    connection.close()
connection.close_pool()
print("failed", failed)
"""


def test_a_connection_that_the_database_has_ended_fails_nobody(apart: Premises) -> None:
    done = python(CUT, **apart.env)
    assert done.stdout == "failed 0\n", done.stderr


@pytest.mark.long
def test_one_reader_at_each_of_two_processes_is_gone_with_the_last(apart: Premises) -> None:
    """One process is killed; what is read at the other as well was never left."""
    ports = [apart.port, free_port()]
    doomed, _ = [apart.open("serve", "web", PORT=str(port)) for port in ports]
    with Listener(ports[0], apart.token("seat.a", "seat.b")), Listener(ports[1], apart.token("seat.b")):
        until(lambda: set(apart.list_told()) == {("seat.a", True), ("seat.b", True)})
        until(lambda: Presence.objects.using(ALIAS).count() == 3)
        doomed.kill()
        apart.let_time_pass()
        until(lambda: apart.list_told()[2:] == [("seat.a", False)])
        time.sleep(1)
        assert apart.list_told()[3:] == []
    until(lambda: apart.list_told()[3:] == [("seat.b", False)])
    assert not Presence.objects.using(ALIAS).exists()


@pytest.mark.slow
def test_a_reader_who_is_sent_from_one_process_to_the_other_was_never_gone(apart: Premises) -> None:
    ports = [apart.port, free_port()]
    ending, _ = [apart.open("serve", "web", PORT=str(port)) for port in ports]
    with Listener(ports[0], apart.token("seat.a")) as listener:
        assert listener.event() == {"name": "hello"}
        until(lambda: apart.list_told() == [("seat.a", True)])
        old = Presence.objects.using(ALIAS).get().node
        assert ending.stop() == 0
        assert any(line.startswith("retry:") for line in listener.block())
    with Listener(ports[1], apart.token("seat.a")):
        rows = Presence.objects.using(ALIAS).values_list("node", flat=True)
        # Longer than the dead count, and a sweep.
        until(lambda: len(found := list(rows.all())) == 1 and old not in found)
        assert apart.list_told() == [("seat.a", True)]


def test_what_travels_is_what_was_written() -> None:
    event = Event("club.a", 3, "n", {"text": "Grüße\n⚀"})
    assert json.loads(event.as_json()) == ["club.a", 3, "n", {"text": "Grüße\n⚀"}]
