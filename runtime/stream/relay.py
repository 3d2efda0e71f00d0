"""Between our processes: the hub in this one, or Redis pub/sub."""

from __future__ import annotations

import asyncio
import contextlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import structlog
from django.conf import settings

from runtime.failure_log import FailureStreak
from runtime.redis_calls import CALLS
from runtime.stream.events import Event
from runtime.stream.hub import HUB

if TYPE_CHECKING:
    from collections.abc import Iterable

log = structlog.get_logger(__name__)


def channel_of(url: str) -> str:
    """Return the channel for a Redis: messages pass between its numbered databases, and two clubs may share it."""
    parts = urlsplit(url)
    number = "" if parts.scheme == "unix" else parts.path.strip("/")
    return f"barpoint:live:{number or dict(parse_qsl(parts.query)).get('db') or 0}"


CHANNEL = channel_of(settings.REDIS_URL)
# What no message told is looked up this often; at once a second while Redis is away.
LOOK_SECONDS = 5.0
LOOK_SECONDS_ALONE = 1.0
# And so often every open stream is asked about, for changes of rights that no message told.
ASK_SECONDS = 20.0
ASK_SECONDS_ALONE = 5.0
# Between two attempts to hear Redis again.
SHORTEST_PAUSE = 0.2
LONGEST_PAUSE = 5.0


def announce(event: Event) -> None:
    """Tell every web process about *event*, which is safely stored; nobody waits for it."""
    # Our own readers need no detour.
    HUB.post_from_anywhere(event)
    if settings.REDIS_URL:
        CALLS.submit(lambda: _publisher().publish(CHANNEL, event.as_json()))


def look_at(topics: Iterable[str]) -> None:
    """Have every web process compare *topics* with their sources soon; nobody waits for it.

    For whoever knows that a source has grown where nobody announced it.
    """
    names = list(topics)
    HUB.look_at_from_anywhere(names)
    _say({"look_at": names})


def ask_again(names: Iterable[str]) -> None:
    """Have every web process ask again about the open streams of these people, bearers and topics; nobody waits.

    Call it when the change is committed: whoever is asked before that still gives the old answer.
    """
    names = list(names)
    HUB.ask_again_from_anywhere(names)
    _say({"ask_again": names})


def _say(message: dict[str, list[str]]) -> None:
    if settings.REDIS_URL:
        CALLS.submit(lambda: _publisher().publish(CHANNEL, json.dumps(message)))


@lru_cache(maxsize=1)
def _publisher() -> Any:
    # Only where there is a Redis: a club's own machine starts without loading it.
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    # One try: the next event is more urgent than this one, and the look-up finds both.
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2, retry=Retry(NoBackoff(), 1)
    )


class Relay:
    """Feeds the hub of one web process from Redis, and from the database when Redis is silent."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._is_cut_off = asyncio.Event()
        self._redis = FailureStreak(begins="relay.redis_gone", ends="relay.redis_back")
        self._looks = FailureStreak(begins="relay.look_failed", ends="relay.look_succeeded")
        self.is_connected = not settings.REDIS_URL

    def start(self) -> None:
        """Begin to listen, in the running loop."""
        HUB.start()
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._look()), loop.create_task(self._ask())]
        if settings.REDIS_URL:
            self._tasks.append(loop.create_task(self._listen()))

    async def stop(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await HUB.presence.close()

    async def _look(self) -> None:
        while True:
            # Who has just lost Redis looks at once.
            pause = LOOK_SECONDS if self.is_connected else LOOK_SECONDS_ALONE
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_cut_off.wait(), pause)
            self._is_cut_off.clear()
            try:
                await HUB.look()
                self._looks.end()
            except Exception as error:  # noqa: BLE001 - a database that is away comes back
                self._looks.fail(error)

    async def _ask(self) -> None:
        while True:
            await asyncio.sleep(ASK_SECONDS if self.is_connected else ASK_SECONDS_ALONE)
            HUB.ask_about_all()

    async def _listen(self) -> None:
        pause = SHORTEST_PAUSE
        while True:
            try:
                await self._hear_until_it_ends()
            except Exception as error:  # noqa: BLE001 - whatever it was, a deaf process would stay deaf
                self._redis.fail(error)
            if self.is_connected:
                self.is_connected = False
                self._is_cut_off.set()
                pause = SHORTEST_PAUSE
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _hear_until_it_ends(self) -> None:
        import redis.asyncio
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        # redis-py closes a connection that is silent for socket_timeout; silence is normal here. It also
        # tries again by itself, for seconds and without a word: we must know when we are cut off.
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
                    _take(message["data"])
        finally:
            await client.aclose()


def _take(text: bytes) -> None:
    try:
        if text.startswith(b"{"):
            message = json.loads(text)
            HUB.look_at(message.get("look_at", ()))
            HUB.ask_again(message.get("ask_again", ()))
        else:
            HUB.post(Event.from_json(text))
    except (LookupError, ValueError, TypeError) as error:
        log.warning("relay.unreadable", error=f"{type(error).__name__}: {error}")
