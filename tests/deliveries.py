"""Carries out what waits in the outbox, as workers do."""

from __future__ import annotations

from datetime import datetime

from rankings.ledger import rebuilding
from runtime.models import Outbox
from runtime.work import outbox


def deliver(now: datetime) -> int:
    """Carry out everything the outbox holds, what that brings, and every rebuild of ratings."""
    done = 0
    while found := list(outbox.list_due(now=now).values_list("pk", flat=True)):
        done += sum(outbox.deliver(outbox_id=pk, now=now) for pk in found)
    while rebuilding.sweep(now):
        pass
    assert not list(Outbox.objects.exclude(last_error="").values_list("kind", "last_error"))
    return done
