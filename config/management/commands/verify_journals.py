"""`manage.py verify_journals [KEY ...]`: replay matches and compare them with what their rows say."""

from __future__ import annotations

import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from matches import verifiers

EVERY = 5.0


class Command(BaseCommand):
    help = "Replay every match, or those named; exit 1 if one is not what its journal says."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these matches")

    def handle(self, *, keys: list[str], **_: Any) -> None:
        """Print every problem, and the progress every few seconds."""
        found = verifiers.list_matches(keys)
        total = found.count()
        if missing := sorted(set(keys) - set(found.values_list("key", flat=True)) if keys else ()):
            raise CommandError(f"There is no match {', '.join(missing)}.")
        broken = [*verifiers.verify_triggers()]
        for problem in broken:
            self.stdout.write(problem)
        reported_at = began = time.monotonic()
        done = 0
        for done, problem in verifiers.replay_matches(found):
            if problem:
                broken.append(problem)
                self.stdout.write(problem)
            elif time.monotonic() - reported_at > EVERY:
                reported_at = time.monotonic()
                self.stderr.write(f"{done} of {total} ...")
        took = time.monotonic() - began
        if broken:
            self.stderr.write(f"{len(broken)} problems in {done} matches.")
            sys.exit(1)
        self.stdout.write(f"{done} of {total} matches replayed in {took:.1f} s: all as their journals say.")
