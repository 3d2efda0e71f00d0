"""uvicorn, beginning and ending by our rules."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from typing import TYPE_CHECKING

import uvicorn
from django.conf import settings

from config.child import LEAVE, LEAVE_SECONDS
from config.front import limits
from config.front.protocol import WATCH, GuardedProtocol
from config.process import Refusal
from config.supervisor import GRACE_SECONDS
from runtime.stream.hub import HUB

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from types import FrameType


class Server(uvicorn.Server):
    """uvicorn, ending by our rules: streams are told to come back, and a polite end is status 0."""

    def __init__(self, config: uvicorn.Config, *, when_ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._when_ready = when_ready
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked_to_end = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the sockets, then say so."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets=sockets)
        if self.started:
            threading.Thread(target=self._when_ready, name="ready", daemon=True).start()

    async def main_loop(self) -> None:
        """Tell answers the time each second until asked to end; uvicorn looks ten times a second, also when idle."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._asked_to_end.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM as the wish to end; uvicorn itself would raise them once more."""
        before = {s: signal.signal(s, self.handle_exit) for s in (signal.SIGINT, signal.SIGTERM)}
        before[LEAVE] = signal.signal(LEAVE, self._handle_leave)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: no stream may keep it waiting."""
        HUB.close_from_anywhere()
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._asked_to_end.set)

    def _handle_leave(self, _sig: int, _frame: FrameType | None) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        """Begin to end where another process goes on at the same socket: nobody may be cut off."""
        self.config.timeout_graceful_shutdown = LEAVE_SECONDS
        WATCH.leave()
        HUB.close(is_followed=True)
        self.should_exit = True
        self._asked_to_end.set()


def _server(*, when_ready: Callable[[], None] = lambda: None) -> Server:
    return Server(
        uvicorn.Config(
            "config.asgi:application",
            host=settings.HOST,
            port=settings.PORT,
            # Forwarded headers are believed as far as we have proxies; Django reads them.
            proxy_headers=False,
            server_header=False,
            http=GuardedProtocol if settings.FRONT_GUARD else "httptools",
            # We speak by POST and listen by server-sent events (docs/adr/0004).
            ws="none",
            access_log=False,
            log_config=None,
            backlog=2048,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=GRACE_SECONDS,
        ),
        when_ready=when_ready,
    )


def run(*, when_ready: Callable[[], None], listener: socket.socket | None = None) -> None:
    """Serve until told to stop, at a socket that is given or at one of our own."""
    GuardedProtocol.limits = limits.within(limits.open_files())
    server = _server(when_ready=when_ready)
    # uvicorn leaves by SystemExit where it cannot open the socket.
    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        uvloop_or_not = server.config.get_loop_factory()
        with asyncio.Runner(loop_factory=uvloop_or_not) as runner:
            runner.run(server.serve(sockets=None if listener is None else [listener]))
    if not server.started:
        raise Refusal(f"Nothing could be served at {settings.HOST}:{settings.PORT}; is the port taken?")
