"""The gate: a lock on a file beside the database, for one writer at a time.

The kernel grants it in order of waiting.
"""

from __future__ import annotations

import contextlib
import fcntl
import os


class Gate:
    """The gate of one connection. Each opens its own descriptor, as locks belong to descriptors."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._owner = 0
        self._is_inside = False

    def enter(self, path: str) -> None:
        if self._is_inside:
            return
        if self._file is None or self._owner != os.getpid():
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._owner = os.getpid()
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._is_inside = True

    def leave(self) -> None:
        # A forked child shares its parent's lock and must not release it.
        if self._is_inside and self._file is not None and self._owner == os.getpid():
            with contextlib.suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)
        self._is_inside = False

    def close(self) -> None:
        self.leave()
        if self._file is not None:
            os.close(self._file)
            self._file = None
