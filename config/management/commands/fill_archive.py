"""`manage.py fill_archive`: bring the archive up to date at once, instead of waiting for the worker."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from records.archive import archiving


class Command(BaseCommand):
    help = (
        "File every finished match that is not in the archive yet and read its facts, portion by portion. "
        "Stopped and begun again, it goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true", help="forget the archive first, and make it anew")

    def handle(self, *, again: bool, **_: Any) -> None:
        """Fill the archive and report the progress on standard error."""
        if again:
            archiving.delete_archive()
        total = 0
        for done in archiving.fill_archive():
            total += done
            self.stderr.write(f"{total} ...")
        self.stderr.write(f"The archive is up to date: {total} steps.")
