"""Django's SQLite connection with private files and with the gate around write transactions."""

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

from runtime import transactions
from runtime.sqlite.gate import Gate
from runtime.transactions import LimitedTransactions

# The file contains password hashes and sessions.
PRIVATE: Final = 0o600


class DatabaseFeatures(features.DatabaseFeatures):
    """Django's SQLite features, with `IN` for the rows that a prefetch looks up."""

    # Django 5.2 prefetches a foreign key by tuples of columns and, without this, writes one OR term for each row:
    # SQLite parses at most 1,000. A tuple of one column is a value in brackets. Tuples of several columns would need
    # VALUES, so no key of a model may have several (tests/runtime/install/test_checks.py).
    supports_tuple_lookups = True


class DatabaseWrapper(LimitedTransactions, base.DatabaseWrapper):
    features_class = DatabaseFeatures

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gate = Gate()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect to a file with mode 0600, which SQLite copies to the files it creates beside it."""
        if self.is_in_memory_db():
            return super().get_new_connection(conn_params)
        path = str(self.settings_dict["NAME"])
        _restrict_files(path)
        if os.path.exists(f"{path}-wal") or not os.path.exists(path):
            return super().get_new_connection(conn_params)
        # The first connection may switch to WAL mode, for which SQLite's busy handler does not wait.
        self._enter_gate()
        try:
            return super().get_new_connection(conn_params)
        finally:
            self.gate.leave()

    def _start_transaction_under_autocommit(self) -> None:
        self._enter_gate()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.gate.leave()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            if not self.in_transaction():
                self.gate.leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self.gate.leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self.gate.close()

    def in_transaction(self) -> bool:
        """True if SQLite is inside a transaction (it still is after a failed COMMIT)."""
        return bool(getattr(self.connection, "in_transaction", False))

    def _enter_gate(self) -> None:
        if not self.is_in_memory_db():
            self.gate.enter(
                f"{self.settings_dict['NAME']}.gate",
                patience=transactions.LIMIT.patience,
                on_wait=transactions.LIMIT.on_wait,
            )


def _restrict_files(path: str) -> None:
    """Create the file and fix the modes without opening an existing file.

    When a process closes a file it loses its locks on it, including those of SQLite's other descriptors.
    """
    with contextlib.suppress(OSError):  # SQLite reports a missing folder itself
        if not os.path.exists(path):
            # An empty file, private from the start.
            descriptor, beside = tempfile.mkstemp(dir=os.path.dirname(path) or ".")
            os.close(descriptor)
            try:
                os.link(beside, path)
            finally:
                os.unlink(beside)
    with contextlib.suppress(OSError):
        for file in (path, f"{path}-wal", f"{path}-shm"):
            if os.path.exists(file) and stat.S_IMODE(os.stat(file).st_mode) != PRIVATE:
                os.chmod(file, PRIVATE)
