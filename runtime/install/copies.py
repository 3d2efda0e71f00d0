"""A copy of a club's database is not the club: until an operator says otherwise, nothing leaves it (docs/adr/0046).

E-mails and webhook calls that waited when the copy was made have long been sent by the original, and reminders that a copy
writes are meant for people who play elsewhere. So a copy is held: it sends nothing, and what it should send waits.
A copy of SQLite is marked when it is made; one of PostgreSQL is recognised, because it is another database than before.
"""

from __future__ import annotations

import socket
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, Q

from runtime.models import Installation, Outbox

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime
    from pathlib import Path

    from django.db.models import QuerySet

# The database whose processes meet in this Redis.
IN_REDIS: Final = "barpoint:database"
OTHER_REDIS: Final = (
    "This database is a copy, and REDIS_URL is in use by the one it was taken from. To look at the copy, give it a Redis"
    " of its own (another number behind the slash will do); if it takes the other's place, run `make unhold`."
)
FORGOTTEN: Final = "not sent: it waited in a copy of the database"
# Of an installation that nobody has opened yet.
NO_KEY: Final = ""


def home() -> str:
    """Return which database of which server this is; nothing where copies are marked instead."""
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


def recognise(row: Installation, *, now: datetime) -> None:
    """Hold a database that has another home than the one it was last opened in."""
    here = home()
    if here and row.home and row.home != here:
        row.held_at = row.held_at or now
    row.home = here


def mark(path: Path, *, now: datetime) -> None:
    """Write into a copy of the embedded database that it is one.

    :raises DatabaseError: it cannot be written.
    """
    try:
        with closing(sqlite3.connect(path)) as copy:
            columns = {name for _, name, *_ in copy.execute("PRAGMA table_info(runtime_installation)")}
            if "held_at" not in columns:
                return  # a database of an earlier version, about to be brought up to date
            copy.execute(
                "INSERT INTO runtime_installation (id, key, sends_letters, home, held_at) VALUES (1, '', 0, '', ?)"
                " ON CONFLICT (id) DO UPDATE SET held_at = excluded.held_at",
                [now.replace(tzinfo=None).isoformat(" ")],
            )
            copy.commit()
    except sqlite3.Error as error:
        raise DatabaseError(str(error)) from error


def held() -> QuerySet[Installation]:
    """Return the installation, if it is held."""
    return Installation.objects.filter(held_at__isnull=False)


def may_leave(outgoing: Collection[str]) -> Q:
    """Return which rows of the outbox may be carried out: all, or those that nobody outside hears of."""
    return Q(~Q(kind__in=outgoing) | ~Exists(held()))


@transaction.atomic
def hold(*, now: datetime) -> None:
    """Let nothing leave this database from now on."""
    row = _row()
    row.held_at = row.held_at or now
    row.save()


@transaction.atomic
def release(*, outgoing: Collection[str], forgets: bool, now: datetime) -> tuple[int, int]:
    """Let what is held go out, or forget what was written before the copy; return how many go out and how many do not."""
    row = _row()
    waiting = Outbox.objects.filter(kind__in=outgoing, done_at__isnull=True, failed_at__isnull=True)
    forgotten = 0
    if forgets:
        old = waiting.filter(created_at__lte=row.held_at or now)
        forgotten = old.update(done_at=now, leased_until=None, last_error=FORGOTTEN)
    row.held_at, row.home = None, home()
    row.save()
    return waiting.count(), forgotten


def _row() -> Installation:
    Installation.objects.bulk_create([Installation(pk=1, key=NO_KEY)], ignore_conflicts=True)
    return Installation.objects.select_for_update().get(pk=1)


def claim_redis(row: Installation) -> str:
    """Say in Redis whose it is; return what is wrong with that, if anything. A Redis that is away is asked at the next start."""
    if not settings.REDIS_URL:
        return ""
    import redis

    us = row.home or f"{socket.gethostname()}:{connection.settings_dict['NAME']}"
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2, decode_responses=True
    )
    try:
        if client.set(IN_REDIS, us, nx=True) or client.get(IN_REDIS) == us:
            return ""
        if row.held_at:
            return OTHER_REDIS
        client.set(IN_REDIS, us)
    except redis.RedisError:
        return ""
    finally:
        client.close()
    return ""
