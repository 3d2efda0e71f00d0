"""Startup errors of a server process, and its terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator


class Refusal(Exception):
    """A reason why a server cannot start; the command shows the message and exits with status 2."""


@contextlib.contextmanager
def take_terminal() -> Iterator[None]:
    """Become the terminal's foreground process group, so that Ctrl-C does not also reach `make`."""
    if not sys.stdin.isatty():
        yield
        return
    terminal = sys.stdin.fileno()
    try:
        before = os.tcgetpgrp(terminal)
    except OSError:
        yield
        return
    if before != os.getpgrp():  # started in the background
        yield
        return
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    # The shell waits for `make`, which would not be suspended: Ctrl-Z would block the terminal.
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpgrp())
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, before)
