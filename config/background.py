"""What Celery's worker and beat run: their start and stop, with checks and heartbeats, and the tasks.

Imported by Celery after Django is set up (CELERY_IMPORTS).
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
from typing import Any, Final

from celery import shared_task
from celery.signals import beat_init, task_postrun, task_prerun, worker_init, worker_ready, worker_shutdown
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from config import preparation
from config.preparation import Refusal
from runtime import nodes
from runtime.work import outbox, poller, sweeps

# The priority of background work, from 0 (normal) to 19 (lowest): pages and moves go first on a machine that they share.
NICENESS: Final = 10


@worker_init.connect
@beat_init.connect
def require_installation(**_: Any) -> None:
    """Exit with a message if the settings or the database are unusable."""
    try:
        if not settings.REDIS_URL:
            raise Refusal(
                "Worker and beat need REDIS_URL: without it `make run` does the background work in the web process."
            )
        preparation.create_data_folder()
        preparation.prepare_worker()
    except Refusal as refusal:
        sys.stderr.write(f"barpoint: {refusal}\n")
        sys.exit(2)
    connection.close()
    # E-mails and exports must be private.
    os.umask(0o077)
    os.nice(NICENESS)
    # No pool: forked children must not share its connections. Each keeps its own.
    connection.settings_dict["OPTIONS"].pop("pool", None)
    connection.settings_dict["CONN_MAX_AGE"] = None


# As before and after a request: a connection that broke is closed. Otherwise it is kept (CELERY_DB_REUSE_MAX).
task_prerun.connect(close_old_connections)
task_postrun.connect(close_old_connections)


@worker_ready.connect
def _start_worker(**_: Any) -> None:
    poller.start_tickers("worker")


@beat_init.connect
def _start_beat(**_: Any) -> None:
    poller.start_tickers("beat")
    # Celery has no signal for the end of beat.
    atexit.register(stop)


@worker_shutdown.connect
def stop(**_: Any) -> None:
    poller.stop_tickers()
    with contextlib.suppress(DatabaseError):
        nodes.deregister(now=timezone.now())


# The tasks: their arguments only name a row or a sweep.


@shared_task(name="runtime.deliver")
def deliver(*, outbox_id: int, **_: object) -> None:
    """Deliver a row of the outbox."""
    outbox.deliver(outbox_id=outbox_id, now=timezone.now())


@shared_task(name="runtime.look")
def queue_due_sweeps(**_: object) -> None:
    """Queue the sweeps that have work; beat schedules this each second."""
    poller.queue_due_sweeps(now=timezone.now())


@shared_task(name="runtime.sweep")
def run_sweep(*, name: str, **_: object) -> None:
    sweeps.run(name, now=timezone.now())
