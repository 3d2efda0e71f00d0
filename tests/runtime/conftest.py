"""Where the machinery's tests look for servers."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.runtime.premises import Premises
from tests.runtime.support import python, until


@pytest.fixture(autouse=True)
def _services_or_skip(request: pytest.FixtureRequest) -> None:
    """Skip what needs PostgreSQL and Redis where they are not given."""
    from django.conf import settings

    if request.node.get_closest_marker("services") is None:
        return
    if not settings.DATABASE_URL.startswith("postgres"):
        pytest.skip("DATABASE_URL names no PostgreSQL (python -m tests.services starts one)")
    if not settings.REDIS_URL:
        pytest.skip("REDIS_URL is not set (python -m tests.services starts a Redis)")


@pytest.fixture
def _handlers() -> Iterator[None]:
    """Put back, after the test, what carries out which kind."""
    from runtime.work import outbox

    before = dict(outbox._handlers)
    yield
    outbox._handlers.clear()
    outbox._handlers.update(before)


@pytest.fixture(scope="session")
def front(django_db_setup: None) -> Iterator[int]:
    """The port of one front (stream and pages), served by a real uvicorn in a thread of this process."""
    import uvicorn

    from config.asgi import application

    server = uvicorn.Server(
        uvicorn.Config(application, host="127.0.0.1", port=0, log_config=None, timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)


# Modules elsewhere borrow these fixtures, and each would migrate again: what the first has made serves them
# all.
FILE, POSTGRESQL = "file", "postgresql"
MIGRATE = "from manage import main; import sys; sys.argv = ['manage.py', 'migrate']; main()"
_migrated: dict[str, str] = {}


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """An SQLite database that is migrated and has no rows of the product."""
    if FILE not in _migrated:
        _migrated[FILE] = str(_migrate_file(tmp_path_factory, request))
    return Path(_migrated[FILE])


def _migrate_file(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    from django.db import connection

    from runtime.install import held_copies

    folder = tmp_path_factory.mktemp("migrated")
    if connection.vendor == "sqlite":
        request.getfixturevalue("django_db_setup")
        with request.getfixturevalue("django_db_blocker").unblock():
            # pytest-django creates the test database only if a selected test needs it.
            if "runtime_topic" in connection.introspection.table_names():
                path = held_copies.copy_sqlite(folder / "barpoint.sqlite3", now=datetime.now(UTC))
                # Not a restored club, but a new one.
                with closing(sqlite3.connect(path)) as copy:
                    copy.execute("DELETE FROM runtime_installation")
                    copy.commit()
                return path
            connection.close()
    done = python(
        MIGRATE,
        timeout=300,
        DATA_DIR=str(folder),
    )
    assert done.returncode == 0, done.stderr
    return folder / "barpoint.sqlite3"


@pytest.fixture(scope="session")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Collected once for all servers of the session."""
    return tmp_path_factory.mktemp("static") / "root"


@pytest.fixture
def premises(
    migrated_file: Path, static_root: Path, tmp_path: Path, django_db_blocker: Any
) -> Iterator[Premises]:
    """A place for an embedded installation: SQLite, no Redis."""
    from tests.runtime.premises import Premises, copy_of

    with django_db_blocker.unblock():
        ours = Premises(copy_of(migrated_file, tmp_path / "var"), static_root=static_root)
        try:
            yield ours
        finally:
            ours.close()


@pytest.fixture(scope="session")
def migrated_postgresql() -> Iterator[str]:
    """The name of a migrated template database on the tests' server; servers begin with a copy of it."""
    import psycopg
    from django.conf import settings

    if POSTGRESQL in _migrated:
        yield _migrated[POSTGRESQL]
        return
    name = f"installation_{os.getpid()}_{uuid4().hex[:6]}"
    server, _, _ = settings.DATABASE_URL.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        own.execute(f'CREATE DATABASE "{name}"')
    done = python(
        MIGRATE,
        timeout=300,
        DATABASE_URL=f"{server}/{name}",
        DATA_DIR=str(settings.DATA_DIR),
    )
    assert done.returncode == 0, done.stderr
    _migrated[POSTGRESQL] = name
    yield name
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        own.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def apart(
    request: pytest.FixtureRequest, static_root: Path, tmp_path: Path, django_db_blocker: Any
) -> Iterator[Premises]:
    """A place for web, worker and beat apart: a PostgreSQL database and its own Redis."""
    from tests.runtime.premises import premises_apart

    template = request.getfixturevalue("migrated_postgresql")
    with django_db_blocker.unblock(), premises_apart(template, tmp_path, static_root=static_root) as ours:
        yield ours
