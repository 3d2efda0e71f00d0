"""The start of uvicorn: in this process, or in several that share a socket."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from typing import Final

import uvicorn
from django.conf import settings
from uvicorn.supervisors import Multiprocess

# Seconds for open requests at a shutdown; longer if other processes continue to serve.
GRACE_SECONDS: Final = 5
LEAVE_SECONDS: Final = 30
# Enough for a slow and busy machine.
START_SECONDS: Final = 120


def _build_config(processes: int) -> uvicorn.Config:
    return uvicorn.Config(
        "config.asgi:application",
        host=settings.HOST,
        port=settings.PORT,
        workers=processes,
        # Django evaluates forwarded headers, according to TRUSTED_PROXIES.
        proxy_headers=False,
        server_header=False,
        http="config.front.protocol:GuardedProtocol",
        # No WebSockets: commands by POST, updates by server-sent events (docs/adr/0004).
        ws="none",
        access_log=False,
        log_config=None,
        backlog=2048,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS if processes == 1 else LEAVE_SECONDS,
        timeout_worker_healthcheck=START_SECONDS,
    )


def _open_socket(config: uvicorn.Config) -> socket.socket:
    opened = config.bind_socket()
    # From now on connections wait in the backlog instead of being refused.
    opened.listen(config.backlog)
    return opened


def run(*, when_open: Callable[[], None]) -> None:
    config = _build_config(1)
    server = uvicorn.Server(config)

    def leave(*_: object) -> None:
        server.should_exit = True

    # For a signal that comes before uvicorn handles them, and for the one that ended it, which it raises again.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    opened = _open_socket(config)
    when_open()
    server.run(sockets=[opened])


class _Supervisor(Multiprocess):
    def keep_subprocess_alive(self) -> None:
        for process in self.processes:
            # Open here too, the child's end of the pipe would not close with the child. If it was killed while it
            # was being pinged, the supervisor would wait START_SECONDS for its answer.
            process.child_conn.close()
        super().keep_subprocess_alive()


def run_several(processes: int, *, when_open: Callable[[], None]) -> None:
    """Serve in several processes until a signal; SIGHUP replaces each, loading the current code."""
    config = _build_config(processes)
    opened = _open_socket(config)
    when_open()
    several = _Supervisor(config, [opened])
    if sys.stdin.isatty():
        # In a terminal, SIGHUP means that it was closed.
        signal.signal(signal.SIGHUP, lambda *_: several.should_exit.set())
    several.run()
