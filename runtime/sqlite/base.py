"""Django's SQLite connection for a file that is ours alone, its write transactions behind the gate."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from typing import Any, Final

try:
    # Versions 3.7.0 to 3.51.2 can corrupt a WAL database when one connection checkpoints while
    # another commits; pip brings a newer library where it has a wheel.
    import pysqlite3

    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
except ImportError:
    pass

from django.db.backends.sqlite3 import base, features

from runtime.sqlite.gate import Gate
from runtime.transactions import LimitedTransactions

# Password hashes and sessions are in it.
PRIVATE: Final = 0o600


class DatabaseFeatures(features.DatabaseFeatures):
    """Django's SQLite features, with `IN` for the rows that a prefetch looks up."""

    # Django 5.2 prefetches a foreign key by tuples of columns and, without this, writes one OR term for each row:
    # SQLite parses at most 1,000. A tuple of one column is a value in brackets. Tuples of several columns would need
    # VALUES, so no key of a model may have several (runtime/install/checks.py).
    supports_tuple_lookups = True


class DatabaseWrapper(LimitedTransactions, base.DatabaseWrapper):
    """Django's SQLite connection, its write transactions behind the gate."""

    features_class = DatabaseFeatures

    def __init__(self, settings_dict: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(settings_dict, *args, **kwargs)
        # Without the gate SQLite's own busy handler must do.
        self.gate = Gate() if self.settings_dict.get("GATE", True) else None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect to a file that is ours alone: what SQLite lays beside it takes over its mode."""
        if self.is_in_memory_db():
            return super().get_new_connection(conn_params)
        path = str(self.settings_dict["NAME"])
        _keep_private(path)
        if os.path.exists(f"{path}-wal") or not os.path.exists(path):
            return super().get_new_connection(conn_params)
        # The first to connect may make it a WAL database, and SQLite lets nobody wait for that.
        self._enter()
        try:
            return super().get_new_connection(conn_params)
        finally:
            self._leave()

    def _start_transaction_under_autocommit(self) -> None:
        self._enter()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            if not self.in_transaction():
                self._leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            if self.gate is not None:
                self.gate.close()

    def in_transaction(self) -> bool:
        """Say whether SQLite itself is inside a transaction (a failed COMMIT leaves it so)."""
        return bool(getattr(self.connection, "in_transaction", False))

    def _enter(self) -> None:
        if self.gate is not None and not self.is_in_memory_db():
            self.gate.enter(f"{self.settings_dict['NAME']}.gate")

    def _leave(self) -> None:
        if self.gate is not None:
            self.gate.leave()


def _keep_private(path: str) -> None:
    """See to the names and modes of the files, and never open them.

    A process that closes a file loses its locks on it, also those that SQLite holds by another descriptor.
    """
    with contextlib.suppress(OSError):  # where there is no such folder, SQLite says so itself
        if not os.path.exists(path):
            _make(path)
    with contextlib.suppress(OSError):
        for file in (path, f"{path}-wal", f"{path}-shm"):
            if os.path.exists(file) and stat.S_IMODE(os.stat(file).st_mode) != PRIVATE:
                os.chmod(file, PRIVATE)


def _make(path: str) -> None:
    """Make an empty file that is ours alone from the first moment."""
    descriptor, beside = tempfile.mkstemp(dir=os.path.dirname(path) or ".")
    os.close(descriptor)
    try:
        os.link(beside, path)
    finally:
        os.unlink(beside)
