"""Classification of database errors: transient, a full disk, or a bug that no retry fixes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

# SQLite's code for statements it cannot execute: unknown columns, too many terms or variables, bad syntax.
SQLITE_ERROR: Final = 1
# The low byte of SQLite's extended codes is the primary code.
SQLITE_KIND: Final = 0xFF
# PostgreSQL's class for statements that exceed the server's limits.
PROGRAM_LIMIT: Final = "54"
# PostgreSQL's classes for lost connections, a server that stops or starts, and too many connections.
AWAY: Final = ("08", "57P", "53300")
# Room for a transaction and its write-ahead log.
LEAST_ROOM: Final = 4 << 20
# SQLSTATE of PostgreSQL.
DISK_FULL: Final = "53100"


def is_transient(error: BaseException | None) -> bool:
    """True if a retry may succeed: the database is away, locked, restarting or out of a resource."""
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    cause = error.__cause__
    if (getattr(cause, "sqlite_errorcode", None) or 0) & SQLITE_KIND == SQLITE_ERROR:
        return False
    return not (getattr(cause, "sqlstate", None) or "").startswith(PROGRAM_LIMIT)


def is_unreachable(error: BaseException | None) -> bool:
    """True if an error, or one in its chain of causes, means that the database is unreachable."""
    while error is not None:
        cause: Any = error.__cause__
        if isinstance(error, OperationalError) and hasattr(cause, "sqlstate"):
            # Without an SQLSTATE the server did not respond.
            return cause.sqlstate is None or str(cause.sqlstate).startswith(AWAY)
        error = cause or error.__context__
    return False


def is_disk_full() -> bool:
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
