"""System checks of the environment: database, Redis, Python, https."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.utils import Error as DatabaseError

from runtime.install import readiness

# Fixed upstream in 3.51.3; versions from 3.7.0 on can corrupt a database in WAL mode.
FIRST_SOUND_SQLITE = (3, 51, 3)
# The first releases that parse cookies in linear time (CVE-2024-7592).
FIRST_SOUND_PYTHON: dict[tuple[int, ...], tuple[int, ...]] = {(3, 11): (3, 11, 10), (3, 12): (3, 12, 6)}


@register(Tags.database)
def check_sqlite(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Warn of a SQLite library that can corrupt a WAL database."""
    if "default" not in (databases or ()) or connections["default"].vendor != "sqlite":
        return []
    library: Any = connections["default"].Database  # type: ignore[attr-defined]
    if library.sqlite_version_info >= FIRST_SOUND_SQLITE:
        return []
    return [
        Warning(
            f"SQLite {library.sqlite_version} has the WAL-reset bug: a checkpoint that meets a commit can "
            "spoil the file.",
            hint="The write gate keeps the two apart within Barpoint. Where pip has a wheel, `make setup` "
            "brings a sound library; else back up often, or use PostgreSQL.",
            id="runtime.W001",
        )
    ]


@register("barpoint")
def check_python(**_: Any) -> list[CheckMessage]:
    """Warn of a Python with known vulnerabilities that a later release fixes."""
    version = tuple(sys.version_info[:3])
    least = FIRST_SOUND_PYTHON.get(version[:2], version)
    if version >= least:
        return []
    return [
        Warning(
            f"Python {'.'.join(map(str, version))} has known holes (CVE-2024-7592: parsing a cookie can take seconds). "
            "The front refuses such cookies.",
            hint=f"Install Python {'.'.join(map(str, least))} or newer, and build the environment with it: `make setup PYTHON=python3.13`.",
            id="runtime.W004",
        )
    ]


@register(Tags.database)
def check_postgresql_durability(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Reject a PostgreSQL that acknowledges commits it may still lose."""
    if "default" not in (databases or ()) or connections["default"].vendor != "postgresql":
        return []
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT current_setting('synchronous_commit'), current_setting('fsync')")
            synchronous_commit, fsync = cursor.fetchone() or ("off", "off")
    except DatabaseError as error:
        return [Error(f"PostgreSQL does not answer: {error}".strip(), id="runtime.E003")]
    if synchronous_commit == "off" or fsync == "off":
        return [
            Error(
                f"PostgreSQL runs with synchronous_commit={synchronous_commit} and fsync={fsync}: it may lose "
                "moves that players were told are saved.",
                hint="Set both to on for this database.",
                id="runtime.E001",
            )
        ]
    return []


@register(Tags.database)
def check_migrations(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Reject a database to which only some of the migrations from before the first release were applied."""
    if "default" not in (databases or ()):
        return []
    try:
        readiness.read_migrations(connections["default"])
    except NodeNotFoundError:
        return [Error(readiness.HALF, id="runtime.E006")]
    except DatabaseError:
        pass  # reported where the database is used
    return []


@register("barpoint")
def check_redis_persistence(**_: Any) -> list[CheckMessage]:
    """Warn of a Redis without persistence: if it stops, queued work is delayed until the sweeps find it."""
    if not settings.REDIS_URL:
        return []
    import redis

    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    try:
        persistence: Any = client.info("persistence")
        is_kept = persistence["aof_enabled"]
    except redis.RedisError as error:
        return [
            Warning(
                f"Redis does not answer: {error}",
                hint="Pages work; live updates and background work are slower until it is back.",
                id="runtime.W003",
            )
        ]
    if is_kept:
        return []
    return [
        Warning(
            "Redis keeps no append-only file: what was queued when it stops is found again only by the sweeps.",
            hint="Set appendonly yes in redis.conf.",
            id="runtime.W002",
        )
    ]


@register("barpoint")
def check_https(**_: Any) -> list[CheckMessage]:
    """Reject settings with which every request would redirect to itself."""
    if not settings.SECURE_SSL_REDIRECT or settings.SECURE_PROXY_SSL_HEADER:
        return []
    return [
        Error(
            "PUBLIC_URL begins with https:// and TRUSTED_PROXIES is 0: no proxy is believed that says a request "
            "came by https, so every page would redirect to itself.",
            hint="Set TRUSTED_PROXIES to the number of proxies in front, usually 1.",
            id="runtime.E005",
        )
    ]
