"""Thin tasks: they name a row or sweep, and never what to do with it. Without Redis nothing imports them."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from runtime.work import outbox, poller, sweeps


@shared_task(name="runtime.deliver")
def deliver(*, outbox_id: int, **_: object) -> None:
    """Carry out one row of the outbox."""
    outbox.deliver(outbox_id=outbox_id, now=timezone.now())


@shared_task(name="runtime.look")
def look(**_: object) -> None:
    """Send the sweeps that have something to do; beat asks for it each second."""
    poller.look(now=timezone.now())


@shared_task(name="runtime.sweep")
def sweep(*, name: str, **_: object) -> None:
    """Run one sweep."""
    sweeps.run(name, now=timezone.now())
