"""`manage.py rebuild_ratings [--check] [KEY ...]`: compute rating lists anew, or compare them with what they should be."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rankings import verifiers
from rankings.models import RatingList
from rankings.services import ledger

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Rebuild, or check."""

    help = "Recompute every rating list, or those named, from its matches; --check only compares, exit 1 if one differs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the keys of lists."""
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these lists")
        parser.add_argument("--check", action="store_true", help="change nothing, only compare")

    def handle(self, *, keys: list[str], check: bool, **_: Any) -> None:
        """Go through the lists."""
        lists = RatingList.objects.order_by("pk")
        found = list(lists.filter(key__in=keys) if keys else lists)
        if missing := sorted(set(keys) - {each.key for each in found}):
            raise CommandError(f"There is no rating list {', '.join(missing)}.")
        if check:
            self._check(found)
            return
        for each in found:
            changed = ledger.rebuild(list_id=each.pk, now=timezone.now())
            self.stdout.write(f"{each.name} ({each.key}): {changed} entries written or voided.")

    def _check(self, lists: list[RatingList]) -> None:
        differing = 0
        for each in lists:
            told = list(verifiers.problems(each))
            differing += bool(told)
            for sentence in told:
                self.stdout.write(sentence)
            if told and ledger.behind(each):
                self.stdout.write(f"rating list {each.key}: changes still wait in the outbox to be followed")
        if differing:
            self.stderr.write(f"{differing} of {len(lists)} rating lists differ from a recomputation.")
            sys.exit(1)
        self.stdout.write(f"{len(lists)} rating lists recomputed: all as their matches say.")
