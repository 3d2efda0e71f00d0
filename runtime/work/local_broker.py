"""A broker in this process that wakes its worker: kombu's own looks for messages a hundred times a second."""

from __future__ import annotations

import threading
from queue import Empty
from time import monotonic
from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, memory

SCHEME: Final = "nearby"


class WakeUp:
    """Rings at every message, wherever it is put; nobody misses a ring who noted the number before looking."""

    def __init__(self) -> None:
        self.number = 0
        self._rung = threading.Condition()

    def ring(self) -> None:
        """Wake whoever waits."""
        with self._rung:
            self.number += 1
            self._rung.notify_all()

    def wait(self, number: int, timeout: float | None) -> bool:
        """Wait for the first ring after *number*; say whether it came."""
        with self._rung:
            return self._rung.wait_for(lambda: self.number != number, timeout)


_wake_up: Final = WakeUp()


class Channel(memory.Channel):
    """kombu's queues in memory, with a bell."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)
        _wake_up.ring()


class Transport(memory.Transport):
    """kombu's transport in memory, asleep until something comes."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Hand over one message, or raise TimeoutError."""
        until = None if timeout is None else monotonic() + timeout
        while True:
            number = _wake_up.number
            try:
                self.cycle.get(self._deliver, timeout=timeout)  # type: ignore[union-attr]
            except Empty:
                left = None if until is None else until - monotonic()
                if (left is not None and left <= 0) or not _wake_up.wait(number, left):
                    raise TimeoutError from None
            else:
                return


TRANSPORT_ALIASES[SCHEME] = f"{__name__}:{Transport.__name__}"
