"""Detection of a full disk, from the file system and from database errors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

# Room for a transaction and its write-ahead log.
LEAST_ROOM: Final = 4 << 20
# SQLSTATE of PostgreSQL.
DISK_FULL: Final = "53100"


def is_full() -> bool:
    """True if SQLite has no room to write; always False for PostgreSQL."""
    if connection.vendor != "sqlite":
        return False
    # The folder, since test databases have no file.
    room = os.statvfs(Path(settings.DATA_DIR))
    return room.f_bavail * room.f_frsize < LEAST_ROOM


def is_disk_full_error(error: BaseException | None) -> bool:
    """True if a database error was caused by a full disk."""
    return (
        "disk is full" in str(error)
        or getattr(getattr(error, "__cause__", None), "sqlstate", "") == DISK_FULL
    )
