"""A limit on the threads for background work: in each process one thread stays free for urgent work.

In a single-process installation the same few threads judge records, pair rounds and send mail; two concurrent
analyses would block all of that.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Iterator


class BackgroundThreads:
    """The limit on the threads for background work; it alternates between kinds of work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy = 0
        self._last = ""
        self._has_refused_others = False

    @contextlib.contextmanager
    def take(self, work: str) -> Iterator[bool]:
        """Reserve a thread for *work*; yield False if none is free, or if it is the turn of other work."""
        is_ours = self._try_begin(work)
        try:
            yield is_ours
        finally:
            with self._lock:
                self._busy -= is_ours

    def _try_begin(self, work: str) -> bool:
        with self._lock:
            is_free = self._busy < max(1, settings.WORKER_CONCURRENCY - 1)
            if is_free and work == self._last and self._has_refused_others:
                # Only once, since the others may have no work left.
                self._has_refused_others = False
                return False
            if is_free:
                self._busy += 1
                self._last = work
            elif work != self._last:
                self._has_refused_others = True
            return is_free


THREADS: Final = BackgroundThreads()
