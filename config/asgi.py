"""The ASGI application: streams and `/healthz` in the event loop, everything else is Django in threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from config.wsgi import application as pages  # first: it sets Django up

from django.conf import settings  # isort: skip

from config.front import WsgiBridge, answer, answer_ok, check_head  # isort: skip
from runtime.stream.app import live  # isort: skip
from runtime.stream.relay import Relay  # isort: skip

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

bridge = WsgiBridge(
    pages, threads=settings.WEB_THREADS, is_guarded=settings.FRONT_GUARD, files=settings.STATIC_URL
)
_state: dict[str, Relay] = {}


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer one request, or one lifetime."""
    if scope["type"] == "http":
        await _answer_request(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _live_and_die(receive, send)
    else:
        # We speak by POST and listen by server-sent events (docs/adr/0004).
        closing: Any = {"type": "websocket.close", "code": 1000}
        await send(closing)


async def _answer_request(scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    path = scope["path"]
    if refusal := check_head(scope):
        await answer(scope, send, refusal)
    elif path == "/live/":
        await live(scope, receive, send)
    elif path == "/healthz" and scope["method"] in {"GET", "HEAD"}:
        # Here rather than in Django, whose threads may all be busy while the process is well.
        await answer_ok(scope, send)
    else:
        await bridge(scope, receive, send)


async def _live_and_die(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            _state["relay"] = Relay()
            _state["relay"].start()
            await send({"type": "lifespan.startup.complete"})
        else:
            await _state["relay"].stop()
            bridge.close()
            await send({"type": "lifespan.shutdown.complete"})
            return
