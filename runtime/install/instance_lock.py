"""A lock by which, without Redis, only one web process serves a database.

Live streams are in memory, so a second process would miss the events of the first. The lock is released when
the process ends, even by a crash.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

# Arbitrary, but not used for another lock in this database.
ADVISORY_KEY = 6_227_020_800


class AlreadyServed(RuntimeError):
    """Another process serves this database."""


def claim() -> Any:
    """Take the lock and return an object that holds it until it is closed; keep a reference.

    :raises AlreadyServed: another process holds the lock.
    """
    return _claim_in_postgresql() if connection.vendor == "postgresql" else _claim_by_file()


def _claim_by_file() -> Any:
    import fcntl

    path = Path(settings.DATA_DIR) / "web.lock"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise AlreadyServed from None
    return file


def _claim_in_postgresql() -> Any:
    import psycopg

    with connection.wrap_database_errors:
        own = psycopg.connect(**connection.get_connection_params(), autocommit=True)
    row = own.execute("SELECT pg_try_advisory_lock(%s)", [ADVISORY_KEY]).fetchone()
    if not row or not row[0]:
        own.close()
        raise AlreadyServed
    return own
