"""`manage.py release`: let a held copy send e-mails and make webhook calls again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from runtime.install import held_copies, readiness
from runtime.work import outbox


class Command(BaseCommand):
    help = "Let e-mails and webhook calls leave again: this copy takes the place of the club that it was taken from."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--forget",
            action="store_true",
            help="do not send what waited when the copy was made: the club has sent it since",
        )

    def handle(self, *, forget: bool, **_: Any) -> None:
        readiness.require_database(self.stderr.write)
        sent, forgotten = held_copies.release(
            outgoing=outbox.list_outgoing(), forgets=forget, now=timezone.now()
        )
        self.stdout.write(f"Released. {sent} e-mails and webhook calls go out, {forgotten} were forgotten.")
