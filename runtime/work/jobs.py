"""The job queue of a single-process installation, a limit on background work, and the notification of workers.

Losing a job is harmless: the database contains the work, and the poller finds it within a second.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.db import close_old_connections, connections
from django.utils import timezone
from django.utils.module_loading import import_string

from runtime.models import Queue
from runtime.redis_calls import CALLS

if TYPE_CHECKING:
    from celery import Celery

log = structlog.get_logger(__name__)

# With more, the sweeps are quicker.
CAPACITY: Final = 2_000


class JobThreads:
    """A queue without duplicates and its threads. Jobs are ignored until it is started."""

    def __init__(self) -> None:
        self._waiting: dict[Queue, dict[Hashable, Callable[[datetime], object]]] = {
            queue: {} for queue in Queue
        }
        self._changed = threading.Condition()
        self._running = 0
        self.is_open = False

    def start(self, count: int) -> None:
        self.is_open = True
        for _ in range(count):
            threading.Thread(target=self._run_jobs, name="job", daemon=True).start()

    def put(self, key: Hashable, job: Callable[[datetime], object], *, queue: str) -> None:
        """Queue *job*, unless one with the same *key* is queued."""
        with self._changed:
            waiting = self._waiting[Queue(queue)]
            if self.is_open and len(waiting) < CAPACITY:
                waiting.setdefault(key, job)
                self._changed.notify()

    def stop(self, within: float) -> None:
        """Stop starting jobs, and wait for running ones for *within* seconds."""
        deadline = time.monotonic() + within
        with self._changed:
            self.is_open = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._running, max(0.0, deadline - time.monotonic()))

    def _run_jobs(self) -> None:
        while (job := self._take_job()) is not None:
            try:
                close_old_connections()
                job(timezone.now())
            except Exception:
                log.exception("job.failed")
            finally:
                close_old_connections()
                with self._changed:
                    self._running -= 1
                    self._changed.notify_all()
        connections.close_all()

    def _take_job(self) -> Callable[[datetime], object] | None:
        with self._changed:
            self._changed.wait_for(lambda: not self.is_open or any(self._waiting.values()))
            if not self.is_open:
                return None
            waiting = next(jobs for jobs in self._waiting.values() if jobs)
            self._running += 1
            return waiting.pop(next(iter(waiting)))


THREADS: Final = JobThreads()


class BackgroundThreads:
    """A limit on the threads for background work: in each process one thread stays free for urgent work.

    In a single-process installation the same few threads judge records, pair rounds and send mail; two
    concurrent analyses would block all of that. It alternates between kinds of work.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy = 0
        self._last = ""
        self._has_refused_others = False

    @contextlib.contextmanager
    def take(self, work: str) -> Iterator[bool]:
        """Reserve a thread for *work*; yield False if none is free, or if it is the turn of other work."""
        is_ours = self._try_begin(work)
        try:
            yield is_ours
        finally:
            with self._lock:
                self._busy -= is_ours

    def _try_begin(self, work: str) -> bool:
        with self._lock:
            is_free = self._busy < max(1, settings.WORKER_CONCURRENCY - 1)
            if is_free and work == self._last and self._has_refused_others:
                # Only once, since the others may have no work left.
                self._has_refused_others = False
                return False
            if is_free:
                self._busy += 1
                self._last = work
            elif work != self._last:
                self._has_refused_others = True
            return is_free


BACKGROUND: Final = BackgroundThreads()


# -- notification of workers -----------------------------------------------------------------------

# A worker waits for the broker indefinitely; a notification is dropped instead.
IMPATIENCE: Final = {"socket_timeout": 2, "max_retries": 1, "interval_start": 0, "interval_step": 0.1}


def queue_task(
    task: str,
    function: Callable[..., object],
    /,
    *,
    queue: str,
    expires: float | None = None,
    **arguments: object,
) -> None:
    """Queue *task*, which calls *function* with these arguments and the time. It may get lost.

    In a single-process installation a thread runs it, otherwise a Celery worker.
    """
    if THREADS.is_open:
        job = (task, *arguments.values())
        THREADS.put(job, lambda now: function(**arguments, now=now), queue=queue)
    elif settings.REDIS_URL:
        options: Any = {"queue": queue, "expires": expires, "retry": False}
        CALLS.submit(
            lambda: _get_app().send_task(task, kwargs=arguments, connection=_get_connection(), **options)
        )


@lru_cache(maxsize=1)
def _get_app() -> Celery:
    # Imported lazily, since the start of a process does not need it.
    app: Celery = import_string(settings.TASK_APPLICATION)
    return app


@lru_cache(maxsize=1)
def _get_connection() -> Any:
    options = {**_get_app().conf.broker_transport_options, **IMPATIENCE}
    return _get_app().connection_for_write(transport_options=options)
