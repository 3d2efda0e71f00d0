"""The folder to which e-mails are written if no mail server (`EMAIL_URL`) is set."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from datetime import datetime

KEPT_FOR: Final = timedelta(days=7)
# More than one club evening produces; a larger folder is slow to list.
MOST_FILES: Final = 500


def prune(*, now: datetime) -> int:
    """Delete e-mails older than a week and all but the latest 500; return the number deleted."""
    if settings.EMAIL_URL:
        return 0
    files = Path(settings.EMAIL_FILE_PATH).glob("*.log")  # type: ignore[misc]  # `config.environment.build_mail_settings` sets it
    written = sorted(((path.stat().st_mtime, path) for path in files), reverse=True)
    oldest = (now - KEPT_FOR).timestamp()
    doomed = [path for at, (mtime, path) in enumerate(written) if at >= MOST_FILES or mtime < oldest]
    for path in doomed:
        path.unlink(missing_ok=True)
    return len(doomed)
