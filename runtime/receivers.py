"""What the machinery itself sends and sweeps for."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMessage

from runtime import idempotency, nodes, outbox, sweeps
from runtime.models import Queue
from runtime.stream import events, presence

if TYPE_CHECKING:
    from datetime import datetime


def send_mail(payload: dict[str, Any], *, now: datetime) -> None:
    """Hand one letter to the mail server."""
    EmailMessage(payload["subject"], payload["body"], to=[payload["to"]]).send()


def tidy(now: datetime) -> int:
    """Forget what has had its time."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return outbox.prune(now=now) + events.prune(now=now) + idempotency.prune(now=now) + nodes.prune(now=now)


def drain(now: datetime, *, queue: str) -> int:
    """Carry out what is due in one queue."""
    return outbox.drain(queue=queue, now=now)


outbox.register("runtime.mail", send_mail, goes_out=True)

for each in Queue.values:
    sweeps.register(
        f"outbox-{each}",
        timedelta(seconds=1),
        partial(drain, queue=each),
        queue=each,
        due=partial(outbox.waiting, queue=each),
    )
sweeps.register("tidy", timedelta(minutes=10), tidy, queue=Queue.SLOW)
sweeps.register("presence", timedelta(seconds=5), presence.sweep, due=presence.waiting)
