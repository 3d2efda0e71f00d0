"""The servers: everything in one process, or web, worker and beat apart.

One process needs nothing beside it: the web server runs in the main thread, a Celery worker on an in-memory
broker and what sends it sweeps in threads. Apart, they meet in Redis. The database is the truth in both.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from config import front, supervisor
from config.prepare import load_the_rest, wait_for_first_page
from config.process import Ending, Refusal, take_terminal
from config.supervisor import GRACE_SECONDS
from runtime import lazy_imports, nodes
from runtime.install import instance_lock
from runtime.work import cpu, poller, sweeps
from runtime.work.poller import Poller

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from celery.worker import WorkController

log = structlog.get_logger(__name__)

# Before a worker that ended by itself begins again.
PAUSE_SECONDS = 1.0


# Everything in one process


def require_one(processes: int) -> None:
    """Refuse to forget silently that several web processes were asked for."""
    if processes > 1:
        raise Refusal(
            "`serve` alone is one process that does everything. For several web processes set REDIS_URL and "
            "run `serve web`, `serve worker` and `serve beat`, or set WEB_PROCESSES to 1."
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

    def ready() -> None:
        announce()
        wait_for_first_page()
        background.start()
        load_the_rest()

    freeze_imports()
    with take_terminal():
        front.run(when_ready=ready)
    background.stop()
    _leave(place)


class Background:
    """The worker, poller and watch of the one process, each in a thread."""

    def __init__(self, *, is_alone: bool) -> None:
        self._worker: WorkController | None = None
        self._tickers = [_poller("web", sends=True, is_alone=is_alone), _watch()]
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._is_stopped = False

    def start(self) -> None:
        """Start them; the pages are already being served."""
        with self._lock:
            if self._is_stopped:
                return
            self._worker = _embedded_worker()
            self._threads = [
                threading.Thread(target=self._worker.start, name="worker", daemon=True),
                *self._tickers,
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Stop them; what they were doing and could not finish is still in the outbox."""
        with self._lock:
            self._is_stopped = True
            if not self._threads:
                return
            import celery.worker.state

            setattr(celery.worker.state, "should_stop", 0)  # noqa: B010 - typed as None
            for ticker in self._tickers:
                ticker.stop()
            cpu.close()
            # The worker's own thread would take seconds to look up from an empty queue.
            deadline = time.monotonic() + GRACE_SECONDS
            while celery.worker.state.active_requests and time.monotonic() < deadline:
                time.sleep(0.02)


def _embedded_worker() -> WorkController:
    # Imported here, since no page needs it: a twelfth of a start.
    with lazy_imports.ALONE:
        from celery.worker import WorkController

        from config.celery import QUEUES, app

        return WorkController(
            app=app,
            hostname=f"embedded@{nodes.NAME}",
            pool_cls="threads",
            concurrency=settings.WORKER_CONCURRENCY,
            queues=list(QUEUES),
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )


# Apart


def web(
    *,
    processes: int,
    is_supervised: bool = False,
    prepare: Callable[[], None] = lambda: None,
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Serve pages in this process, or in several that share one socket."""
    if is_supervised and not settings.REDIS_URL:
        raise Refusal(
            "A web process that can be reloaded needs REDIS_URL: for a moment there are two of it, and without Redis "
            "each would keep its live updates to itself."
        )
    if processes > 1 and not settings.REDIS_URL:
        raise Refusal(
            "More than one web process needs REDIS_URL: without it each would keep its live updates "
            "to itself. Set REDIS_URL, or run one."
        )
    require_free_port()
    prepare()
    if processes > 1 or is_supervised:
        supervisor.run(processes, announce=announce)
        return
    place = _claim_place()
    _serve_pages([_poller("web", is_alone=place is not None), _watch()], announce=announce)
    _leave(place)


def child(*, listener: int, parent: int, prepare: Callable[[], None], announce: Callable[[], None]) -> None:
    """Serve pages at a socket that the supervisor keeps open."""
    # From now on: it may die while we are still coming up.
    _end_with(parent).start()
    prepare()
    _serve_pages([_poller("web"), _watch()], announce=announce, listener=socket.socket(fileno=listener))
    _leave(None)


def _serve_pages(
    tickers: list[sweeps.Ticker],
    *,
    announce: Callable[[], None] = lambda: None,
    listener: socket.socket | None = None,
) -> None:
    def ready() -> None:
        announce()
        wait_for_first_page()
        for ticker in tickers:
            ticker.start()
        load_the_rest()

    freeze_imports()
    front.run(when_ready=ready, listener=listener)
    for ticker in tickers:
        if ticker.is_alive():
            ticker.stop()


def worker(*, queues: Sequence[str], prepare: Callable[[], None] = lambda: None) -> None:
    """Do background work from the given queues until told to stop."""
    from celery.signals import worker_ready, worker_shutdown, worker_shutting_down

    from config.celery import QUEUES, app

    _need_redis("worker")
    unknown = sorted(set(queues) - set(QUEUES))
    if unknown:
        raise Refusal(f"There is no queue {', '.join(unknown)}; there are {', '.join(QUEUES)}.")
    prepare()
    # Before it forks: its children share what is loaded.
    lazy_imports.load_modules()
    gc.freeze()
    _without_pool()
    _shorten_end_of_children()
    heart = _poller("worker")
    worker_ready.connect(lambda **_: heart.start(), weak=False)
    worker_shutdown.connect(lambda **_: heart.stop(), weak=False)
    has_worked, is_told = threading.Event(), threading.Event()
    worker_ready.connect(lambda **_: has_worked.set(), weak=False)
    worker_shutting_down.connect(lambda **_: is_told.set(), weak=False)
    try:
        app.worker_main(
            [
                "worker",
                f"--queues={','.join(queues)}",
                f"--concurrency={settings.WORKER_CONCURRENCY}",
                f"--hostname={'-'.join(queues)}@{nodes.NAME}",
                "--without-gossip",
                "--without-mingle",
                "--without-heartbeat",
                "--loglevel=WARNING",
            ]
        )
    finally:
        # Where Redis goes at a bad moment, Celery takes its own clean-up for an error and ends, as if all were well.
        if has_worked.is_set() and not is_told.wait(PAUSE_SECONDS):
            _begin_again()


def _shorten_end_of_children() -> None:
    """Have a child that ends wait two seconds, not thirty, until its last results have been read.

    A worker that stops or fails does not read them any more, so it took half a minute to end. Nothing hangs on them: what was
    done is in the outbox.
    """
    import billiard.pool

    in_tenths_of_a_second = 20
    billiard.pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = in_tenths_of_a_second


def _begin_again() -> None:
    """Replace this process by a new one with the same number, so that whoever watches over it sees nothing."""
    from billiard.process import active_children

    log.error("worker.begun_again")
    for pid in (one.pid for one in active_children()):
        if pid is not None:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - as it was started


def beat(*, prepare: Callable[[], None] = lambda: None) -> None:
    """Send the sweeps that have something to do until told to stop."""
    _need_redis("beat")
    prepare()
    _without_pool()
    ending = Ending()
    ticker = _poller("beat", sends=True)
    ticker.start()
    while not ending.wait():
        pass
    ticker.stop()
    # As the pages leave: the ticker may be in the middle of an import, which Python would wait for at its end.
    _leave(None)


# What they share


def freeze_imports() -> None:
    """Let the garbage collector look at new things only: to walk through all that was imported is a pause in somebody's page."""
    gc.freeze()
    gc.enable()


def _poller(role: str, *, sends: bool = False, is_alone: bool = False) -> sweeps.Ticker:
    heart = nodes.Heart(role, is_alone=is_alone)
    return sweeps.Ticker("poller", Poller(heart, send=poller.send if sends else None).tick)


def _watch() -> sweeps.Ticker:
    return sweeps.Ticker("watch", sweeps.SweepRunner().tick, every=sweeps.WATCH_SECONDS)


def _end_with(parent: int) -> sweeps.Ticker:
    """End a process whose supervisor was killed: it would hold the socket, and nobody would replace it."""

    def look(_now: datetime) -> None:
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return sweeps.Ticker("supervisor", look)


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


def _need_redis(role: str) -> None:
    if not settings.REDIS_URL:
        raise Refusal(
            f"A {role} of its own needs REDIS_URL: without it the broker lives inside the web process, "
            "and `make run` already does the background work there."
        )


def _without_pool() -> None:
    """Keep one connection a thread: forked children must not share a pool's."""
    options = connection.settings_dict["OPTIONS"]
    if options.pop("pool", None):
        connection.settings_dict["CONN_MAX_AGE"] = 600


def _leave(place: object) -> None:
    with contextlib.suppress(Exception):
        nodes.sign_off(now=timezone.now())
    connections.close_all()
    del place
    sys.stdout.flush()
    sys.stderr.flush()
    # A worker thread deep in a long task would hold the interpreter; the outbox holds the task.
    os._exit(0)
