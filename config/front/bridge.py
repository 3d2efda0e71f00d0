"""Django's WSGI application behind an ASGI server: one thread per request, one hop each way.

Django under ASGI needs a thread hop for every synchronous layer and a new database connection for each
request. Here the event loop reads the request, a pool thread with a persistent connection handles it, and the
event loop writes the response (docs/adr/0012, bench/pages.py).
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

from config.front import limits, refusal_pages
from config.front.admission import PAGE_PATIENCE, Admission
from config.front.limits import find_body_limit
from config.front.refusal_pages import FrontRefusal
from runtime import addresses

# With a longer queue, requests would wait longer than users do.
LONGEST_LINE = 400
# In addition to those of pages (WEB_THREADS).
FILE_THREADS = 2
MOVE_THREADS = 2
# The API's matches: what players at a board send.
MOVES = "/api/v1/matches/"

Headers = list[tuple[bytes, bytes]]


class BodyTooLarge(Exception):
    """The request's body exceeds its limit."""


class ClientGone(Exception):
    """The client disconnected before the request was read."""


class BodyMemoryFull(Exception):
    """The limit on large bodies in memory is reached."""


class BodyMemory:
    """Counter of the bytes of large bodies, of the whole process and by network, as guests may upload photos, too.

    No locks, since it is only used in the event loop. Requests beyond the limit get a 503.
    """

    def __init__(self) -> None:
        self._bytes = 0
        self._by_network = addresses.NetworkCounter()

    @contextmanager
    def open_body(self, scope: HTTPScope) -> Iterator[Callable[[int], int]]:
        """Yield a function that counts a chunk and returns the body's size so far; release the count on exit.

        The function raises `BodyMemoryFull`. Only bytes beyond `limits.SMALL_BODY` count.
        """
        networks, most = addresses.find_networks(scope), limits.LARGE_BODIES
        size = counted = 0

        def count(piece: int) -> int:
            nonlocal size, counted
            size += piece
            more = max(0, size - limits.SMALL_BODY) - counted
            if more:
                if self._bytes + more > most or self._by_network.exceeds(
                    networks, limits.LARGE_BODIES_PER_NETWORK, more=more, ceiling=most // 2
                ):
                    raise BodyMemoryFull
                self._bytes += more
                self._by_network.update(dict.fromkeys(networks, more))
                counted += more
            return size

        try:
            yield count
        finally:
            self._bytes -= counted
            self._by_network.release(networks, counted)


class WsgiBridge:
    """An ASGI application that handles HTTP with a WSGI application."""

    def __init__(
        self,
        application: WSGIApplication,
        *,
        threads: int,
        files: str = "/static/",
        at_once: int | None = None,
        moment: float | None = None,
    ) -> None:
        self._application = application
        self._admission = Admission(threads, at_once=at_once, moment=moment)
        # Separate threads for static files and moves, which then do not wait for pages.
        self._file_admission = Admission(FILE_THREADS)
        self._move_admission = Admission(MOVE_THREADS)
        self._files = files
        self._room = BodyMemory()

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        path = scope["path"]
        admission = self._choose_admission(scope)
        if admission.inside >= LONGEST_LINE:
            await _send_retry_later(scope, send)
            return
        with self._room.open_body(scope) as count:
            try:
                body = await _read_body(scope, receive, count)
            except BodyTooLarge:
                await send_refusal(scope, send, refusal_pages.refuse_too_large(path))
                return
            except BodyMemoryFull:
                await _send_retry_later(scope, send)
                return
            except ClientGone:
                return
            await self._respond(scope, body, admission, send)

    def _choose_admission(self, scope: HTTPScope) -> Admission:
        path = scope["path"]
        if path.startswith(self._files):
            return self._file_admission
        is_move = path.startswith(MOVES) and scope["method"] == "POST"
        return self._move_admission if is_move else self._admission

    async def _respond(
        self, scope: HTTPScope, body: bytes, admission: Admission, send: ASGISendCallable
    ) -> None:
        # Taken after the body was read, so that a slow upload does not count as received earlier.
        received = time.monotonic()
        # Checked again, since many may have been reading at once.
        if admission.inside >= LONGEST_LINE:
            await _send_retry_later(scope, send)
            return
        loop = asyncio.get_running_loop()
        call = _Call(self._application, build_environ(scope, body, received), loop, send)
        is_act = scope["method"] not in {"GET", "HEAD"}
        answered = await admission.run(call, patience=0.0 if is_act else PAGE_PATIENCE)
        if answered is not None:
            await send(_build_start_message(call.status, call.headers))
            await send({"type": "http.response.body", "body": answered, "more_body": False})

    def close(self) -> None:
        self._admission.close()
        self._file_admission.close()
        self._move_admission.close()


class _Call:
    """A request in its thread: returns the body, or None after streaming it in chunks."""

    def __init__(
        self,
        application: WSGIApplication,
        environ: WSGIEnvironment,
        loop: asyncio.AbstractEventLoop,
        send: ASGISendCallable,
    ) -> None:
        self._application = application
        self._environ = environ
        self._loop = loop
        self._send = send
        self.status = 500
        self.headers: Headers = []

    def __call__(self) -> bytes | None:
        response = self._application(self._environ, self._start_response)
        try:
            if getattr(response, "streaming", False) or not hasattr(response, "status_code"):
                self._send_chunks(iter(response))
                return None
            return b"".join(response)
        finally:
            close: Callable[[], None] | None = getattr(response, "close", None)
            if close is not None:
                close()

    def _start_response(self, status: str, headers: Iterable[tuple[str, str]], _info: Any = None, /) -> Any:
        self.status = int(status[:3])
        self.headers = [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in headers]
        return self._refuse_write

    @staticmethod
    def _refuse_write(_data: bytes) -> None:
        raise NotImplementedError("WSGI's write() is not offered; return an iterable")

    def _send_chunks(self, chunks: Iterator[bytes]) -> None:
        # start_response may be called as late as the first chunk (PEP 3333).
        first = next(chunks, None)
        self._send_and_wait(_build_start_message(self.status, self.headers))
        if first is not None:
            self._send_and_wait({"type": "http.response.body", "body": first, "more_body": True})
        for chunk in chunks:
            self._send_and_wait({"type": "http.response.body", "body": chunk, "more_body": True})
        self._send_and_wait({"type": "http.response.body", "body": b"", "more_body": False})

    def _send_and_wait(self, message: Any) -> None:
        # The thread waits for the socket: a slow client blocks a thread but takes no memory.
        asyncio.run_coroutine_threadsafe(_await_result(self._send(message)), self._loop).result(timeout=60)


async def _await_result(what: Awaitable[None]) -> None:
    await what


def build_environ(scope: HTTPScope, body: bytes, received: float) -> WSGIEnvironment:
    """Return the WSGI environment; *received* is the monotonic time at which the body was complete."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    raw = scope.get("raw_path")
    env: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": (unquote_to_bytes(raw) if raw else scope["path"].encode()).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        # Cannot collide with a header.
        "barpoint.received": received,
    }
    if body:
        # From the actual body, since a chunked request has no Content-Length.
        env["CONTENT_LENGTH"] = str(len(body))
    values_by_name: dict[str, list[str]] = {}
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1")
        value = raw_value.decode("latin-1")
        if name == "content-type":
            env["CONTENT_TYPE"] = value
        elif name == "content-length":
            env.setdefault("CONTENT_LENGTH", value)
        elif "_" not in name:  # X_Forwarded_For would map to the same key as X-Forwarded-For
            values_by_name.setdefault(name, []).append(value)
    for name, values in values_by_name.items():
        # Joined once, so that repeated headers do not take quadratic time.
        env["HTTP_" + name.upper().replace("-", "_")] = ("; " if name == "cookie" else ",").join(values)
    return env


async def _read_body(scope: HTTPScope, receive: ASGIReceiveCallable, count: Callable[[int], int]) -> bytes:
    most = find_body_limit(scope["path"]).size
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    if declared.isdigit() and len(declared) < 16 and int(declared) > most:
        raise BodyTooLarge
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        piece = message.get("body", b"")
        if count(len(piece)) > most:
            raise BodyTooLarge
        pieces.append(piece)
        if not message.get("more_body", False):
            return b"".join(pieces)


def _build_start_message(status: int, headers: Headers) -> Any:
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _send_retry_later(scope: HTTPScope, send: ASGISendCallable) -> None:
    await send_refusal(scope, send, refusal_pages.BUSY)


async def send_ok(scope: HTTPScope, send: ASGISendCallable) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send(_build_start_message(200, headers))
    body = b"" if scope["method"] == "HEAD" else b"ok\n"
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def send_refusal(scope: HTTPScope, send: ASGISendCallable, refusal: FrontRefusal) -> None:
    """Send a refusal without Django: problem+json for the API, a page for browsers."""
    headers, body = refusal_pages.render(refusal, scope["path"], scope["headers"])
    await send(_build_start_message(refusal.status, headers))
    await send({"type": "http.response.body", "body": body, "more_body": False})
