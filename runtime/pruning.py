"""Deletion of expired rows and e-mail files every ten minutes; other apps add their own pruners."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings

from runtime import hooks, idempotency, nodes
from runtime.stream import events
from runtime.work import failures, outbox

if TYPE_CHECKING:
    from datetime import datetime

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
