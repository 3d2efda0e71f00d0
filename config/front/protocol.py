"""uvicorn's HTTP/1.1 protocol with limits on size, time and number of connections."""

from __future__ import annotations

import asyncio
from enum import Enum, auto
from typing import Any, Final

from django.conf import settings
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from config.front import limits, refusal_pages
from config.front.heads import HEAD_TOO_LARGE
from config.front.limits import Limits
from runtime import addresses

LOOK_SECONDS: Final = 1.0
# How long a process that ends waits for a request on a connection that it has accepted.
ACCEPTED_SECONDS: Final = 0.5

TOO_LONG: Final = (431, "The head of the request is too long.")
TOO_SLOW: Final = (408, "The request took too long to arrive.")
TOO_MANY: Final = (503, "Too many connections at once. Try again in a moment.")
VERSIONS: Final = frozenset({"1.0", "1.1"})
NOT_SPOKEN: Final = (505, "This server speaks HTTP/1.0 and HTTP/1.1.")
NO_HOST: Final = (400, "An HTTP/1.1 request names its host.")


class Stage(Enum):
    HEAD = auto()
    BODY = auto()
    # Handling the request, sending the response, or idle; uvicorn closes idle connections.
    ANSWER = auto()


class ParsingStopped(Exception):
    """The exception by which a parser callback stops the parser."""


class GuardedProtocol(HttpToolsProtocol):
    limits = Limits()

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._stage = Stage.HEAD
        self._since = self.loop.time()
        self._head_bytes = 0
        self._line_bytes = 0
        self._body_bytes = 0
        self._unsent = 0
        self._stalled_since = self._since
        self._refusal: tuple[int, str] | None = None
        self._is_leaving = False

    # ---- connect and disconnect

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        WATCH.add(self)
        if WATCH.is_crowded_by(self):
            self._refuse(*TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        WATCH.discard(self)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Leave when the response is sent; the request of an accepted connection is still read for a moment."""
        if self._stage is Stage.HEAD and not self._is_leaving:
            self._is_leaving = True
            self.loop.call_later(ACCEPTED_SECONDS, self.shutdown)
        else:
            super().shutdown()

    @property
    def networks(self) -> tuple[str, ...]:
        """The peer's networks; empty behind a trusted proxy, whose address does not identify the client."""
        if settings.TRUSTED_PROXIES or self.client is None:
            return ()
        return addresses.list_networks(self.client[0])

    # ---- reading

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None:
            return
        was_head = self._stage is Stage.HEAD
        super().data_received(data)
        # An incomplete line is buffered in the parser and not counted by the callbacks.
        if was_head and self._stage is Stage.HEAD:
            self._head_bytes += len(data)
            if self._head_bytes > self.limits.head_bytes:
                self._refuse(*TOO_LONG)

    def send_400_response(self, msg: str) -> None:
        """Send the stored refusal, if any, instead of the parser's error."""
        self._refuse(*(self._refusal or (400, msg)))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._stage, self._since = Stage.HEAD, self.loop.time()
        self._head_bytes = self._line_bytes = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count_head_bytes(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._count_head_bytes(len(name) + len(value) + 4)

    def on_headers_complete(self) -> None:
        """Check version, host and pipelining; start counting the body."""
        version = self.parser.get_http_version()
        if version not in VERSIONS:
            self._stop_parsing(NOT_SPOKEN)
        if version == "1.1" and not any(name == b"host" for name, _ in self.headers):
            self._stop_parsing(NO_HOST)
        if len(self.pipeline) >= self.limits.pipelined:
            self._stop_parsing(TOO_MANY)
        self._stage, self._since, self._body_bytes = Stage.BODY, self.loop.time(), 0
        super().on_headers_complete()
        self.cycle.keep_alive = self.cycle.keep_alive and not self._is_leaving

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stage = Stage.ANSWER
        super().on_message_complete()

    def _count_head_bytes(self, size: int) -> None:
        self._line_bytes += size
        if self._line_bytes > self.limits.head_bytes or len(self.headers) > self.limits.header_lines:
            self._stop_parsing(TOO_LONG)

    def _stop_parsing(self, refusal: tuple[int, str]) -> None:
        # The parser wraps the exception, and uvicorn then calls send_400_response.
        self._refusal = refusal
        raise ParsingStopped

    # ---- time limits

    def look(self, now: float) -> None:
        if self._is_slow(now - self._since) and not self.flow.read_paused:
            self._refuse(*TOO_SLOW)
            return
        unsent = self.transport.get_write_buffer_size()
        if unsent == 0 or unsent < self._unsent:
            self._stalled_since = now
        self._unsent = unsent
        if now - self._stalled_since > self.limits.stalled_seconds:
            self.transport.abort()

    def _is_slow(self, waited: float) -> bool:
        if self._stage is Stage.HEAD:
            return waited > self.limits.head_seconds
        late = waited - self.limits.body_grace_seconds
        is_behind = self._body_bytes < late * self.limits.body_bytes_a_second
        return self._stage is Stage.BODY and (is_behind or waited > self.limits.body_seconds)

    def _refuse(self, status: int, sentence: str) -> None:
        self._refusal = (status, sentence)
        if self.transport.is_closing():
            return
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        body = sentence.encode()
        if (status, sentence) == TOO_LONG:
            # The part of the head that was read decides the format of the response.
            path = self.url.decode("latin-1")
            headers, body = refusal_pages.render(HEAD_TOO_LARGE, path, self.headers or ())
        head = b"".join(b"%b: %b\r\n" % line for line in headers)
        head += b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
        # A response that has begun cannot be replaced.
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.close()


class ConnectionMonitor:
    """All connections of this process, checked every second."""

    def __init__(self) -> None:
        self._all: set[GuardedProtocol] = set()
        self._by_network = addresses.NetworkCounter()
        self._looking_in: asyncio.AbstractEventLoop | None = None

    def add(self, one: GuardedProtocol) -> None:
        """Add a connection; start the periodic check unless it is running."""
        self._all.add(one)
        self._by_network.update(one.networks)
        if self._looking_in is not one.loop:
            self._looking_in = one.loop
            one.loop.call_later(LOOK_SECONDS, self._check_all, one.loop)

    def discard(self, one: GuardedProtocol) -> None:
        if one in self._all:
            self._all.discard(one)
            self._by_network.release(one.networks)

    def is_crowded_by(self, one: GuardedProtocol) -> bool:
        most = one.limits.connections
        return len(self._all) > most or self._by_network.exceeds(
            one.networks, settings.CONNECTIONS_PER_ADDRESS, ceiling=most // 2
        )

    def _check_all(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for one in list(self._all):
            one.look(now)
        if self._all:
            loop.call_later(LOOK_SECONDS, self._check_all, loop)
        else:
            self._looking_in = None


WATCH: Final = ConnectionMonitor()


def fit_limits() -> None:
    GuardedProtocol.limits = limits.compute_limits(limits.raise_file_limit())
