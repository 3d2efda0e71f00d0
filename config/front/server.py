"""uvicorn: one server here, or several processes of it that share a socket."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Final

import uvicorn
from django.conf import settings
from uvicorn.supervisors import Multiprocess

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

# What is under way when a process is told to end has so long; where others serve on, longer.
GRACE_SECONDS: Final = 5
LEAVE_SECONDS: Final = 30
# A slow machine that is also busy with the visitors.
START_SECONDS: Final = 120


def _configure(processes: int) -> uvicorn.Config:
    return uvicorn.Config(
        "config.asgi:application",
        host=settings.HOST,
        port=settings.PORT,
        workers=processes,
        # Forwarded headers are believed as far as we have proxies; Django reads them.
        proxy_headers=False,
        server_header=False,
        http="config.front.protocol:GuardedProtocol" if settings.FRONT_GUARD else "httptools",
        # We speak by POST and listen by server-sent events (docs/adr/0004).
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
    # From now on nobody is refused: who comes before the server is there waits.
    opened.listen(config.backlog)
    return opened


def run(*, when_open: Callable[[], None]) -> None:
    """Serve in this process until told to stop."""
    config = _configure(1)
    opened = _open_socket(config)
    when_open()
    # uvicorn raises the signal that ended it once more.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    uvicorn.Server(config).run(sockets=[opened])


def run_several(processes: int, *, when_open: Callable[[], None]) -> None:
    """Serve in several processes until told to stop; SIGHUP replaces each by one of what lies on the disk now."""
    config = _configure(processes)
    opened = _open_socket(config)
    when_open()
    several = Multiprocess(config, [opened])
    if sys.stdin.isatty():
        # The terminal is gone.
        signal.signal(signal.SIGHUP, lambda *_: several.should_exit.set())
    several.run()
