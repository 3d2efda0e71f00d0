"""`manage.py accept_key`: record the current `SECRET_KEY` as the key of this database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from runtime.install import installation, readiness


class Command(BaseCommand):
    help = "Use this database with the present SECRET_KEY, where the old key is lost or has leaked."
    requires_system_checks: list[str] = []

    def handle(self, **_: Any) -> None:
        readiness.require_database(self.stderr.write)
        installation.accept_key()
        self.stdout.write(
            "Accepted. Everybody signs in again, open invitations and links in e-mails have ended, and matches under"
            " way whose dice were made with the old key need a director."
        )
