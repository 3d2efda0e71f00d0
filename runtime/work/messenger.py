"""One thread that carries hints to the broker, so that no request ever waits for it.

Everything said here is also written in the database: a hint that is lost only costs the second
until a sweep finds the row.
"""

from __future__ import annotations

import atexit
import queue
import threading
from typing import TYPE_CHECKING

import structlog

from runtime.failure_log import FailureStreak

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger(__name__)

# More than a few seconds' worth: beyond that the sweeps are quicker anyway.
CAPACITY = 2000
# A command that ends sooner than its hints have gone out waits for them this long.
LAST_SECONDS = 2.0


class Messenger:
    """Runs small calls one after the other in a thread of its own; forgets what it cannot hold."""

    def __init__(self) -> None:
        self._calls: queue.Queue[Callable[[], object]] = queue.Queue(maxsize=CAPACITY)
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None
        self._counting = threading.Lock()
        self._forgotten = 0
        self._streak = FailureStreak(begins="messenger.hints_lost", ends="messenger.hints_sent_again")
        self.is_muted = False

    def say(self, call: Callable[[], object]) -> None:
        """Carry out *call* soon, or never; return at once."""
        if self.is_muted:
            return
        try:
            self._calls.put_nowait(call)
        except queue.Full:
            self._forget()
            return
        self._ensure_thread()

    def _forget(self) -> None:
        # One line for all that follow: a broker that hangs must not fill the log as well.
        with self._counting:
            self._forgotten += 1
            is_first = self._forgotten == 1
        if is_first:
            log.warning("messenger.full")

    def _tell_forgotten(self) -> None:
        with self._counting:
            number, self._forgotten = self._forgotten, 0
        log.warning("messenger.caught_up", forgotten=number)

    def _ensure_thread(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            return
        with self._start:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="messenger", daemon=True)
                self._thread.start()
                atexit.register(self.finish, LAST_SECONDS)

    def finish(self, within: float) -> bool:
        """Wait until all that was said has been carried out; say whether it has."""
        done = self._calls.all_tasks_done
        with done:
            return done.wait_for(lambda: not self._calls.unfinished_tasks, within)

    def _run(self) -> None:
        while True:
            call = self._calls.get()
            try:
                call()
                self._streak.end()
            except Exception as error:  # noqa: BLE001 - a hint may fail in any way; the sweep will come
                self._streak.fail(error)
            finally:
                self._calls.task_done()
            if self._forgotten and self._calls.empty():
                self._tell_forgotten()


MESSENGER = Messenger()
