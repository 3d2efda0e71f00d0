"""`/live/`: server-sent events as a bare ASGI application."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import structlog
from django.conf import settings
from django.db import DatabaseError

from runtime import addresses
from runtime.stream import rights, tokens
from runtime.stream.hub import HUB, MOST_STREAMS
from runtime.stream.reader import Reader
from runtime.stream.rights import Bearer
from runtime.stream.tokens import BadToken

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator

    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

    from runtime.stream.tokens import Grant

log = structlog.get_logger(__name__)

# Proxies and phones drop what is silent for a minute.
KEEPALIVE_SECONDS = 20.0
TOO_OLD = "This stream's permission is not valid any more. Reload the page."
TOO_MANY = "No more streams just now. Try again in a moment."
NOT_YOURS = "You may not follow this any more. Reload the page."
# Only spreads reconnections; no secret hangs on it.
_jitter = random.Random()  # noqa: S311
_by_network: Counter[str] = Counter()


async def live(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer one stream: what was missed first, then what comes, until either side leaves."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if scope["method"] not in {"GET", "HEAD"}:
        await _refuse(send, 405, "Streams are read with GET.")
        return
    is_renewal = "renew" in query
    try:
        within = tokens.RENEWABLE_SECONDS if is_renewal else tokens.VALID_SECONDS
        grant = tokens.unseal(query.get("t", [""])[0], within=within)
    except BadToken:
        await _refuse(send, 403, TOO_OLD)
        return
    if HUB.open_streams >= MOST_STREAMS:
        await _refuse(send, 503, TOO_MANY)
        return
    bearer = Bearer(grant.who, _secret(scope, grant.who))
    if is_renewal:
        await _renew(grant, bearer, send)
        return
    reader = Reader(_resumed(grant.positions, _last_id(scope, query)), bearer)
    if scope["method"] == "HEAD":
        if await _is_let_in(HUB.guard.admits(reader), send):
            await send(_start())
            await _say(send, b"", more=False)
        return
    networks = _networks(scope)
    if _is_full(networks):
        await _refuse(
            send, 429, "Too many streams from your address. Close some pages, then load this one again."
        )
        return
    with _counted(networks):
        if await _is_let_in(HUB.admit(reader), send):
            await _serve(reader, receive, send)


async def _is_let_in(asked: Awaitable[bool], send: ASGISendCallable) -> bool:
    """Say whether the guard lets a stream in; who is not let in has been answered."""
    try:
        if await asked:
            return True
    except (DatabaseError, OSError) as error:
        log.warning("live.not_asked", error=f"{type(error).__name__}: {error}")
        await _refuse(send, 503, TOO_MANY)
    else:
        await _refuse(send, 403, NOT_YOURS)
    return False


async def _renew(grant: Grant, bearer: Bearer, send: ASGISendCallable) -> None:
    """Give a page a fresh token for the same topics; a program asks for what it follows, with its key."""
    if bearer.who.startswith(rights.KEY):
        await _refuse(send, 403, TOO_OLD)
    elif await _is_let_in(HUB.guard.admits(Reader(grant.positions, bearer)), send):
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers, "trailers": False})
        await _say(send, json.dumps({"token": tokens.seal(grant)}).encode(), more=False)


async def _serve(reader: Reader, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    leaving = asyncio.ensure_future(_await_leaving(receive, reader))
    try:
        await _speak(reader, send)
    except OSError:  # the other side is gone; there is nobody to tell
        pass
    finally:
        leaving.cancel()
        reader.is_gone = True
        HUB.leave(reader)


def _secret(scope: HTTPScope, who: str) -> str:
    """Return the credential that the holder *who* has to send: the API token, or the key of the session."""
    if who.startswith(rights.KEY):
        sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _space, token = sent.decode("latin-1").strip().partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    return _session_key(scope)


def _session_key(scope: HTTPScope) -> str:
    """Return the session cookie in one pass; its value is never quoted, so nothing is unquoted in the event loop."""
    wanted = settings.SESSION_COOKIE_NAME.encode()
    found = b""
    for line in (value for name, value in scope["headers"] if name == b"cookie"):
        for cookie in line.split(b";"):
            name, _, value = cookie.partition(b"=")
            if name.strip() == wanted:
                # The last one counts, as it does for pages.
                found = value.strip()
    return found.decode("latin-1")


def _networks(scope: HTTPScope) -> tuple[str, ...]:
    """Return the networks of the caller, under which its streams count."""
    said = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    client = scope.get("client")
    caller = addresses.find_caller(said.decode("latin-1"), client[0] if client else "")
    return addresses.list_networks(caller)


@contextmanager
def _counted(networks: tuple[str, ...]) -> Iterator[None]:
    """Count a stream under its networks while it lasts."""
    _by_network.update(networks)
    try:
        yield
    finally:
        for network in networks:
            _by_network[network] -= 1
            if not _by_network[network]:
                del _by_network[network]


def _is_full(networks: tuple[str, ...]) -> bool:
    """True if one of these networks has as many streams as it may."""
    most = settings.STREAMS_PER_ADDRESS
    return any(
        _by_network[network] >= most * factor
        for network, factor in zip(networks, addresses.FACTORS, strict=False)
    )


async def _speak(reader: Reader, send: ASGISendCallable) -> None:
    await send(_start())
    await _say(send, _position(reader) + b'data: {"name":"hello"}\n\n')
    loop = asyncio.get_running_loop()
    spoke_at = loop.time()
    while not reader.is_gone:
        reader.wake.clear()
        if HUB.is_closing:
            # Everyone comes back, not everyone at once; a browser would take a 503 for the end of its stream.
            await _say(send, b"retry: %d\n\n" % _jitter.randint(500, 3000), more=False)
            return
        if reader.is_refused:
            await _say(send, b'data: {"name":"ended"}\n\n', more=False)
            return
        news, lost = await HUB.take(reader)
        text = b""
        if news:
            text = b"".join(event.wire for event in news[:-1]) + _position(reader) + news[-1].wire
        for topic in lost:
            text += _position(reader) + b'data: {"name":"resync","topic":"%s"}\n\n' % topic.encode()
        if not text and loop.time() - spoke_at >= KEEPALIVE_SECONDS:
            text = b":\n\n"
        if text:
            await _say(send, text)
            spoke_at = loop.time()
        if not reader.wake.is_set():
            timer = loop.call_at(spoke_at + KEEPALIVE_SECONDS, reader.wake.set)
            await reader.wake.wait()
            timer.cancel()


def _start() -> Any:
    return {
        "type": "http.response.start",
        "status": 200,
        "headers": [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
            (b"x-content-type-options", b"nosniff"),
        ],
    }


async def _say(send: ASGISendCallable, text: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": more})


def _position(reader: Reader) -> bytes:
    """Return the id line: how far this reader has read each topic, in the token's order."""
    return b"id: " + "-".join(map(str, reader.cursors.values())).encode() + b"\n"


def _last_id(scope: HTTPScope, query: dict[str, list[str]]) -> str:
    for name, value in scope["headers"]:
        if name == b"last-event-id":
            return value.decode("latin-1")
    return query.get("after", [""])[0]


def _resumed(positions: dict[str, int], last_id: str) -> dict[str, int]:
    parts = last_id.split("-")
    if len(parts) == len(positions) and all(part.isdecimal() and len(part) < 19 for part in parts):
        return dict(zip(positions, map(int, parts), strict=True))
    return positions


async def _await_leaving(receive: ASGIReceiveCallable, reader: Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.is_gone = True
    reader.wake.set()


async def _refuse(send: ASGISendCallable, status: int, sentence: str) -> None:
    start: Any = {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")],
    }
    if status == 503:
        start["headers"].append((b"retry-after", b"2"))
    await send(start)
    await _say(send, sentence.encode(), more=False)
