"""One web process, as its supervisor sees it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from django.conf import settings

from runtime import tally

if TYPE_CHECKING:
    from runtime.tally import Shared

# "Leave, others serve on", where SIGTERM says "end".
LEAVE = signal.SIGUSR1
# What is under way when a process is told to leave has so long.
LEAVE_SECONDS = 30
READY = "ready"


class Child:
    """A process that was started, and what it has said of itself."""

    def __init__(self, listener: int, figures: Shared, place: int, *, is_new: bool) -> None:
        self.place = place
        self._said = b""
        self._ear, mouth = os.pipe()
        os.set_blocking(self._ear, False)
        command = [
            sys.executable, "-m", "config.web_child", "--socket", str(listener), "--mouth", str(mouth),
            "--supervisor", str(os.getpid()),
            "--figures", str(figures.descriptor), "--place", str(place), "--bytes", str(tally.BYTES),
        ]  # fmt: skip
        # Of what lies on the disk now, which nobody has prepared yet.
        command += ["--prepare"] if is_new else []
        inherited = [listener, mouth, figures.descriptor]
        self._process = subprocess.Popen(command, pass_fds=inherited, cwd=settings.BASE_DIR)  # noqa: S603
        os.close(mouth)

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    @property
    def status(self) -> int | None:
        """How it ended."""
        return self._process.returncode

    @property
    def is_ready(self) -> bool:
        """Whether it has said that it accepts callers."""
        return self._hear() == READY

    def _hear(self) -> str:
        if self._ear >= 0:
            with contextlib.suppress(BlockingIOError):
                while piece := os.read(self._ear, 4096):
                    self._said += piece
                os.close(self._ear)
                self._ear = -1
        return self._said.decode(errors="replace").strip()

    def complaint(self, seconds: int) -> str:
        """Return why it is not ready, in a sentence."""
        said = self._hear()
        if self.is_alive:
            return f"The new web process was not ready after {seconds} seconds."
        if said and said != READY:
            return said
        return f"The new web process ended with status {self.status} before it was ready; the log says why."

    def leave(self) -> None:
        """Have it finish what it has begun, and take nothing new."""
        self._send(LEAVE)

    def end(self) -> None:
        self._send(signal.SIGTERM)

    def _send(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    def wait(self, seconds: float) -> None:
        """Give it so long to end."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, seconds))

    def kill(self) -> None:
        """End it now, if it still runs; what it said is kept."""
        self._hear()
        self._process.kill()
        self._process.wait()
        if self._ear >= 0:
            os.close(self._ear)
            self._ear = -1
