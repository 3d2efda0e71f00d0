"""The gate: a lock on a file beside the database, which the kernel gives to those who wait in turn."""

from __future__ import annotations

import contextlib
import os

try:
    import fcntl

    HAS_FLOCK = True
except ImportError:  # Windows: the busy handler must do.
    HAS_FLOCK = False


class Gate:
    """One connection's way through the gate. Each has a descriptor of its own: flock then queues threads as well."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._owner = 0
        self._is_inside = False

    def enter(self, path: str) -> None:
        """Wait until everybody who came before has left."""
        if not HAS_FLOCK or self._is_inside:
            return
        if self._file is None or self._owner != os.getpid():
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._owner = os.getpid()
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._is_inside = True

    def leave(self) -> None:
        """Let the next one in."""
        # A forked child shares its parent's lock: to let go of it there would open the parent's gate.
        if self._is_inside and self._file is not None and self._owner == os.getpid():
            with contextlib.suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)
        self._is_inside = False

    def close(self) -> None:
        """Leave for good."""
        self.leave()
        if self._file is not None:
            os.close(self._file)
            self._file = None
