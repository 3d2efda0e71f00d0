"""Copies of a database. They are held: they send nothing until an operator releases them (docs/adr/0046).

The original has sent the e-mails and webhook calls that were pending when the copy was made, and new
reminders from a copy would reach people who use the original. A held database keeps them pending instead. A
copy of SQLite is marked when it is made; a copy of PostgreSQL is recognised by the identifiers of its server
and database.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, Q, QuerySet

from runtime.models import Installation, Outbox

# The Redis key under which the database that uses this Redis is registered.
IN_REDIS: Final = "barpoint:database"
OTHER_REDIS: Final = (
    "This database is a copy, and REDIS_URL is in use by the one it was taken from. To look at the copy, give it a Redis"
    " of its own (another number behind the slash will do); if it takes the other's place, run `make unhold`."
)
FORGOTTEN: Final = "not sent: it waited in a copy of the database"
# Fingerprint before the first start.
NO_KEY: Final = ""


def identify_home() -> str:
    """Identify the PostgreSQL server and database; "" for SQLite, whose copies are marked."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid::text, has_function_privilege('pg_control_system()', 'EXECUTE')"
            " FROM pg_database WHERE datname = current_database()"
        )
        number, may_ask = cursor.fetchone() or ("", False)
        if not may_ask:
            return str(number)
        cursor.execute("SELECT system_identifier::text FROM pg_control_system()")
        return f"{cursor.fetchone()[0]}/{number}"


def hold_if_moved(row: Installation, *, now: datetime) -> None:
    """Hold the database if its home has changed since it was last opened. Does not save the row."""
    here = identify_home()
    if here and row.home and row.home != here:
        row.held_at = row.held_at or now
    row.home = here


def mark_as_copy(path: Path, *, now: datetime) -> None:
    """Mark a SQLite file as a held copy.

    :raises DatabaseError: the file cannot be written.
    """
    try:
        with closing(sqlite3.connect(path)) as copy:
            copy.execute(
                "INSERT INTO runtime_installation (id, key, sends_letters, home, held_at) VALUES (1, '', 0, '', ?)"
                " ON CONFLICT (id) DO UPDATE SET held_at = excluded.held_at",
                [now.replace(tzinfo=None).isoformat(" ")],
            )
            copy.commit()
    except sqlite3.Error as error:
        raise DatabaseError(str(error)) from error


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
        mark_as_copy(unfinished, now=now)
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


def query_held() -> QuerySet[Installation]:
    return Installation.objects.filter(held_at__isnull=False)


def filter_deliverable(outgoing: Collection[str]) -> Q:
    """Filter for deliverable outbox rows: all, or without the *outgoing* kinds in a held database."""
    return Q(~Q(kind__in=outgoing) | ~Exists(query_held()))


@transaction.atomic
def hold(*, now: datetime) -> None:
    row = _lock_row()
    row.held_at = row.held_at or now
    row.save()


@transaction.atomic
def release(*, outgoing: Collection[str], forgets: bool, now: datetime) -> tuple[int, int]:
    """Release the database; *forgets* drops what was pending when it was held. Return (pending, dropped)."""
    row = _lock_row()
    waiting = Outbox.objects.filter(kind__in=outgoing, done_at__isnull=True, failed_at__isnull=True)
    forgotten = 0
    if forgets:
        old = waiting.filter(created_at__lte=row.held_at or now)
        forgotten = old.update(done_at=now, leased_until=None, last_error=FORGOTTEN)
    row.held_at, row.home = None, identify_home()
    row.save()
    return waiting.count(), forgotten


def _lock_row() -> Installation:
    Installation.objects.bulk_create([Installation(pk=1, key=NO_KEY)], ignore_conflicts=True)
    return Installation.objects.select_for_update().get(pk=1)


def claim_redis(row: Installation) -> str:
    """Register this database in Redis.

    Return an error message, or ""; an unreachable Redis is checked at the next start.
    """
    if not settings.REDIS_URL:
        return ""
    import redis

    us = row.home or f"{socket.gethostname()}:{connection.settings_dict['NAME']}"
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2, decode_responses=True
    )
    with suppress(redis.RedisError), closing(client):
        if not client.set(IN_REDIS, us, nx=True) and client.get(IN_REDIS) != us:
            if row.held_at:
                return OTHER_REDIS
            client.set(IN_REDIS, us)
    return ""
