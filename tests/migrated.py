"""Migrates once for all workers of a run: the first creates the tables, the others copy its SQLite file.

On PostgreSQL, and without workers, each run migrates.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest


class Copy:
    """The migrated database file shared by the workers of a run, under a lock."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self._path, self._lock = path, lock
        self.is_there = path.exists()

    def take(self, target: Path) -> None:
        """Copy the database of another worker."""
        shutil.copy(self._path, target)

    def share(self) -> None:
        """Save this worker's migrated database, and release the lock."""
        from django.db import connection

        if not self.is_there:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(self._path)])
        _unlock(self._lock)


@contextmanager
def claimed(run: str) -> Iterator[Copy | None]:
    """Lock the shared copy of this run and yield it, or None if it is not used."""
    from django.db import connection

    if not run or connection.vendor != "sqlite":
        yield None
        return
    target = Path(connection.settings_dict["TEST"]["NAME"])
    path = _path(target.parent, run)
    with path.with_suffix(".lock").open("w") as lock:
        _lock(lock)
        copy = Copy(path, lock)
        if copy.is_there:
            copy.take(target)
        yield copy


def forget(session: pytest.Session, folder: Path) -> None:
    """Remove the shared files, in the process that started the workers."""
    controller = session.config.pluginmanager.get_plugin("dsession")
    if workers := getattr(controller, "nodemanager", None):
        path = _path(folder, workers.testrunuid)
        path.unlink(missing_ok=True)
        path.with_suffix(".lock").unlink(missing_ok=True)


def _path(folder: Path, run: str) -> Path:
    return folder / f"migrated-{run}.sqlite3"


def _lock(file: IO[str]) -> None:
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX)


def _unlock(file: IO[str]) -> None:
    import fcntl

    fcntl.flock(file, fcntl.LOCK_UN)
