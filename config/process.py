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
    """Raised when a server cannot start; the message says why, and the command exits with status 2."""


class Ending:
    """Records a signal to end this process. Create it in the main thread and wait for it there.

    A `threading.Event` that a signal handler sets misses about one signal in ten thousand: the signal may come after Python has looked
    for signals and before the wait has begun, or while the wait holds the lock that `set` takes, and then nothing wakes it.
    The byte that the interpreter writes into a pipe on a signal stays there until it is read.
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
        """Wait for a signal, at most *seconds*; return whether the process is to end."""
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
