"""A consistent copy of the SQLite database, made while it is in use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import DatabaseError, connection

from runtime.install import held_copies

if TYPE_CHECKING:
    from datetime import datetime


def copy_sqlite(target: Path, *, now: datetime) -> Path:
    """Write a copy of the database to *target* atomically, marked as a copy.

    :raises DatabaseError, OSError: it cannot be written; no partial file remains.
    """
    if connection.vendor != "sqlite":
        raise ValueError("this copies SQLite; for PostgreSQL use pg_dump (docs/operations.md)")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + ".part")
    unfinished.unlink(missing_ok=True)
    # The copy contains sessions, addresses and e-mails, so only the owner may read it. (VACUUM accepts an
    # empty file.)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(unfinished)])
        held_copies.mark_as_copy(unfinished, now=now)
        with Path(unfinished).open("rb+") as written:
            os.fsync(written.fileno())
    except (DatabaseError, OSError):
        # A partial copy wastes space and looks like a complete one.
        unfinished.unlink(missing_ok=True)
        raise
    unfinished.replace(target)
    directory = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
    return target
