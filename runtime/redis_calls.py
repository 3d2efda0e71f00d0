"""Calls to Redis from a separate thread, so that no request waits for it.

The database contains everything that is sent this way: after a lost call, a sweep or a stream finds the row
about a second later.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from runtime.failure_log import FailureStreak

# After a failed call those queued behind it are dropped, so that a hanging Redis delays only one.
REST_SECONDS: Final = 0.2


class RedisCalls:
    """A thread that makes calls one after the other."""

    def __init__(self) -> None:
        self.is_muted = False
        self._streak = FailureStreak(begins="redis.calls_lost", ends="redis.calls_made_again")
        self._start_thread()

    def _start_thread(self) -> None:
        self._process = os.getpid()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="redis")
        self._rests_until = 0.0

    def submit(self, call: Callable[[], object]) -> None:
        """Queue *call* and return at once. It is dropped if Redis fails."""
        if self.is_muted:
            return
        # Threads do not survive a fork.
        if self._process != os.getpid():
            self._start_thread()
        self._thread.submit(self._run_call, call)

    def _run_call(self, call: Callable[[], object]) -> None:
        if time.monotonic() < self._rests_until:
            self._streak.fail(ConnectionError("the call before it failed"))
            return
        try:
            call()
        except Exception as error:  # noqa: BLE001 - a call may fail in any way; the data is in the database
            self._rests_until = time.monotonic() + REST_SECONDS
            self._streak.fail(error)
        else:
            self._streak.end()


CALLS: Final = RedisCalls()
