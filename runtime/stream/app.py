"""`/live/`: server-sent events as a plain ASGI application."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

import structlog
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.conf import settings
from django.db import DatabaseError

from runtime import addresses
from runtime.stream import rights, tokens
from runtime.stream.guard import Reader
from runtime.stream.hub import HUB, MOST_STREAMS
from runtime.stream.rights import Bearer
from runtime.stream.tokens import BadToken, Grant

log = structlog.get_logger(__name__)

# Proxies and phones close connections that are idle for a minute.
KEEPALIVE_SECONDS = 20.0
TOO_OLD = "This stream's permission is not valid any more. Reload the page."
TOO_MANY = "No more streams just now. Try again in a moment."
NOT_YOURS = "You may not follow this any more. Reload the page."
# The type and the further headers of a stream.
STREAM = (
    b"text/event-stream; charset=utf-8",
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
)
# Only spreads reconnections; not used for secrets.
_jitter = random.Random()  # noqa: S311
_by_network = addresses.NetworkCounter()


async def live(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Serve one stream: missed events first, then new ones, until either side closes it."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if scope["method"] not in {"GET", "HEAD"}:
        await _refuse(send, 405, "Streams are read with GET.")
        return
    is_renewal = "renew" in query
    try:
        within = tokens.RENEWABLE_SECONDS if is_renewal else tokens.VALID_SECONDS
        grant = tokens.verify_token(query.get("t", [""])[0], within=within)
    except BadToken:
        await _refuse(send, 403, TOO_OLD)
        return
    if HUB.open_streams >= MOST_STREAMS:
        await _refuse(send, 503, TOO_MANY)
        return
    bearer = Bearer(grant.who, _read_credential(scope, grant.who))
    if is_renewal:
        await _send_renewed_token(grant, bearer, send)
        return
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"last-event-id"]
    last_id = sent[0] if sent else query.get("after", [""])[0]
    reader = Reader(_resume_positions(grant.positions, last_id), bearer)
    if scope["method"] == "HEAD":
        if await _is_admitted(HUB.guard.admits(reader), send):
            await send(_build_start_message(200, *STREAM))
            await _send_body(send, b"", more=False)
        return
    networks = addresses.find_networks(scope)
    if _is_full(networks):
        await _refuse(
            send, 429, "Too many streams from your address. Close some pages, then load this one again."
        )
        return
    with _count_stream(networks):
        if await _is_admitted(HUB.admit(reader), send):
            await _serve(reader, receive, send)


async def _is_admitted(check: Awaitable[bool], send: ASGISendCallable) -> bool:
    """True if the guard admits the stream; otherwise the response has been sent."""
    try:
        if await check:
            return True
    except (DatabaseError, OSError) as error:
        log.warning("live.not_asked", error=f"{type(error).__name__}: {error}")
        await _refuse(send, 503, TOO_MANY)
    else:
        await _refuse(send, 403, NOT_YOURS)
    return False


async def _send_renewed_token(grant: Grant, bearer: Bearer, send: ASGISendCallable) -> None:
    """Send a new token for the same topics. Programs with an API key request their streams again instead."""
    if bearer.who.startswith(rights.KEY):
        await _refuse(send, 403, TOO_OLD)
    elif await _is_admitted(HUB.guard.admits(Reader(grant.positions, bearer)), send):
        await send(_build_start_message(200, b"application/json"))
        await _send_body(send, json.dumps({"token": tokens.sign_grant(grant)}).encode(), more=False)


async def _serve(reader: Reader, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    leaving = asyncio.ensure_future(_await_disconnect(receive, reader))
    try:
        await _send_events(reader, send)
    except OSError:  # the client has disconnected
        pass
    finally:
        leaving.cancel()
        reader.is_gone = True
        HUB.leave(reader)


def _read_credential(scope: HTTPScope, who: str) -> str:
    """Return the credential that the request of *who* has to contain: the API token or the session key."""
    if who.startswith(rights.KEY):
        sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _space, token = sent.decode("latin-1").strip().partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    return _read_session_key(scope)


def _read_session_key(scope: HTTPScope) -> str:
    """Read the session cookie in one pass.

    Its value is never quoted, so it need not be unquoted in the event loop.
    """
    wanted = settings.SESSION_COOKIE_NAME.encode()
    found = b""
    for line in (value for name, value in scope["headers"] if name == b"cookie"):
        for cookie in line.split(b";"):
            name, _, value = cookie.partition(b"=")
            if name.strip() == wanted:
                # The last one wins, as in Django.
                found = value.strip()
    return found.decode("latin-1")


@contextmanager
def _count_stream(networks: tuple[str, ...]) -> Iterator[None]:
    _by_network.update(networks)
    try:
        yield
    finally:
        _by_network.release(networks)


def _is_full(networks: tuple[str, ...]) -> bool:
    return _by_network.exceeds(networks, settings.STREAMS_PER_ADDRESS, more=1)


async def _send_events(reader: Reader, send: ASGISendCallable) -> None:
    await send(_build_start_message(200, *STREAM))
    await _send_body(send, _format_position(reader) + b'data: {"name":"hello"}\n\n')
    loop = asyncio.get_running_loop()
    spoke_at = loop.time()
    while not reader.is_gone:
        reader.wake.clear()
        if HUB.is_closing:
            # Spreads the reconnections; after a 503 a browser would not reconnect at all.
            await _send_body(send, b"retry: %d\n\n" % _jitter.randint(500, 3000), more=False)
            return
        if reader.is_refused:
            await _send_body(send, b'data: {"name":"ended"}\n\n', more=False)
            return
        news, lost = await HUB.take(reader)
        text = b""
        if news:
            text = b"".join(event.wire for event in news[:-1]) + _format_position(reader) + news[-1].wire
        for topic in lost:
            text += _format_position(reader) + b'data: {"name":"resync","topic":"%s"}\n\n' % topic.encode()
        if not text and loop.time() - spoke_at >= KEEPALIVE_SECONDS:
            text = b":\n\n"
        if text:
            await _send_body(send, text)
            spoke_at = loop.time()
        if not reader.wake.is_set():
            timer = loop.call_at(spoke_at + KEEPALIVE_SECONDS, reader.wake.set)
            await reader.wake.wait()
            timer.cancel()


def _build_start_message(status: int, kind: bytes, *more: tuple[bytes, bytes]) -> Any:
    headers = [(b"content-type", kind), (b"cache-control", b"no-store"), *more]
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _send_body(send: ASGISendCallable, text: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": more})


def _format_position(reader: Reader) -> bytes:
    """Return the SSE id line: the reader's position in each topic, in the token's order."""
    return b"id: " + "-".join(map(str, reader.cursors.values())).encode() + b"\n"


def _resume_positions(positions: dict[str, int], last_id: str) -> dict[str, int]:
    parts = last_id.split("-")
    if len(parts) == len(positions) and all(part.isdecimal() and len(part) < 19 for part in parts):
        return dict(zip(positions, map(int, parts), strict=True))
    return positions


async def _await_disconnect(receive: ASGIReceiveCallable, reader: Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.is_gone = True
    reader.wake.set()


async def _refuse(send: ASGISendCallable, status: int, sentence: str) -> None:
    later = [(b"retry-after", b"2")] if status == 503 else []
    await send(_build_start_message(status, b"text/plain; charset=utf-8", *later))
    await _send_body(send, sentence.encode(), more=False)
