"""Django's WSGI application behind an ASGI server: one thread a request, one hop each way.

Django under ASGI pays a thread hop for every synchronous layer and a fresh database connection a
request; here a request is read in the loop, answered whole in a pool thread that keeps its
connection, and written in the loop (docs/adr/0012, bench/pages.py).
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from io import SEEK_END, BytesIO
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from config.turnstile import Turnstile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator
    from wsgiref.types import WSGIApplication, WSGIEnvironment

    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

IN_MEMORY = 1024 * 1024
MOST_BODY = 20 * 1024 * 1024
# Beyond this, waiting in line would take longer than anyone waits.
LONGEST_LINE = 400

Headers = list[tuple[bytes, bytes]]


class TooLarge(Exception):
    """The request's body is more than we read."""


class Gone(Exception):
    """The caller left before the request was read."""


class WsgiBridge:
    """An ASGI application that answers HTTP by a WSGI one."""

    def __init__(self, application: WSGIApplication, *, threads: int) -> None:
        self._application = application
        self._turnstile = Turnstile(threads)

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        if self._turnstile.inside >= LONGEST_LINE:
            await _ask_to_come_back(send)
            return
        try:
            body = await _read(receive)
        except TooLarge:
            await _answer(send, 413, b"That is more than 20 MB; nothing was read.")
            return
        except Gone:
            return
        # All of it is here: whoever is slow to send has not come earlier for that.
        received = time.monotonic()
        # Once more: many may have been reading at once.
        if self._turnstile.inside >= LONGEST_LINE:
            body.close()
            await _ask_to_come_back(send)
            return
        loop = asyncio.get_running_loop()
        call = _Call(self._application, environ(scope, body, received), loop, send)
        try:
            answered = await self._turnstile.run(call)
        finally:
            body.close()
        if answered is not None:
            await send(_start(call.status, call.headers))
            await send({"type": "http.response.body", "body": answered, "more_body": False})

    def close(self) -> None:
        """Let the threads end."""
        self._turnstile.close()


class _Call:
    """One request in its thread: returns the body, or None after streaming it piece by piece."""

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
                self._stream(iter(response))
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

    def _stream(self, chunks: Iterator[bytes]) -> None:
        # The head may come as late as the first piece (PEP 3333).
        first = next(chunks, None)
        self._wait(_start(self.status, self.headers))
        if first is not None:
            self._wait({"type": "http.response.body", "body": first, "more_body": True})
        for chunk in chunks:
            self._wait({"type": "http.response.body", "body": chunk, "more_body": True})
        self._wait({"type": "http.response.body", "body": b"", "more_body": False})

    def _wait(self, message: Any) -> None:
        # The thread waits for the socket: a slow reader holds a thread and no memory.
        asyncio.run_coroutine_threadsafe(_awaited(self._send(message)), self._loop).result(timeout=60)


async def _awaited(what: Awaitable[None]) -> None:
    await what


def environ(scope: HTTPScope, body: IO[bytes], received: float) -> WSGIEnvironment:
    """Return the WSGI environment of an ASGI scope; *received* is when the request was here, by a steady watch."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    env: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": _path(scope).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": _Errors(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        # No header can be called that.
        "barpoint.received": received,
    }
    if size := _size(body):
        # Said by us, who have it all: a body that came in chunks was announced without a length.
        env["CONTENT_LENGTH"] = str(size)
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1")
        value = raw_value.decode("latin-1")
        if name == "content-type":
            env["CONTENT_TYPE"] = value
        elif name == "content-length":
            env.setdefault("CONTENT_LENGTH", value)
        elif "_" not in name:  # X_Forwarded_For must not pass for X-Forwarded-For
            key = "HTTP_" + name.upper().replace("-", "_")
            joint = "; " if name == "cookie" else ","
            env[key] = f"{env[key]}{joint}{value}" if key in env else value
    return env


def _path(scope: HTTPScope) -> bytes:
    raw = scope.get("raw_path")
    return unquote_to_bytes(raw) if raw else scope["path"].encode()


def _size(body: IO[bytes]) -> int:
    size = body.seek(0, SEEK_END)
    body.seek(0)
    return size


class _Errors:
    """What WSGI calls the error stream; ours is the log."""

    def write(self, text: str) -> None:
        import logging

        logging.getLogger("wsgi").error(text)

    def writelines(self, lines: Iterable[str]) -> None:
        self.write("".join(lines))

    def flush(self) -> None:
        """Do nothing: the log flushes itself."""


async def _read(receive: ASGIReceiveCallable) -> IO[bytes]:
    body: IO[bytes] = BytesIO()
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        piece = message.get("body", b"")
        size += len(piece)
        if size > MOST_BODY:
            raise TooLarge
        if size > IN_MEMORY and isinstance(body, BytesIO):
            body = _on_disk(body)
        body.write(piece)
        if not message.get("more_body", False):
            body.seek(0)
            return body


def _on_disk(body: BytesIO) -> IO[bytes]:
    spooled: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the request
    spooled.write(body.getvalue())
    return spooled


def _start(status: int, headers: Headers) -> Any:
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _ask_to_come_back(send: ASGISendCallable) -> None:
    await _answer(send, 503, b"Too many visitors at once. Try again in a moment.", retry=True)


async def _answer(send: ASGISendCallable, status: int, sentence: bytes, *, retry: bool = False) -> None:
    headers: Headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if retry:
        headers.append((b"retry-after", b"2"))
    await send(_start(status, headers))
    await send({"type": "http.response.body", "body": sentence, "more_body": False})
