"""Parsing of uploaded files in child processes with limits. If all places are taken, the upload is refused.

The caller names the payers: a match, an account, a device, a network. Each may have one child at a time. As
with the limits of the front, this is counted per web process.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal

LAUNCHER: Final = Path(__file__).with_name("limited_child.py")
# How many of the (by default eight) web threads may wait for a child.
AT_ONCE: Final = 2

_lock: Final = threading.Lock()
_running: Final[list[frozenset[str]]] = []


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a child: bytes of memory, seconds of CPU, seconds of wall-clock time."""

    memory: int
    cpu_seconds: int = 3
    # Longer than the CPU time, since the child is niced.
    seconds: int = 10


class RetryLater(Refusal):
    """The same request may succeed after some seconds (`Retry-After`)."""

    code = "later"
    status = 429
    anchor = "records#handing-in"
    wait: int = 5


class FileInProgress(RetryLater):
    """Another file of the same payer, or the maximum number of files, is being parsed."""

    code = "file-in-progress"
    sentence = _("Another file is being read at the moment. Try again in a few seconds.")


class ChildFailed(Exception):
    """The child exited with this status; negative if a signal ended it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class OutOfLimits(ChildFailed):
    """The child took too much memory, CPU or time."""


@contextmanager
def reserve(payers: Collection[str] = ()) -> Iterator[None]:
    """Reserve a place for a child, and the single place of each payer.

    :raises FileInProgress: no place is free.
    """
    mine = frozenset(payers)
    with _lock:
        if len(_running) >= AT_ONCE or any(mine & each for each in _running):
            raise FileInProgress
        _running.append(mine)
    try:
        yield
    finally:
        with _lock:
            _running.remove(mine)


def run(script: Path, *arguments: str, data: bytes, limits: Limits, payers: Collection[str] = ()) -> bytes:
    """Run one of our Python scripts with *data* as stdin; return its stdout.

    :raises FileInProgress: no place is free for it.
    :raises OutOfLimits: it exceeded *limits*.
    :raises ChildFailed: it exited with another status than 0.
    """
    command = (sys.executable, "-I", "-B", LAUNCHER, limits.memory, limits.cpu_seconds, script, *arguments)
    with reserve(payers):
        try:
            done = subprocess.run(  # noqa: S603 - our Python, our script
                [*map(str, command)],
                input=data,
                capture_output=True,
                timeout=limits.seconds,
                check=False,
                # The child must not inherit keys and passwords.
                env={},
            )
        except subprocess.TimeoutExpired as error:
            raise OutOfLimits(-1) from error
    # Libraries report a lack of memory in different ways.
    if done.returncode < 0 or (
        done.returncode and (b"MemoryError" in done.stderr or b"memory allocation" in done.stderr)
    ):
        raise OutOfLimits(done.returncode)
    if done.returncode:
        raise ChildFailed(done.returncode)
    return done.stdout
