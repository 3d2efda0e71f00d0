"""The process of a server: why it cannot start, and its terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Refusal(Exception):
    """Raised when a server cannot start; the message says why, and the command exits with status 2."""


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
