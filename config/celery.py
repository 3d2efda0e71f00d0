"""The Celery application: `celery -A config worker -Q clocks,default,slow` and `celery -A config beat`.

Both need Redis (config/background.py). Without it the web process does the background work in threads
(runtime/work/jobs.py).
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("barpoint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    # Beat only triggers the search for due work each second; the work is in the database.
    beat_schedule={
        "look": {"task": "runtime.look", "schedule": 1.0, "options": {"queue": "clocks", "expires": 5}}
    },
    # In memory: the stock one writes a file.
    beat_scheduler="celery.beat.Scheduler",
)


@setup_logging.connect
def _skip_logging_setup(**_: Any) -> None:
    """Do nothing: connected so that Celery does not reconfigure logging."""
