"""manage.py demo: create a demo club with a season of past events, and print accounts to try."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from tournaments import demo


class Command(BaseCommand):
    help = "Make a believable club with forty people and a season of events, and print accounts to try."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=7, help="another number makes another season")
        parser.add_argument("--force", action="store_true", help="even beside somebody else's club")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            built = demo.build_demo(now=timezone.now(), seed=options["seed"], is_forced=options["force"])
        except demo.OtherClubExists:
            raise CommandError(
                "This database holds a club already, so nothing was changed. "
                "Add --force to put the demonstration beside it."
            ) from None
        self.stdout.write(f"{built.club.name} {'is ready' if built.is_new else 'is there already'}.")
        self.stdout.write(f"  its page    {built.club.get_absolute_url()}")
        if built.invitation:
            self.stdout.write(f"  come in     {reverse('players:join', args=[built.invitation])}")
        for account in built.accounts:
            self.stdout.write(f"  {account.role:<10}  {account.email:<34} {account.password}")
