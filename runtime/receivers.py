"""Outbox handlers and sweeps of this app: e-mails, and the deletion of expired rows and e-mail files.

Other apps add their own pruners.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from runtime import hooks, idempotency, nodes
from runtime.models import Queue
from runtime.stream import events, presence
from runtime.work import failures, outbox, sweeps

# For the e-mails that are written to a folder because no mail server (`EMAIL_URL`) is set.
MAIL_KEPT_FOR: Final = timedelta(days=7)
# More than one club evening produces; a larger folder is slow to list.
MOST_MAIL_FILES: Final = 500


def prune_all(now: datetime) -> int:
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    ours = (outbox, events, idempotency, nodes, failures)
    return sum(prune(now=now) for prune in (*(each.prune for each in ours), prune_mail, *hooks.PRUNERS))


def prune_mail(*, now: datetime) -> int:
    """Delete e-mails older than a week and all but the latest 500; return the number deleted."""
    if settings.EMAIL_URL:
        return 0
    files = Path(settings.EMAIL_FILE_PATH).glob("*.log")  # type: ignore[misc]  # `config.environment.build_mail_settings` sets it
    written = sorted(((path.stat().st_mtime, path) for path in files), reverse=True)
    oldest = (now - MAIL_KEPT_FOR).timestamp()
    doomed = [path for at, (mtime, path) in enumerate(written) if at >= MOST_MAIL_FILES or mtime < oldest]
    for path in doomed:
        path.unlink(missing_ok=True)
    return len(doomed)


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


outbox.register("runtime.mail", send_mail, goes_out=True)

for each in Queue.values:
    sweeps.register(
        f"outbox-{each}",
        timedelta(seconds=1),
        partial(outbox.drain, queue=each),
        queue=each,
        due=partial(outbox.query_due, queue=each),
    )
sweeps.register("tidy", timedelta(minutes=10), prune_all, queue=Queue.SLOW, is_background=True)
sweeps.register("presence", timedelta(seconds=5), presence.sweep, due=presence.query_due)
