"""The servers: everything in one process, or web processes beside Celery's worker and beat (config/background.py).

One process needs nothing beside it: the web server runs in the main thread, background work in threads. Apart, they
meet in Redis. The database is the truth in both.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import socket
import sys
from typing import TYPE_CHECKING

import structlog
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

log = structlog.get_logger(__name__)


# Everything in one process


def require_one(processes: int) -> None:
    """Refuse to forget silently that several web processes were asked for."""
    if processes > 1:
        raise Refusal(
            "`serve` alone is one process that does everything. For several web processes set REDIS_URL and "
            "run `serve web` and Celery's worker and beat (`make worker`, `make beat`), or set WEB_PROCESSES to 1."
        )


def require_free_port() -> None:
    """Refuse a port that another program has, before anything that takes its time."""
    try:
        for family, kind, number, _name, address in socket.getaddrinfo(
            settings.HOST or None, settings.PORT, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, number) as probe:
                # As the servers do: connections of the last start that are still being closed do not count.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return  # the server says what else is wrong with its address
        raise Refusal(
            f"Port {settings.PORT} of {settings.HOST} is taken by another program. End it, or set PORT to a free one."
        ) from None


def everything(*, prepare: Callable[[], None], announce: Callable[[], None]) -> None:
    """Serve pages and do the background work, here, until told to stop."""
    # Before anything is migrated: whoever is second must not touch what the first one uses.
    place = _claim_place()
    require_free_port()
    prepare()
    cpu.share_process_with_pages()
    background = Background(is_alone=place is not None)

    def begin() -> None:
        announce()
        background.start()

    freeze_imports()
    with take_terminal():
        front.run(when_open=begin)
    background.stop()
    _leave(place)


class Background:
    """The threads that work, the poller and the watch of the one process."""

    def __init__(self, *, is_alone: bool) -> None:
        self._tickers = [_poller("web", sends=True, is_alone=is_alone), _watch()]

    def start(self) -> None:
        """Start them; the pages are already being served."""
        jobs.THREADS.start(settings.WORKER_CONCURRENCY)
        for ticker in self._tickers:
            ticker.start()

    def stop(self) -> None:
        """Stop them; what they were doing and could not finish is still in the outbox."""
        for ticker in self._tickers:
            ticker.stop()
        cpu.close()
        jobs.THREADS.stop(GRACE_SECONDS)


# Apart


def web(
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
        # What was asked of the database has been answered.
        connections.close_all()
        front.run_several(processes, when_open=announce)
        return
    place = _claim_place()
    own = tickers(is_alone=place is not None)

    def begin() -> None:
        announce()
        for ticker in own:
            ticker.start()

    freeze_imports()
    front.run(when_open=begin)
    for ticker in own:
        ticker.stop()
    _leave(place)


def tickers(*, is_alone: bool = False) -> list[sweeps.Ticker]:
    """Return what a web process does each second: it beats, and watches for sweeps that nobody runs."""
    return [_poller("web", is_alone=is_alone), _watch()]


# What they share


def freeze_imports() -> None:
    """Let the garbage collector look at new things only: to walk through all that was imported is a pause in somebody's page."""
    gc.freeze()
    gc.enable()


def _poller(role: str, *, sends: bool = False, is_alone: bool = False) -> sweeps.Ticker:
    heart = nodes.Heart(role, is_alone=is_alone)
    return sweeps.Ticker("poller", Poller(heart, send=poller.send if sends else None).tick)


def _watch() -> sweeps.Ticker:
    return sweeps.Ticker("watch", sweeps.StandIn().tick, every=sweeps.WATCH_SECONDS)


def _claim_place() -> object:
    """Claim what only one web process may have, unless Redis lets there be many."""
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


def _leave(place: object) -> None:
    with contextlib.suppress(Exception):
        nodes.sign_off(now=timezone.now())
    connections.close_all()
    del place
    sys.stdout.flush()
    sys.stderr.flush()
    # A worker thread deep in a long task would hold the interpreter; the outbox holds the task.
    os._exit(0)
