"""A background thread for slow minds: no request, worker or lock waits for them.

The queue is lost when the process ends; a sweep finds matches that still wait for their bot.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Final

import structlog
from django.db import close_old_connections

log = structlog.get_logger(__name__)

# In matches; further ones wait for the sweep.
CAPACITY: Final = 500


class Thinker:
    """A thread that processes a queue of matches one by one; each match is queued at most once."""

    # Tests set it to mute all instances.
    is_muted = False

    def __init__(self, think: Callable[[int], object]) -> None:
        self._think = think
        self._waiting: queue.Queue[int] = queue.Queue(maxsize=CAPACITY)
        self._known: set[int] = set()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def enqueue(self, match_id: int) -> None:
        """Queue a match without blocking; drop it if the queue is full."""
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
            # Removed before the match is loaded: a later request may concern a newer state.
            with self._guard:
                self._known.discard(match_id)
            close_old_connections()
            try:
                self._think(match_id)
            except Exception:
                log.exception("thinker.failed", match_id=match_id)
            close_old_connections()
