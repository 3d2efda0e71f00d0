"""Hints to the workers: never waited for, and lost without harm."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from celery import current_app

from runtime.messenger import MESSENGER

if TYPE_CHECKING:
    from kombu import Connection


def hint(task: str, *, queue: str, expires: float | None = None, **what: object) -> None:
    """Have a worker run *task* soon, or never; return at once."""
    MESSENGER.say(
        lambda: current_app.send_task(
            task, kwargs=what, queue=queue, expires=expires, retry=False, connection=_connection()
        )
    )


@lru_cache(maxsize=1)
def _connection() -> Connection:
    """Return the messenger's own way to the broker: unlike a worker's, it waits for no answer for long."""
    impatience = {"socket_timeout": 2, "max_retries": 1, "interval_start": 0, "interval_step": 0.1}
    return current_app.connection_for_write(
        transport_options={**current_app.conf.broker_transport_options, **impatience}
    )
