"""What a supervisor lets others read of it: which process it is, and how its last reload went.

A small file in DATA_DIR/run, locked as long as the supervisor lives, so that nobody sends a signal to a stranger that
was given its number. Written at a start and at a reload. Whoever asks may be of the next release.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class State:
    """How often a reload was asked for, how many of these were carried out, and what the last one came to."""

    pid: int
    asked: int
    done: int
    # Empty: it went well.
    outcome: str


def _path(folder: Path, port: int) -> Path:
    return folder / "run" / f"web-{port}.json"


class Notice:
    """The supervisor's side; where nothing can be written, nothing is told."""

    def __init__(self, folder: Path, port: int) -> None:
        self._descriptor = -1
        path = _path(folder, port)
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.close()

    def tell(self, *, asked: int, done: int, outcome: str) -> None:
        """Write how things stand."""
        if self._descriptor >= 0:
            text = json.dumps(asdict(State(os.getpid(), asked, done, outcome))).encode()
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)
                os.pwrite(self._descriptor, text, 0)

    def close(self) -> None:
        """Say that nobody supervises here any more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def read(folder: Path, port: int) -> State | None:
    """Return what the supervisor that lives here says; None where there is none, or while it is writing."""
    try:
        with _path(folder, port).open() as file:
            if not _is_held(file.fileno()):
                return None
            return State(**json.loads(file.read()))
    except (OSError, ValueError):
        return None


def _is_held(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
