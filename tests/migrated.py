"""One migration for all workers of a run: the first makes the tables, the others begin with a copy of its file.

Only on SQLite; on PostgreSQL, and without workers, everybody migrates.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


class Copy:
    """What the workers of a run begin with; its lock keeps the others out until it is made."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self._path, self._lock = path, lock
        self.is_there = path.exists()

    def take(self, target: Path) -> None:
        """Begin with what another worker has made."""
        shutil.copy(self._path, target)

    def share(self) -> None:
        """Lay down what was migrated here, and let the others in."""
        from django.db import connection

        if not self.is_there:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(self._path)])
        _unlock(self._lock)


@contextmanager
def claimed(run: str) -> Iterator[Copy | None]:
    """Wait until nobody else is at work on the copy of this run, and begin with it where it is there."""
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
    """Remove, where the workers were started, what they shared."""
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
