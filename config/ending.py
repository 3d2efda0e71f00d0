"""The wish that a process end, as a signal tells it.

An Event set by a signal's handler loses it once in some ten thousand times: the signal may come after Python has looked for
signals and before the wait has begun, or while the wait holds the lock that `set` takes, and then nothing wakes it. What
the interpreter writes into a pipe as the signal comes is still there when somebody waits.
"""

from __future__ import annotations

import os
import select
import signal


class Ending:
    """Whether this process is to end; made in the main thread, which alone may wait for it."""

    def __init__(self) -> None:
        self.is_asked = False
        self._woken, waker = os.pipe()
        for end in (self._woken, waker):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.ask)

    def ask(self, *_: object) -> None:
        """Have the process end."""
        self.is_asked = True

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is asked to end, at most so many seconds or until another signal comes; say whether it is."""
        if not self.is_asked and select.select([self._woken], [], [], seconds)[0]:
            os.read(self._woken, 4096)
        return self.is_asked
