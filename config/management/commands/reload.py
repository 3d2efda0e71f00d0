"""`manage.py reload`: have the web processes replaced by new ones, and say how it went."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config import notice

LOOK_SECONDS = 0.2


class Command(BaseCommand):
    """Reload."""

    help = "Replace the web processes of `serve web` by new ones, one after the other; nobody is refused meanwhile."
    requires_system_checks: list[str] = []

    def handle(self, **_: Any) -> None:
        """Ask for it, wait, and end with 0 if all are new, 1 if not, 2 if there is nobody to ask."""
        before = notice.read(settings.DATA_DIR, settings.PORT)
        if before is None:
            self._say(
                f"No `serve web` with several processes, or with --supervised, runs here at port {settings.PORT}; "
                "any other server is restarted."
            )
            sys.exit(2)
        os.kill(before.pid, signal.SIGHUP)
        outcome = self._wait(before.pid, before.asked + 1)
        if outcome:
            self._say(outcome)
            sys.exit(1)

    @staticmethod
    def _wait(pid: int, number: int) -> str:
        missed = 0
        while missed < 10:
            time.sleep(LOOK_SECONDS)
            now = notice.read(settings.DATA_DIR, settings.PORT)
            if now is None or now.pid != pid:
                missed += 1
                continue
            missed = 0
            if now.done >= number:
                return now.outcome
        return "The server ended meanwhile."

    def _say(self, sentence: str) -> None:
        self.stderr.write(f"barpoint: {sentence}")
