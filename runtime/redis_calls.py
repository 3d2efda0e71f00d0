"""Calls to Redis are made in one thread of their own, so that no request ever waits for it.

Everything they tell is also written in the database: a call that is lost only costs the second until a sweep or a stream
finds the row.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from runtime.failure_log import FailureStreak

if TYPE_CHECKING:
    from collections.abc import Callable

# After a call that failed those that waited behind it are dropped: nobody waits for a Redis that hangs longer than for one call.
REST_SECONDS: Final = 0.2


class RedisCalls:
    """Makes calls one after the other in a thread."""

    def __init__(self) -> None:
        self.is_muted = False
        self._streak = FailureStreak(begins="redis.calls_lost", ends="redis.calls_made_again")
        self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="redis")
        self._rests_until = 0.0

    def submit(self, call: Callable[[], object]) -> None:
        """Make *call* soon, or never; return at once."""
        if self.is_muted:
            return
        # A fork has no thread yet.
        if self._process != os.getpid():
            self._open()
        self._thread.submit(self._make, call)

    def _make(self, call: Callable[[], object]) -> None:
        if time.monotonic() < self._rests_until:
            self._streak.fail(ConnectionError("the call before it failed"))
            return
        try:
            call()
        except Exception as error:  # noqa: BLE001 - a call may fail in any way; the database has what it told
            self._rests_until = time.monotonic() + REST_SECONDS
            self._streak.fail(error)
        else:
            self._streak.end()


CALLS: Final = RedisCalls()
