"""Notification of workers about new work, without waiting. If one is lost, the sweeps find the work."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

from runtime.redis_calls import CALLS
from runtime.work import jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from celery import Celery

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
    if jobs.THREADS.is_open:
        job = (task, *arguments.values())
        jobs.THREADS.put(job, lambda now: function(**arguments, now=now), queue=queue)
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
