"""The servers: everything in one process, or web processes beside Celery (config/background.py).

A single process runs the web server in its main thread and background work in other threads. Separate
processes communicate by Redis. In both cases all state is in the database.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from config import front, preparation
from config.front import GRACE_SECONDS
from config.preparation import Refusal
from runtime import nodes
from runtime.install import instance_lock
from runtime.work import cpu, jobs, poller


def require_free_port() -> None:
    """Check that the port is free, before slow steps."""
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            # As uvicorn does, ignore connections in TIME_WAIT.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.HOST, settings.PORT))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return  # the server reports other errors
        raise Refusal(
            f"Port {settings.PORT} of {settings.HOST} is taken by another program. End it, or set PORT to a free one."
        ) from None


def serve_all(processes: int, *, announce: Callable[[], None]) -> None:
    """Serve pages and do the background work in this process until a signal."""
    if processes > 1:
        raise Refusal(
            "`serve` alone is one process that does everything. For several web processes set REDIS_URL and "
            "run `serve web` and Celery's worker and beat (`make worker`, `make beat`), or set WEB_PROCESSES to 1."
        )
    # Before any migration: a second process must not change the database of the first.
    place = _claim_instance_lock()
    require_free_port()
    preparation.prepare_all()
    cpu.enable_pools()
    with _take_terminal():
        _serve_here(announce, has_jobs=True, is_alone=place is not None)
    _shut_down(place)


@contextlib.contextmanager
def _take_terminal() -> Iterator[None]:
    """Become the terminal's foreground process group, so that Ctrl-C does not also reach `make`."""
    if not sys.stdin.isatty():
        yield
        return
    terminal = sys.stdin.fileno()
    try:
        before = os.tcgetpgrp(terminal)
    except OSError:
        yield
        return
    if before != os.getpgrp():  # started in the background
        yield
        return
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    # The shell waits for `make`, which would not be suspended: Ctrl-Z would block the terminal.
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpgrp())
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, before)


def serve_web(processes: int, *, announce: Callable[[], None]) -> None:
    """Serve pages in this process, or in several that share one socket."""
    if processes > 1 and not settings.REDIS_URL:
        raise Refusal(
            "More than one web process needs REDIS_URL: without it each would keep its live updates "
            "to itself. Set REDIS_URL, or run one."
        )
    require_free_port()
    preparation.prepare_web()
    if processes > 1:
        # The children must not inherit connections.
        connections.close_all()
        front.run_several(processes, when_open=announce)
        return
    place = _claim_instance_lock()
    _serve_here(announce, has_jobs=False, is_alone=place is not None)
    _shut_down(place)


def _serve_here(announce: Callable[[], None], *, has_jobs: bool, is_alone: bool) -> None:
    """Serve in this process until a signal; unfinished jobs remain in the outbox."""

    def begin() -> None:
        announce()
        if has_jobs:
            jobs.THREADS.start(settings.WORKER_CONCURRENCY)
        poller.start_tickers("web", send=poller.queue_sweep if has_jobs else None, is_alone=is_alone)

    # Without the imported objects a collection pauses requests for less.
    gc.freeze()
    front.run(when_open=begin)
    poller.stop_tickers()
    cpu.close()
    jobs.THREADS.stop(GRACE_SECONDS)


# One of several web processes, called by `config.asgi`


def begin_worker() -> None:
    """Check the installation, then start the tickers.

    On a Refusal, uvicorn keeps the process that was to be replaced.
    """
    preparation.prepare_web(is_open=True)
    connections.close_all()
    gc.freeze()
    threading.Thread(target=_end_with_supervisor, name="supervisor", daemon=True).start()
    poller.start_tickers("web")


def end_worker() -> None:
    """Stop the tickers and sign off the node; does nothing in a single web process."""
    if multiprocessing.parent_process() is not None:
        poller.stop_tickers()
        nodes.deregister(now=timezone.now())


def _end_with_supervisor() -> None:
    """End if the supervisor was killed; this process would keep the socket and never be replaced."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)


# Shared


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
