"""The Celery application and its three queues. What is sent to them at which pace: `runtime.work.poller`."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from kombu import Exchange
from kombu import Queue as BrokerQueue

from runtime.work import local_broker  # noqa: F401 - kombu then knows it

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# What a worker needs is checked before it starts (config/prepare.py); its own check reads all addresses and loads them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

QUEUES = ("clocks", "default", "slow")

app = Celery("barpoint")

app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_queues=[BrokerQueue(name, Exchange(name), routing_key=name) for name in QUEUES],
)
app.set_default()
app.autodiscover_tasks(["runtime.work"])


@setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Leave logging as Django's settings made it."""
