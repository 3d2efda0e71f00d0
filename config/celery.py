"""The Celery application: three queues and the whole schedule, in one place."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from kombu import Exchange
from kombu import Queue as BrokerQueue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUES = ("clocks", "default", "slow")

# What runs, how often in seconds, and where. A sweep that its package has not registered, or one
# registered and missing here, fails a test.
SCHEDULE: dict[str, tuple[float, str]] = {
    "outbox-clocks": (1, "clocks"),
    "outbox-default": (1, "default"),
    "outbox-slow": (1, "slow"),
    "presence": (5, "default"),
    "tidy": (600, "slow"),
    "players.forget_exports": (3600, "default"),
    "matches.deadlines": (1, "clocks"),
    "matches.bots": (1, "clocks"),
    "matches.delayed": (1, "clocks"),
    "matches.audiences": (3, "default"),
    "matches.offers": (30, "default"),
    "matches.notices": (10, "default"),
    "matches.dice": (60, "slow"),
    "matches.visitors": (3600, "slow"),
    "tournaments.deadlines": (1, "clocks"),
    "tournaments.rounds": (1, "slow"),
}

app = Celery("barpoint")


app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_queues=[BrokerQueue(name, Exchange(name), routing_key=name) for name in QUEUES],
    beat_schedule={
        f"sweep-{name}": {
            "task": "runtime.sweep",
            "schedule": timedelta(seconds=every),
            "kwargs": {"name": name},
            # A sweep that could not start in time is pointless: the next one looks at the same rows.
            "options": {"queue": queue, "expires": max(5.0, 2 * every)},
        }
        for name, (every, queue) in SCHEDULE.items()
    },
    # No file: the database knows when each sweep last ran.
    beat_scheduler="celery.beat:Scheduler",
    beat_max_loop_interval=1,
)
app.set_default()
app.autodiscover_tasks(["runtime", "players", "matches", "tournaments"])


@setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Leave logging as Django's settings made it."""
