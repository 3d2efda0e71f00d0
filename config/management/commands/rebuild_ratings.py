"""`manage.py rebuild_ratings [--check] [KEY ...]`: recompute rating lists, or only check them."""

from __future__ import annotations

import sys
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from rankings import verifiers
from rankings.ledger import ledger, rebuilding
from rankings.models import RatingList, Rebuild, Season
from rankings.seasons import seasons

# The step between two lines of progress, in per cent.
STEP: Final = 5


class Command(BaseCommand):
    help = "Recompute all rating lists and seasons, or those named; --check only compares, exit 1 if one differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these lists")
        parser.add_argument("--check", action="store_true", help="change nothing, only compare")

    def handle(self, *, keys: list[str], check: bool, **_: Any) -> None:
        lists = RatingList.objects.order_by("pk")
        counted = Season.objects.select_related("club").order_by("pk")
        found = list(lists.filter(key__in=keys) if keys else lists)
        found_seasons = list(counted.filter(key__in=keys) if keys else counted)
        if missing := sorted(set(keys) - {each.key for each in found} - {each.key for each in found_seasons}):
            raise CommandError(f"There is no rating list {', '.join(missing)}.")
        if check:
            self._check(found, found_seasons)
            return
        left = 0
        for each in found:
            try:
                self._rebuild(each)
            except ArithmeticError:
                left += 1
                self.stderr.write(f"{each.name} ({each.key}): the ratings leave the range of numbers.")
        for season in found_seasons:
            changed = seasons.update_season(season_id=season.pk)
            self.stdout.write(f"{season.name} ({season.key}): {changed} rows written or taken away.")
        if left:
            self.stderr.write(f"{left} of {len(found)} rating lists could not be recomputed.")
            sys.exit(1)

    def _rebuild(self, rating_list: RatingList) -> None:
        now = timezone.now()
        if rebuilding.request_full_rebuild(list_id=rating_list.pk, now=now):
            self.stdout.write(f"{rating_list.name}: a rebuild was stopped; this goes on with it.")
        last = 0

        def report_progress(left: Rebuild) -> None:
            nonlocal last
            percent = 100 * left.done // max(left.total, 1)
            if percent >= last + STEP:
                last = percent
                self.stdout.write(f"{rating_list.name}: {left.done:,} of {left.total:,} matches")
                self.stdout.flush()

        changed = rebuilding.finish_rebuild(list_id=rating_list.pk, now=now, on_progress=report_progress)
        self.stdout.write(f"{rating_list.name} ({rating_list.key}): {changed} entries written or voided.")

    def _check(self, lists: list[RatingList], counted: list[Season]) -> None:
        differing = 0
        for season in counted:
            wrong = list(seasons.find_problems(season))
            differing += bool(wrong)
            for sentence in wrong:
                self.stdout.write(sentence)
            if wrong and seasons.is_behind(season):
                self.stdout.write(f"season {season.key}: changes still wait in the outbox to be followed")
        for each in lists:
            problems_found = list(verifiers.find_problems(each))
            differing += bool(problems_found)
            for sentence in problems_found:
                self.stdout.write(sentence)
            if problems_found and ledger.is_behind(each):
                self.stdout.write(f"rating list {each.key}: {_describe_pending(each)}")
        if differing:
            of = f"{len(lists) + len(counted)} rating lists" + (" and seasons" if counted else "")
            self.stderr.write(f"{differing} of {of} differ from a recomputation.")
            sys.exit(1)
        self.stdout.write(f"{len(lists)} rating lists recomputed: all as their matches say.")
        if counted:
            self.stdout.write(f"{len(counted)} seasons counted again: all as their events say.")


def _describe_pending(rating_list: RatingList) -> str:
    rebuild = Rebuild.objects.filter(list=rating_list).first()
    if rebuild is None:
        return "changes still wait in the outbox to be followed"
    return f"a rebuild is not done yet, {rebuild.done:,} of {rebuild.total:,} matches; rebuild_ratings goes on with it"
