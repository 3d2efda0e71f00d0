"""`manage.py verify`: check the invariants of all rows."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from runtime import hooks
from runtime.install import installation, readiness, verifiers


class Command(BaseCommand):
    help = "Check every invariant the database cannot check itself; exit 1 if one is broken."

    def handle(self, **_: Any) -> None:
        readiness.require_database(self.stderr.write)
        if not installation.has_key():
            self.stdout.write(f"There is no {settings.KEPT_KEY}: without it, nobody can open this database.")
        found = 0
        for name, sentence in verifiers.find_problems():
            found += 1
            self.stdout.write(f"{name}: {sentence}")
        if found:
            self.stderr.write(f"{found} broken.")
            sys.exit(1)
        self.stdout.write(f"All well: {', '.join(name for name, _verify in hooks.VERIFIERS.items())}.")
