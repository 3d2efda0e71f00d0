"""`manage.py hold`: mark this database as a copy, which sends no e-mails and makes no webhook calls."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from runtime.install import held_copies, readiness


class Command(BaseCommand):
    help = "Let no e-mail and no webhook call leave this database: it is a copy of a club, made by other means than ours."
    requires_system_checks: list[str] = []

    def handle(self, **_: Any) -> None:
        readiness.require_database(self.stderr.write)
        held_copies.hold(now=timezone.now())
        self.stdout.write("Held. E-mails and webhook calls wait; `make unhold` lets them go.")
