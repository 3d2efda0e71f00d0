"""`manage.py backup PATH`: write a copy of the embedded database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from runtime.install import held_copies


class Command(BaseCommand):
    help = "Copy the embedded database, consistent while the club is open."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)

    def handle(self, *, path: Path, **_: Any) -> None:
        try:
            held_copies.copy_sqlite(path, now=timezone.now())
        except ValueError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"Nothing was copied to {path}: {error.strerror}.") from None
        except DatabaseError as error:
            raise CommandError(f"Nothing was copied to {path}: {error}.") from None
        self.stdout.write(f"Wrote {path} ({path.stat().st_size:,} bytes).")
