"""`manage.py import_records FOLDER --club SLUG`: import all match records of a folder."""

from __future__ import annotations

import json
import time
from itertools import chain
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from engine.cli import sources
from engine.cli.terminal import UsageError
from players.models import Club
from records.archive import importing

EVERY: Final = 2.0


class Command(BaseCommand):
    help = (
        "Judge every match record in a folder and its archives and keep it in a club. One line of JSON for each file "
        "goes to standard output. Begun again after an interruption, it goes on: what is there is not judged again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", help="a folder, or one file or archive")
        parser.add_argument("--club", required=True, metavar="SLUG", help="the club's address")
        parser.add_argument("--dry-run", action="store_true", help="judge, and keep nothing")
        parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many processes judge (2)")

    def handle(self, *, folder: str, club: str, dry_run: bool, jobs: int, **_: Any) -> None:
        """Write the result of each file to standard output, and the progress to standard error."""
        kept_by = Club.objects.filter(slug=club).first()
        if kept_by is None:
            raise CommandError(f"There is no club {club}.")
        try:
            files = sources.list_files([folder])
        except UsageError as error:
            raise CommandError(str(error)) from error
        began = reported_at = time.monotonic()
        done = 0
        lines = importing.import_records(
            club=kept_by,
            found=chain.from_iterable(map(sources.list_sources, files)),
            now=timezone.now(),
            jobs=max(1, jobs),
            is_dry=dry_run,
        )
        for done, line in enumerate(lines, 1):
            self.stdout.write(json.dumps(line))
            if time.monotonic() - reported_at > EVERY:
                reported_at = time.monotonic()
                self.stderr.write(f"{done} records ...")
        took = time.monotonic() - began
        self.stderr.write(f"{done} records in {took:.1f} s{', none of them kept' if dry_run else ''}.")
