"""Registration of the outbox handlers and sweeps of this app."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from runtime import pruning
from runtime.models import Queue
from runtime.stream import presence
from runtime.work import outbox, sweeps

if TYPE_CHECKING:
    from datetime import datetime


def send_mail(payload: dict[str, Any], *, now: datetime) -> None:
    """Send an e-mail; rows of earlier versions have neither HTML nor an ID."""
    number = payload.get("id") or uuid4().hex
    headers = {
        # Django's defaults have no time zone and contain this machine's name.
        "Date": format_datetime(timezone.localtime(now, timezone.get_default_timezone())),
        "Message-ID": f"<{number}@{settings.PUBLIC_HOST}>",
        # Prevents out-of-office replies.
        "Auto-Submitted": "auto-generated",
        **payload.get("headers", {}),
    }
    message = EmailMultiAlternatives(payload["subject"], payload["body"], to=[payload["to"]], headers=headers)
    if html := payload.get("html"):
        message.attach_alternative(html, "text/html")
    message.send()


def drain(now: datetime, *, queue: str) -> int:
    return outbox.drain(queue=queue, now=now)


outbox.register("runtime.mail", send_mail, goes_out=True)

for each in Queue.values:
    sweeps.register(
        f"outbox-{each}",
        timedelta(seconds=1),
        partial(drain, queue=each),
        queue=each,
        due=partial(outbox.query_due, queue=each),
    )
sweeps.register("tidy", timedelta(minutes=10), pruning.prune_all, queue=Queue.SLOW, is_background=True)
sweeps.register("presence", timedelta(seconds=5), presence.sweep, due=presence.query_due)
