"""Django's WSGI application behind an ASGI server: one thread a request, one hop each way.

Django under ASGI pays a thread hop for every synchronous layer and a fresh database connection a
request; here a request is read in the loop, answered whole in a pool thread that keeps its
connection, and written in the loop (docs/adr/0012, bench/pages.py).
"""

from __future__ import annotations

import asyncio
import time
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from config.front import refusal_pages
from config.front.admission import AT_ONCE, Admission
from config.front.bodies import BodyRoom, NoRoom
from config.front.limits import most_body

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator
    from wsgiref.types import WSGIApplication, WSGIEnvironment

    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

    from config.front.refusal_pages import FrontRefusal

# Beyond this, waiting in line would take longer than anyone waits.
LONGEST_LINE = 400
# Beside those of pages (WEB_THREADS).
FILE_THREADS = 2

Headers = list[tuple[bytes, bytes]]


class TooLarge(Exception):
    """The request's body is more than we read."""


class Gone(Exception):
    """The caller left before the request was read."""


class WsgiBridge:
    """An ASGI application that answers HTTP by a WSGI one."""

    def __init__(
        self, application: WSGIApplication, *, threads: int, is_guarded: bool = True, files: str = "/static/"
    ) -> None:
        self._application = application
        # Without the guard all threads are let loose, as in a plain pool.
        self._admission = Admission(threads, at_once=AT_ONCE if is_guarded else threads)
        # Files are read and sent in threads of their own: they wait for no page.
        self._file_admission = Admission(FILE_THREADS)
        self._files = files
        self._room = BodyRoom()

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        path = scope["path"]
        admission = self._file_admission if path.startswith(self._files) else self._admission
        if admission.inside >= LONGEST_LINE:
            await _ask_to_come_back(scope, send)
            return
        with self._room.open_body(scope) as count:
            try:
                body = await _read(scope, receive, count)
            except TooLarge:
                await answer(scope, send, refusal_pages.too_large(path))
                return
            except NoRoom:
                await _ask_to_come_back(scope, send)
                return
            except Gone:
                return
            await self._answer_whole(scope, body, admission, send)

    async def _answer_whole(
        self, scope: HTTPScope, body: bytes, admission: Admission, send: ASGISendCallable
    ) -> None:
        # All of it is here: whoever is slow to send has not come earlier for that.
        received = time.monotonic()
        # Once more: many may have been reading at once.
        if admission.inside >= LONGEST_LINE:
            await _ask_to_come_back(scope, send)
            return
        loop = asyncio.get_running_loop()
        call = _Call(self._application, environ(scope, body, received), loop, send)
        answered = await admission.run(call)
        if answered is not None:
            await send(_start(call.status, call.headers))
            await send({"type": "http.response.body", "body": answered, "more_body": False})

    def close(self) -> None:
        """Let the threads end."""
        self._admission.close()
        self._file_admission.close()


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


def environ(scope: HTTPScope, body: bytes, received: float) -> WSGIEnvironment:
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
        "wsgi.input": BytesIO(body),
        "wsgi.errors": _Errors(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        # No header can be called that.
        "barpoint.received": received,
    }
    if body:
        # Said by us, who have it all: a body that came in chunks was announced without a length.
        env["CONTENT_LENGTH"] = str(len(body))
    said: dict[str, list[str]] = {}
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1")
        value = raw_value.decode("latin-1")
        if name == "content-type":
            env["CONTENT_TYPE"] = value
        elif name == "content-length":
            env.setdefault("CONTENT_LENGTH", value)
        elif "_" not in name:  # X_Forwarded_For must not pass for X-Forwarded-For
            said.setdefault(name, []).append(value)
    for name, values in said.items():
        # Joined once: a head of many lines with one name costs no more than any other.
        env["HTTP_" + name.upper().replace("-", "_")] = ("; " if name == "cookie" else ",").join(values)
    return env


def _path(scope: HTTPScope) -> bytes:
    raw = scope.get("raw_path")
    return unquote_to_bytes(raw) if raw else scope["path"].encode()


class _Errors:
    """What WSGI calls the error stream; ours is the log."""

    def write(self, text: str) -> None:
        import logging

        logging.getLogger("wsgi").error(text)

    def writelines(self, lines: Iterable[str]) -> None:
        self.write("".join(lines))

    def flush(self) -> None:
        """Do nothing: the log flushes itself."""


async def _read(scope: HTTPScope, receive: ASGIReceiveCallable, count: Callable[[int], int]) -> bytes:
    most = most_body(scope["path"])
    if _announced(scope) > most:
        raise TooLarge
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        piece = message.get("body", b"")
        if count(len(piece)) > most:
            raise TooLarge
        pieces.append(piece)
        if not message.get("more_body", False):
            return b"".join(pieces)


def _announced(scope: HTTPScope) -> int:
    """Return what the head says the body weighs."""
    said = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(said) if said.isdigit() and len(said) < 16 else 0


def _start(status: int, headers: Headers) -> Any:
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _ask_to_come_back(scope: HTTPScope, send: ASGISendCallable) -> None:
    await answer(scope, send, refusal_pages.BUSY)


async def answer_ok(scope: HTTPScope, send: ASGISendCallable) -> None:
    """Answer that the process is well."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send(_start(200, headers))
    body = b"" if scope["method"] == "HEAD" else b"ok\n"
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def answer(scope: HTTPScope, send: ASGISendCallable, refusal: FrontRefusal) -> None:
    """Answer for Django, which is not asked: programs in the API's form, people with a page."""
    headers, body = refusal_pages.render(refusal, scope["path"], scope["headers"])
    await send(_start(refusal.status, headers))
    await send({"type": "http.response.body", "body": body, "more_body": False})
