"""The process of a server: why it cannot start, its terminal, and the signals that end it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Refusal(Exception):
    """It cannot work; the sentence says why, and the command ends with status 2."""


class Ending:
    """Whether this process is to end, as a signal tells it; made in the main thread, which alone may wait for it.

    An Event set by a signal's handler loses it once in some ten thousand times: the signal may come after Python has looked
    for signals and before the wait has begun, or while the wait holds the lock that `set` takes, and then nothing wakes it.
    What the interpreter writes into a pipe as the signal comes is still there when somebody waits.
    """

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


@contextlib.contextmanager
def take_terminal() -> Iterator[None]:
    """Take the terminal, as a shell's job does, so that Ctrl-C reaches us and not `make` as well."""
    if not (hasattr(os, "tcsetpgrp") and sys.stdin.isatty()):
        yield
        return
    terminal = sys.stdin.fileno()
    try:
        before = os.tcgetpgrp(terminal)
    except OSError:
        yield
        return
    if before != os.getpgrp():  # a shell started us behind itself
        yield
        return
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    # `make`, which the shell watches, would not stop with us: Ctrl-Z would leave a dead terminal.
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpgrp())
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, before)
