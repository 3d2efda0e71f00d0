"""One thread for the bots that take their time to think: no request, worker or lock waits for them.

What it is told may be lost with the process: a sweep finds matches that have waited for their bot.
"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Final

import structlog
from django.db import close_old_connections

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger(__name__)

# Matches; more than that wait for the sweep.
CAPACITY: Final = 500


class Thinker:
    """Thinks about one match after the other; each waits there once."""

    # Of all there are, in tests.
    is_muted = False

    def __init__(self, think: Callable[[int], object]) -> None:
        self._think = think
        self._waiting: queue.Queue[int] = queue.Queue(maxsize=CAPACITY)
        self._known: set[int] = set()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self, match_id: int) -> None:
        """Think about this match soon, or never; return at once."""
        if self.is_muted:
            return
        with self._guard:
            if match_id in self._known:
                return
            try:
                self._waiting.put_nowait(match_id)
            except queue.Full:
                log.warning("thinker.full")
                return
            self._known.add(match_id)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            match_id = self._waiting.get()
            # Whoever asks from now on may know more than we are about to read.
            with self._guard:
                self._known.discard(match_id)
            close_old_connections()
            try:
                self._think(match_id)
            except Exception:
                log.exception("thinker.failed", match_id=match_id)
            close_old_connections()
