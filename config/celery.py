"""The Celery application: `celery -A config worker -Q clocks,default,slow` and `celery -A config beat`.

Both need Redis. Without it the one process does the background work in threads (runtime/work/jobs.py).
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging, worker_init, worker_ready, worker_shutdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("barpoint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["runtime.work"])


@setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Leave logging as Django's settings made it."""


# Django is not set up yet when Celery imports this module.


@worker_init.connect
def _begin_worker(**_: Any) -> None:
    from config import background

    background.prepare("worker")


@worker_ready.connect
def _start_worker(**_: Any) -> None:
    from config import background

    background.start("worker")


@worker_shutdown.connect
def _stop_worker(**_: Any) -> None:
    from config import background

    background.stop()


@beat_init.connect
def _begin_beat(**_: Any) -> None:
    import atexit

    from config import background

    background.prepare("beat")
    background.start("beat")
    # Celery has no signal for it.
    atexit.register(background.stop)
