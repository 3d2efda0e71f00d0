"""Files that people send are parsed in child processes: with limits on memory and CPU, a few at once, and nobody waits for a place.

Who pays is named by the caller: a match, an account, a device, an address network. Each has one child at a time. Like the
limits of the front this counts for one web process.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

LAUNCHER: Final = Path(__file__).with_name("limited_child.py")
# Of eight web threads so many may wait for a child.
AT_ONCE: Final = 2

_lock: Final = threading.Lock()
_running: Final[list[frozenset[str]]] = []


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may take: bytes of memory, seconds of CPU, seconds by the clock."""

    memory: int
    cpu_seconds: int = 3
    # It is niced: on a busy machine its CPU seconds take longer.
    seconds: int = 10


class Later(Refusal):
    """The same request may succeed after some seconds (`Retry-After`)."""

    code = "later"
    anchor = "clubs#logo"
    wait: int = 5


class FileInProgress(Later):
    """Another file of the same payer is being parsed, or as many as are parsed at once."""

    code = "file-in-progress"
    sentence = _("Another file is being read at the moment. Try again in a few seconds.")


class ChildFailed(Exception):
    """The child ended with a status of its own; negative where a signal ended it."""

    def __init__(self, status: int, stderr: bytes = b"") -> None:
        super().__init__(status)
        self.status = status
        self.stderr = stderr


class OutOfLimits(ChildFailed):
    """The child took too much memory, CPU or time."""


@contextmanager
def reserve(payers: Collection[str] = ()) -> Iterator[None]:
    """Hold one of the few places for children, and the only one of each payer.

    :raises FileInProgress: there is none.
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
    """Return what a Python script of ours writes that is given *data*.

    :raises FileInProgress: there is no place for it now.
    :raises OutOfLimits: it took more than *limits*.
    :raises ChildFailed: it ended with another status than 0.
    """
    command = [
        sys.executable,
        "-I",
        "-B",
        str(LAUNCHER),
        str(limits.memory),
        str(limits.cpu_seconds),
        str(script),
    ]
    with reserve(payers):
        try:
            done = subprocess.run(  # noqa: S603 - our Python, our script
                [*command, *arguments],
                input=data,
                capture_output=True,
                timeout=limits.seconds,
                check=False,
                # No key and no password is in the memory of a decoder.
                env={},
            )
        except subprocess.TimeoutExpired as error:
            raise OutOfLimits(-1) from error
    # A library that is short of memory may say so in words of its own, and end as it likes.
    if done.returncode < 0 or (
        done.returncode and (b"MemoryError" in done.stderr or b"memory allocation" in done.stderr)
    ):
        raise OutOfLimits(done.returncode, done.stderr)
    if done.returncode:
        raise ChildFailed(done.returncode, done.stderr)
    return done.stdout
