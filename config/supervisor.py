"""Processes at one address and at one terminal: opened, watched, replaced and ended together."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import structlog
from django.conf import settings

from config.refusal import Refusal
from runtime import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

log = structlog.get_logger(__name__)

GRACE_SECONDS = 5


def _doors(count: int) -> list[socket.socket]:
    """Open one listening socket for each process, all at our address.

    The kernel then spreads callers over them; of one shared socket the first process to wake takes all
    that wait. They stay open here, so callers of a process that dies wait for the one that replaces it.
    """
    address = (settings.HOST, settings.PORT)
    if not hasattr(socket, "SO_REUSEPORT"):
        return [socket.create_server(address, backlog=2048)] * count
    # Alone first: an address shared on purpose would be shared with a stranger as well.
    socket.create_server(address).close()
    return [socket.create_server(address, backlog=2048, reuse_port=True) for _ in range(count)]


def run(processes: int, *, announce: Callable[[], None]) -> None:
    """Run several web processes at one address; replace one that dies; end them all together."""
    try:
        doors = _doors(processes)
    except OSError as error:
        raise Refusal(
            f"Nothing could be served at {settings.HOST}:{settings.PORT}: {error.strerror}."
        ) from None
    announce()
    # A child that dies leaves its place, and with it what it counted, to the one that replaces it.
    figures = tally.make(processes)
    is_ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: is_ending.set())

    def spawn(place: int) -> subprocess.Popen[bytes]:
        door = doors[place].fileno()
        command = [
            sys.executable, "-m", "config.web_child", "--door", str(door),
            "--figures", str(figures.descriptor), "--place", str(place), "--bytes", str(tally.BYTES),
        ]  # fmt: skip
        return subprocess.Popen(command, pass_fds=[door, figures.descriptor], cwd=settings.BASE_DIR)  # noqa: S603

    children = [spawn(place) for place in range(processes)]
    while not is_ending.wait(0.2):
        for place, child in enumerate(children):
            if child.poll() is not None:
                log.warning("web.child_died", status=child.returncode)
                figures.places[place].set_streams(0)
                time.sleep(0.5)
                children[place] = spawn(place)
    for child in children:
        child.terminate()
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(GRACE_SECONDS + 3)
        child.kill()


@contextlib.contextmanager
def foreground() -> Iterator[None]:
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
