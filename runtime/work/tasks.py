"""Celery tasks. Their arguments only name a row or a sweep. Not imported without Redis."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from runtime.work import outbox, poller, sweeps


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
