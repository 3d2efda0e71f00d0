"""Checks of the invariants of all rows: after a restore, after a crash, in tests."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.db.models import Count, F, Max, Min, OuterRef, Subquery

from runtime import hooks
from runtime.models import Outbox, Topic, TopicEvent


def find_problems() -> Iterator[tuple[str, str]]:
    """Yield (verifier, sentence) for each violation."""
    for name, verify in hooks.VERIFIERS.items():
        for sentence in verify():
            yield name, sentence


def verify_database() -> Iterator[str]:
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for (answer,) in cursor.execute("PRAGMA integrity_check").fetchall():
            if answer != "ok":
                yield str(answer)
        for table, row, parent, _ in cursor.execute("PRAGMA foreign_key_check").fetchall():
            yield f"{table} row {row} points to a row of {parent} that is not there"


def verify_topics() -> Iterator[str]:
    """Check that the stored events of each topic have no gap and end at its head."""
    head = Topic.objects.filter(name=OuterRef("topic")).values("head")
    # One statement, so that concurrent writes do not appear as violations.
    kept = TopicEvent.objects.values("topic").annotate(
        n=Count("pk"), first=Min("seq"), last=Max("seq"), head=Subquery(head)
    )
    for row in kept.order_by("topic"):
        if row["last"] != row["head"]:
            yield f"topic {row['topic']} ends at {row['last']}, its head says {row['head']}"
        if row["last"] - row["first"] + 1 != row["n"]:
            yield f"topic {row['topic']} has a gap between {row['first']} and {row['last']}"


def verify_outbox() -> Iterator[str]:
    early = Outbox.objects.filter(done_at__lt=F("created_at")).values_list("pk", flat=True)
    for pk in early:
        yield f"outbox row {pk} was done before it was written"


hooks.VERIFIERS.add("database", verify_database)
hooks.VERIFIERS.add("outbox", verify_outbox)
hooks.VERIFIERS.add("topics", verify_topics)
