"""`manage.py analyse KEY ...`: analyse matches older than the engine, or whose analysis failed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from matches import hooks as match_hooks
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analysing, availability
from opinion.models import Analysis


class Command(BaseCommand):
    help = (
        "Have finished matches and records analysed by the worker, those named or all that have no analysis."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these matches, from the beginning")
        parser.add_argument(
            "--all", action="store_true", help="every finished match and record that has none"
        )

    def handle(self, *, keys: list[str], all: bool, **_: Any) -> None:
        if not availability.is_available():
            raise CommandError(availability.explain_absence() or "OPINION is off")
        if not keys and not all:
            raise CommandError("Name matches, or say --all.")
        rows = Match.objects.filter(status=Status.FINISHED.value)
        rows = rows.filter(key__in=keys) if keys else rows.filter(analysis__isnull=True)
        found = list(rows.order_by("pk").values_list("pk", "key", "head_hash"))
        recorded = match_hooks.RECORDS.get().standing(None)
        if keys:
            recorded = recorded.filter(key__in=keys)
        else:
            recorded = recorded.exclude(key__in=Analysis.objects.values("record"))
        records = list(recorded.order_by("pk").values_list("key", flat=True))
        if missing := sorted(set(keys) - {key for _, key, _ in found} - set(records)):
            raise CommandError(f"There is no finished match {', '.join(missing)}.")
        for pk, _key, head_hash in found:
            if keys:
                analysing.drop_analysis(match_id=pk)
            analysing.request_analysis(match_id=pk, head_hash=head_hash, now=timezone.now())
        for key in records:
            if keys:
                Analysis.objects.filter(record=key).delete()
            analysing.request_record_analysis(key=key, now=timezone.now())
        self.stdout.write(f"{len(found) + len(records)} matches wait to be analysed.")
