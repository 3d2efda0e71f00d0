"""Classification of database errors: transient, or a bug that no retry fixes."""

from __future__ import annotations

from typing import Any, Final

from django.db import InterfaceError, OperationalError

# SQLite's code for statements it cannot execute: unknown columns, too many terms or variables, bad syntax.
SQLITE_ERROR: Final = 1
# The low byte of SQLite's extended codes is the primary code.
SQLITE_KIND: Final = 0xFF
# PostgreSQL's class for statements that exceed the server's limits.
PROGRAM_LIMIT: Final = "54"
# PostgreSQL's classes for lost connections, a server that stops or starts, and too many connections.
AWAY: Final = ("08", "57P", "53300")


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
