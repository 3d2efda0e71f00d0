"""Hints to the workers: nobody waits for one, and a lost one does no harm."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.module_loading import import_string

from runtime.work.messenger import MESSENGER

if TYPE_CHECKING:
    from celery import Celery
    from kombu import Connection


def hint(task: str, *, queue: str, expires: float | None = None, **what: object) -> None:
    """Have a worker run *task* soon, or never; return at once."""
    MESSENGER.say(
        lambda: _app().send_task(
            task, kwargs=what, queue=queue, expires=expires, retry=False, connection=_connection()
        )
    )


@lru_cache(maxsize=1)
def _app() -> Celery:
    """Return the application, imported with the first hint: a start has none to give."""
    app: Celery = import_string(settings.TASK_APPLICATION)
    return app


@lru_cache(maxsize=1)
def _connection() -> Connection:
    """Return the messenger's own way to the broker: unlike a worker's, it waits for no answer for long."""
    impatience = {"socket_timeout": 2, "max_retries": 1, "interval_start": 0, "interval_step": 0.1}
    options = {**_app().conf.broker_transport_options, **impatience}
    return _app().connection_for_write(transport_options=options)
