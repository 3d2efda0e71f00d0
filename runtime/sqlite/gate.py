"""The gate: a lock on a file beside the database, for one writer at a time.

Between processes the kernel grants it in order of waiting. The threads of a process line up before it: live
moves, other requests, background work.
"""

from __future__ import annotations

import contextlib
import fcntl
import heapq
import itertools
import os
import threading
import time
from collections.abc import Callable
from typing import Final


class Line:
    """The threads of this process that wait for a gate."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._numbers = itertools.count()
        # The time by which each is ordered, a number to keep the order of equal times, and what wakes it.
        self._waiting: list[tuple[float, int, threading.Lock]] = []

    def enter(self, *, patience: float = 0.0, on_wait: Callable[[], object] | None = None) -> None:
        """Wait until it is this thread's turn, and call *on_wait* if it is not yet."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            turn = threading.Lock()
            turn.acquire()
            place = time.monotonic() + patience, next(self._numbers), turn
            heapq.heappush(self._waiting, place)
        try:
            if on_wait is not None:
                on_wait()
            turn.acquire()
        except BaseException:
            self._give_up(place)
            raise

    def leave(self) -> None:
        """Hand over to the next thread."""
        with self._lock:
            if self._waiting:
                heapq.heappop(self._waiting)[2].release()
            else:
                self._is_taken = False

    def _give_up(self, place: tuple[float, int, threading.Lock]) -> None:
        with self._lock:
            is_waiting = place in self._waiting
            if is_waiting:
                self._waiting.remove(place)
                heapq.heapify(self._waiting)
        if not is_waiting:
            # Its turn came at the same moment.
            self.leave()


_lines: Final[dict[str, Line]] = {}
# Threads that waited are not in a forked child.
os.register_at_fork(after_in_child=_lines.clear)


class Gate:
    """The gate of one connection. Each opens its own descriptor, as locks belong to descriptors."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._owner = 0
        self._line: Line | None = None

    def enter(self, path: str, *, patience: float = 0.0, on_wait: Callable[[], object] | None = None) -> None:
        """Wait for the lock, as if it were *patience* seconds later. *on_wait* is called before a wait."""
        if self._line is not None:
            return
        if self._file is None or self._owner != os.getpid():
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._owner = os.getpid()
        line = _lines.setdefault(path, Line())
        line.enter(patience=patience, on_wait=on_wait)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except BaseException:
            line.leave()
            raise
        self._line = line

    def leave(self) -> None:
        # A forked child shares its parent's lock and must not release it.
        if self._line is not None and self._file is not None and self._owner == os.getpid():
            with contextlib.suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)
            self._line.leave()
        self._line = None

    def close(self) -> None:
        self.leave()
        if self._file is not None:
            os.close(self._file)
            self._file = None
