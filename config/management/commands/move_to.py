"""`manage.py move_to DATABASE_URL`: move the club from the embedded database to PostgreSQL."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand
from django.utils import timezone

from config import environment
from config.preparation import Refusal
from runtime.install import database_move

NEXT = """
Moved: {rows:,} rows, each read back and compared; `verify` finds nothing wrong on either side.

Give every process from now on:
  DATABASE_URL  the address you have just moved to
  REDIS_URL     your Redis
  SECRET_KEY    {key}
  PUBLIC_URL and EMAIL_URL, the same for all of them

Everything is in the database; there are no files to take along.
Start with `make web`, `make worker` and `make beat`, or with Compose: docs/operations.md says how.
The old database is a copy from now on, and writes to nobody: {old}
"""


class Command(BaseCommand):
    help = "Copy the club from the embedded SQLite to an empty PostgreSQL, and compare every row."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("database_url", help="postgres://user:password@host:5432/name, empty")

    def handle(self, *, database_url: str, **_: Any) -> None:
        try:
            rows = database_move.move(
                settings_of_target=self._build_settings(database_url),
                now=timezone.now(),
                say=self._write_line,
            )
        except (Refusal, database_move.CannotMove) as refusal:
            self.stderr.write(f"barpoint: {refusal} Nothing was moved.")
            sys.exit(2)
        self.stdout.write(
            NEXT.format(
                rows=rows,
                key=f"what is in {settings.KEPT_KEY}"
                if settings.KEPT_KEY
                else "the one you set for this club",
                old=settings.DATABASES["default"]["NAME"],
            )
        )

    def _build_settings(self, url: str) -> dict[str, Any]:
        try:
            found = environment.build_database_settings(
                url, sqlite_path=settings.DATA_DIR / "nothing", connections=1
            )
        except ImproperlyConfigured as error:
            raise Refusal(str(error)) from None
        if not url.startswith(("postgres://", "postgresql://")):
            raise Refusal("A club moves to PostgreSQL: postgres://user:password@host:5432/name.")
        found["OPTIONS"].pop("pool")
        return found

    def _write_line(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
