"""The ASGI application: streams and `/healthz` in the event loop, everything else by Django in threads."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
from functools import partial
from types import FrameType
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from config.wsgi import application as pages  # first: it sets Django up

from django.conf import settings  # isort: skip
from django.db import connection  # isort: skip

from config import servers  # isort: skip
from config.preparation import Refusal  # isort: skip
from config.front import WsgiBridge, send_refusal, send_ok, check_head, fit_limits  # isort: skip
from config.front import SQLITE_AT_ONCE, SQLITE_MOMENT_SECONDS  # isort: skip
from runtime.stream.app import live  # isort: skip
from runtime.stream.hub import HUB  # isort: skip
from runtime.stream.relay import Relay  # isort: skip

bridge = WsgiBridge(
    pages,
    threads=settings.WEB_THREADS,
    files=settings.STATIC_URL,
    at_once=SQLITE_AT_ONCE if connection.vendor == "sqlite" else None,
    moment=SQLITE_MOMENT_SECONDS if connection.vendor == "sqlite" else None,
)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    if scope["type"] == "http":
        await _answer_request(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _run_lifespan(receive, send)
    else:
        # No WebSockets: commands by POST, updates by server-sent events (docs/adr/0004).
        closing: Any = {"type": "websocket.close", "code": 1000}
        await send(closing)


async def _answer_request(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    path = scope["path"]
    if refusal := check_head(scope):
        await send_refusal(scope, send, refusal)
    elif path == "/live/":
        await live(scope, receive, send)
    elif path == "/healthz" and scope["method"] in {"GET", "HEAD"}:
        # Not by Django, whose threads may all be busy in a healthy process.
        await send_ok(scope, send)
    else:
        await bridge(scope, receive, send)


async def _run_lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()  # lifespan.startup
    _close_streams_on_signals()
    fit_limits()
    relay = Relay()
    relay.start()
    if multiprocessing.parent_process() is not None:
        try:
            await asyncio.to_thread(servers.begin_worker)
        except Refusal as refusal:
            await send({"type": "lifespan.startup.failed", "message": str(refusal)})
            return
    await send({"type": "lifespan.startup.complete"})
    await receive()  # lifespan.shutdown
    await relay.stop()
    bridge.close()
    await asyncio.to_thread(servers.end_worker)
    await send({"type": "lifespan.shutdown.complete"})


def _close_streams_on_signals() -> None:
    """Close streams on SIGINT and SIGTERM, since the server waits for open requests."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, partial(_close_streams, before=signal.getsignal(number)))


def _close_streams(number: int, frame: FrameType | None, *, before: Any) -> None:
    HUB.call_soon(HUB.close)
    before(number, frame)
