"""Consistency checks on all matches: rows agree with journals, and triggers protect the journals."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from django.db import connection
from django.db.models import QuerySet

from matches.journal import journal
from matches.models import Match

# Number of ids fetched at once; matches are loaded one at a time.
BATCH: Final = 100
TABLE: Final = "matches_journalentry"
GUARDS: Final = {
    "sqlite": ("journal_no_delete", "journal_no_replace", "journal_no_update"),
    "postgresql": ("journal_no_delete", "journal_no_truncate", "journal_no_update"),
}
STANDING: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled <> 'D'",
}


def verify_journals() -> Iterator[str]:
    """Check the triggers, then replay every match and compare."""
    yield from verify_triggers()
    for _, problem in replay_matches(list_matches()):
        if problem:
            yield problem


def verify_triggers() -> Iterator[str]:
    """Check the triggers that make journals immutable."""
    with connection.cursor() as cursor:
        cursor.execute(STANDING[connection.vendor], [TABLE])
        standing = {name for (name,) in cursor.fetchall()}
    for name in GUARDS[connection.vendor]:
        if name not in standing:
            yield f"the trigger {name} is missing: journals can be edited"


def list_matches(keys: Collection[str] = ()) -> QuerySet[Match]:
    """Return the matches of *keys*, or all."""
    found = Match.objects.order_by("pk")
    return found.filter(key__in=keys) if keys else found


def replay_matches(found: QuerySet[Match]) -> Iterator[tuple[int, str]]:
    """Replay matches one by one; yield the number done with each problem.

    After each match it yields a pair with an empty problem.
    """
    last = done = 0
    while batch := list(found.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        for pk in batch:
            for problem in _list_problems(pk):
                yield done, problem
            done += 1
            yield done, ""
        last = batch[-1]


def _list_problems(pk: int) -> list[str]:
    """Return the problems of a match; check again if it changed during the check."""
    row = Match.objects.get(pk=pk)
    problems = list(journal.find_problems(row))
    while problems:
        now = Match.objects.get(pk=pk)
        if now.head == row.head:
            break
        row, problems = now, list(journal.find_problems(now))
    return problems
