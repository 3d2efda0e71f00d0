"""A full disk: how it is noticed, and which database errors mean it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

# A transaction and the log before it fit into this.
LEAST_ROOM: Final = 4 << 20
# PostgreSQL's word for it.
DISK_FULL: Final = "53100"


def is_full() -> bool:
    """Say whether the embedded database has no room to write; a server's disk is its own affair."""
    if connection.vendor != "sqlite":
        return False
    # The folder, since a test's database has no file.
    room = os.statvfs(Path(settings.DATA_DIR))
    return room.f_bavail * room.f_frsize < LEAST_ROOM


def is_meant_by(error: BaseException | None) -> bool:
    """Say whether the database has refused because its disk is full."""
    return (
        "disk is full" in str(error)
        or getattr(getattr(error, "__cause__", None), "sqlstate", "") == DISK_FULL
    )
