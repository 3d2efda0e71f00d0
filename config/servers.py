"""The servers: everything in one process, or web processes beside Celery (config/background.py).

A single process runs the web server in its main thread and background work in other threads. Separate
processes communicate by Redis. In both cases all state is in the database.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import socket
import sys
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from config import front
from config.front import GRACE_SECONDS
from config.process import Refusal, take_terminal
from runtime import nodes
from runtime.install import instance_lock
from runtime.work import cpu, jobs, poller, sweeps
from runtime.work.poller import Poller

if TYPE_CHECKING:
    from collections.abc import Callable


# Everything in one process


def require_one(processes: int) -> None:
    """Reject WEB_PROCESSES > 1, which a single process would ignore."""
    if processes > 1:
        raise Refusal(
            "`serve` alone is one process that does everything. For several web processes set REDIS_URL and "
            "run `serve web` and Celery's worker and beat (`make worker`, `make beat`), or set WEB_PROCESSES to 1."
        )


def require_free_port() -> None:
    """Check that the port is free, before slow steps."""
    try:
        for family, kind, number, _name, address in socket.getaddrinfo(
            settings.HOST or None, settings.PORT, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, number) as probe:
                # As the servers do, ignore connections in TIME_WAIT.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return  # the server reports other errors
        raise Refusal(
            f"Port {settings.PORT} of {settings.HOST} is taken by another program. End it, or set PORT to a free one."
        ) from None


def serve_all(*, prepare: Callable[[], None], announce: Callable[[], None]) -> None:
    """Serve pages and do the background work in this process until a signal."""
    # Before any migration: a second process must not change the database of the first.
    place = _claim_instance_lock()
    require_free_port()
    prepare()
    cpu.enable_pools()
    background = Background(is_alone=place is not None)

    def begin() -> None:
        announce()
        background.start()

    freeze_imports()
    with take_terminal():
        front.run(when_open=begin)
    background.stop()
    _shut_down(place)


class Background:
    """Background threads of a single-process installation: jobs, poller, and watch for overdue sweeps."""

    def __init__(self, *, is_alone: bool) -> None:
        self._tickers = [_build_poller("web", sends=True, is_alone=is_alone), _build_watch()]

    def start(self) -> None:
        """Start the threads; called when the server is open."""
        jobs.THREADS.start(settings.WORKER_CONCURRENCY)
        for ticker in self._tickers:
            ticker.start()

    def stop(self) -> None:
        """Stop the threads; unfinished work remains in the outbox."""
        for ticker in self._tickers:
            ticker.stop()
        cpu.close()
        jobs.THREADS.stop(GRACE_SECONDS)


# Separate processes


def serve_web(
    *,
    processes: int,
    prepare: Callable[[], None] = lambda: None,
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Serve pages in this process, or in several that share one socket."""
    if processes > 1 and not settings.REDIS_URL:
        raise Refusal(
            "More than one web process needs REDIS_URL: without it each would keep its live updates "
            "to itself. Set REDIS_URL, or run one."
        )
    require_free_port()
    prepare()
    if processes > 1:
        # The children must not inherit connections.
        connections.close_all()
        front.run_several(processes, when_open=announce)
        return
    place = _claim_instance_lock()
    own = build_tickers(is_alone=place is not None)

    def begin() -> None:
        announce()
        for ticker in own:
            ticker.start()

    freeze_imports()
    front.run(when_open=begin)
    for ticker in own:
        ticker.stop()
    _shut_down(place)


def build_tickers(*, is_alone: bool = False) -> list[sweeps.Ticker]:
    """Return the tickers of a web process: heartbeat, and watch for overdue sweeps."""
    return [_build_poller("web", is_alone=is_alone), _build_watch()]


# Shared


def freeze_imports() -> None:
    """Exclude imported objects from garbage collection, whose pauses would delay requests."""
    gc.freeze()
    gc.enable()


def _build_poller(role: str, *, sends: bool = False, is_alone: bool = False) -> sweeps.Ticker:
    heart = nodes.Heartbeat(role, is_alone=is_alone)
    return sweeps.Ticker("poller", Poller(heart, send=poller.queue_sweep if sends else None).tick)


def _build_watch() -> sweeps.Ticker:
    return sweeps.Ticker("watch", sweeps.OverdueSweepRunner().tick, every=sweeps.WATCH_SECONDS)


def _claim_instance_lock() -> object:
    """Take the instance lock, or return None with Redis."""
    if settings.REDIS_URL:
        return None
    try:
        return instance_lock.claim()
    except DatabaseError as error:
        raise Refusal(f"The database does not answer: {error}".strip()) from None
    except instance_lock.AlreadyServed:
        raise Refusal(
            "Another web process already serves this database. One is all that fits without Redis: "
            "set REDIS_URL to run more, or stop the other one."
        ) from None


def _shut_down(place: object) -> None:
    with contextlib.suppress(Exception):
        nodes.deregister(now=timezone.now())
    connections.close_all()
    del place
    sys.stdout.flush()
    sys.stderr.flush()
    # Do not wait for worker threads in long tasks; the outbox still contains those.
    os._exit(0)
