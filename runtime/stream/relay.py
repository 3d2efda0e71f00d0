"""Publishing: an event is numbered and stored in the change's transaction, and broadcast after the commit.

The broadcast goes to this process's hub, and by Redis pub/sub to the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import structlog
from django.conf import settings
from django.db import connection, transaction

from runtime.failure_log import FailureStreak
from runtime.redis_calls import CALLS
from runtime.stream.events import Event
from runtime.stream.hub import HUB

log = structlog.get_logger(__name__)


def build_channel(url: str) -> str:
    """Return the channel name.

    It contains the database number, since channels are shared between a server's databases.
    """
    parts = urlsplit(url)
    number = "" if parts.scheme == "unix" else parts.path.strip("/")
    return f"barpoint:live:{number or dict(parse_qsl(parts.query)).get('db') or 0}"


CHANNEL = build_channel(settings.REDIS_URL)
# Seconds between comparisons with the database, for lost messages; more often while Redis is away.
LOOK_SECONDS = 5.0
LOOK_SECONDS_ALONE = 1.0
# Seconds between checks of the rights of all streams, for lost messages.
ASK_SECONDS = 20.0
ASK_SECONDS_ALONE = 5.0
# Seconds between attempts to reconnect to Redis.
SHORTEST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
# Run with every change: building these statements with Django took longer than executing them.
COUNT: Final = """INSERT INTO runtime_topic (name, head) VALUES {rows}
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head + 1 RETURNING name, head"""
HOLD: Final = """INSERT INTO runtime_topic (name, head) VALUES (%s, 0)
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head"""
KEEP: Final = "INSERT INTO runtime_topicevent (topic, seq, name, data, created_at) VALUES {rows}"


def lock_topics(topics: Iterable[str]) -> None:
    """Lock several topics until the transaction ends, sorted by name.

    Two transactions that publish to the same topics in different orders would deadlock.
    """
    with connection.cursor() as cursor:
        for topic in sorted(set(topics)):
            cursor.execute(HOLD, [topic])


def publish(topic: str, name: str, data: dict[str, Any], *, now: datetime) -> int:
    """Store an event and return its number; it is broadcast when the transaction commits."""
    return publish_to([topic], name, data, now=now)[topic]


def publish_to(topics: Sequence[str], name: str, data: dict[str, Any], *, now: datetime) -> dict[str, int]:
    """Publish an event to *topics*, which must be distinct and are locked in order; return the numbers."""
    # No savepoint: if publishing fails, so does the change.
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        # The row lock keeps numbers in commit order: 6 cannot be visible before 5.
        cursor.execute(COUNT.format(rows=", ".join(["(%s, 1)"] * len(topics))), topics)
        numbers: dict[str, int] = dict(cursor.fetchall())
        at, body = connection.ops.adapt_datetimefield_value(now), json.dumps(data)
        rows = [(topic, seq, name, body, at) for topic, seq in numbers.items()]
        cursor.execute(
            KEEP.format(rows=", ".join(["(%s, %s, %s, %s, %s)"] * len(rows))), [*chain.from_iterable(rows)]
        )
        for topic, seq in numbers.items():
            transaction.on_commit(partial(broadcast, Event(topic, seq, name, data)))
    return numbers


def broadcast(event: Event) -> None:
    """Broadcast a stored event to all web processes, without waiting."""
    # This process's readers do not depend on Redis.
    HUB.call_soon(HUB.post, event)
    if settings.REDIS_URL:
        CALLS.submit(lambda: _get_publisher().publish(CHANNEL, event.as_json()))


def recheck_readers(names: Iterable[str]) -> None:
    """Have all web processes check the streams of these people, bearers and topics again, without waiting.

    Call it after the change is committed: an earlier check would read the old rights.
    """
    names = list(names)
    HUB.call_soon(HUB.ask_again, names)
    if settings.REDIS_URL:
        CALLS.submit(lambda: _get_publisher().publish(CHANNEL, json.dumps({"ask_again": names})))


@lru_cache(maxsize=1)
def _get_publisher() -> Any:
    # Imported only with Redis, for a faster start without it.
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    # One retry only: newer events are more urgent, and the comparison with the database finds lost ones.
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2, retry=Retry(NoBackoff(), 1)
    )


class Relay:
    """The feed of a web process's hub from Redis, and from the database in case messages are lost."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._is_cut_off = asyncio.Event()
        self._redis = FailureStreak(begins="relay.redis_gone", ends="relay.redis_back")
        self._looks = FailureStreak(begins="relay.look_failed", ends="relay.look_succeeded")
        self.is_connected = not settings.REDIS_URL

    def start(self) -> None:
        HUB.start()
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._compare_regularly()),
            loop.create_task(self._recheck_regularly()),
        ]
        if settings.REDIS_URL:
            self._tasks.append(loop.create_task(self._listen()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await HUB.presence.close()

    async def _compare_regularly(self) -> None:
        while True:
            # Compares at once after Redis is lost.
            pause = LOOK_SECONDS if self.is_connected else LOOK_SECONDS_ALONE
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_cut_off.wait(), pause)
            self._is_cut_off.clear()
            try:
                await HUB.look()
                self._looks.end()
            except Exception as error:  # noqa: BLE001 - a database that is away comes back
                self._looks.fail(error)

    async def _recheck_regularly(self) -> None:
        while True:
            await asyncio.sleep(ASK_SECONDS if self.is_connected else ASK_SECONDS_ALONE)
            HUB.ask_about_all()

    async def _listen(self) -> None:
        pause = SHORTEST_PAUSE
        while True:
            try:
                await self._listen_until_disconnect()
            except Exception as error:  # noqa: BLE001 - without this the task would end and never reconnect
                self._redis.fail(error)
            if self.is_connected:
                self.is_connected = False
                self._is_cut_off.set()
                pause = SHORTEST_PAUSE
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _listen_until_disconnect(self) -> None:
        import redis.asyncio
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        # redis-py closes a connection that is idle for socket_timeout, which is normal here. Its own retries
        # would hide for seconds that the connection is lost.
        client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=None,
            socket_connect_timeout=2,
            health_check_interval=15,
            retry=Retry(NoBackoff(), 0),
        )
        try:
            async with client.pubsub(ignore_subscribe_messages=True) as listener:
                await listener.subscribe(CHANNEL)
                self._redis.end()
                self.is_connected = True
                await HUB.look()
                HUB.ask_about_all()
                async for message in listener.listen():
                    _handle_message(message["data"])
        finally:
            await client.aclose()


def _handle_message(text: bytes) -> None:
    try:
        if text.startswith(b"{"):
            message = json.loads(text)
            HUB.ask_again(message.get("ask_again", ()))
        else:
            HUB.post(Event.from_json(text))
    except (LookupError, ValueError, TypeError) as error:
        log.warning("relay.unreadable", error=f"{type(error).__name__}: {error}")
