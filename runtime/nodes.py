"""Heartbeats of the processes, and the outages between them.

Every process writes a heartbeat and the time by which the next one comes: each second while a clock may run,
otherwise less often. A longer gap in the pulse of the web role is an outage. The first process that notices
it records it once, and clocks subtract it. An outage that still lasts is not recorded yet, so
`list_outages` adds the current gap.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from runtime.batched_exists import Question
from runtime.models import Node, Outage, Pulse

# Short enough for the lease column; random, so that a restarted process is a new node.
NAME = f"{socket.gethostname()[:6]}-{os.getpid()}-{uuid4().hex[:6]}"

BEAT = timedelta(seconds=1)
LONGEST_SILENCE = timedelta(seconds=3)
DEAD_AFTER = timedelta(seconds=8)
# While no clock runs. On SQLite each heartbeat writes some 20 KB, perhaps to an SD card.
SLOW_BEAT = timedelta(seconds=10)
SLOW_BEAT_ON_SQLITE = timedelta(seconds=30)
# Clocks of two machines differ by less; a pulse further in the future means that the clock was set back.
LARGEST_SKEW = timedelta(minutes=5)


def record_heartbeat(*, role: str, now: datetime, name: str = NAME, pace: timedelta = BEAT) -> Outage | None:
    """Write a heartbeat and announce the next after *pace*; return the outage that this ends, if any."""
    until = now + pace + DEAD_AFTER - BEAT
    with transaction.atomic():
        seen = Node.objects.filter(name=name).update(seen_at=now, until=until)
        if not seen:
            Node.objects.create(name=name, role=role, started_at=now, seen_at=now, until=until)
        # A new process that finds none alive knows of an outage, even before *until* has passed.
        is_first = not seen and not _list_others(role, name, now=now).exists()
        return _update_pulse(role=role, now=now, pace=pace, is_first=is_first)


def _list_others(role: str, name: str, *, now: datetime) -> QuerySet[Node]:
    return list_living(now=now).filter(role=role).exclude(name=name)


def _update_pulse(*, role: str, now: datetime, pace: timedelta, is_first: bool) -> Outage | None:
    until = now + pace + LONGEST_SILENCE - BEAT
    before = Pulse.objects.filter(role=role).first()
    if before is None:
        Pulse.objects.bulk_create([Pulse(role=role, seen_at=now, until=until)], ignore_conflicts=True)
        return None
    as_read = Pulse.objects.filter(role=role, seen_at=before.seen_at)
    if before.seen_at > now + LARGEST_SKEW:
        as_read.update(seen_at=now, until=until)
        return None
    # Of several processes that return at once, the one that wins this update records the outage.
    won = as_read.filter(seen_at__lt=now).update(seen_at=now, until=until)
    is_broken = now > before.until or (is_first and now - before.seen_at > LONGEST_SILENCE)
    if not won or not is_broken:
        return None
    return Outage.objects.create(role=role, from_at=before.seen_at, to_at=now)


class Heartbeat:
    """The heartbeats of this process, sent as rarely as possible."""

    def __init__(self, role: str, *, is_alone: bool = False) -> None:
        self._role = role
        # The holder of the instance lock knows that all other processes have ended.
        self._is_alone = is_alone
        self._next: datetime | None = None

    def tick(self, now: datetime, *, is_hurried: bool) -> None:
        """Send a heartbeat if it is due or if a clock may run; called each second."""
        pace = BEAT if is_hurried else _get_slow_interval()
        if self._is_alone and self._next is None:
            Node.objects.all().delete()
        if is_hurried or self._next is None or not self._next - pace < now < self._next:
            record_heartbeat(role=self._role, now=now, pace=pace)
            self._next = now + pace - BEAT  # before the announced time
            if settings.PULSE_FILE is not None:
                settings.PULSE_FILE.touch()


def _get_slow_interval() -> timedelta:
    return SLOW_BEAT_ON_SQLITE if connection.vendor == "sqlite" else SLOW_BEAT


# Registered questions: may a clock be running?
hurries: list[Question] = []


def query_running_clocks(at: Any) -> Iterator[QuerySet[Any]]:
    """Yield the querysets of clocks that need frequent heartbeats, by the registered questions."""
    for question in hurries:
        yield from question(at)


def list_living(*, now: Any) -> QuerySet[Node]:
    return Node.objects.filter(until__gt=now)


def has_worker(*, now: datetime) -> bool:
    """True if a process runs background work: a worker, or without Redis the web process."""
    role = "worker" if settings.REDIS_URL else "web"
    return list_living(now=now).filter(role=role).exists()


def is_alive(name: str, *, now: datetime) -> bool:
    """True if the node is alive (this one always is)."""
    return name == NAME or list_living(now=now).filter(name=name).exists()


def deregister(*, now: datetime, name: str = NAME) -> None:
    """Delete the node on a clean exit; the last of a role also shortens its announced pulse."""
    with transaction.atomic():
        for node in Node.objects.filter(name=name):
            node.delete()
            if not _list_others(node.role, name, now=now).exists():
                pulse = Pulse.objects.filter(role=node.role, seen_at__lte=now)
                pulse.update(seen_at=now, until=now + LONGEST_SILENCE)


def list_outages(start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    """Return the outages of the web role from *start* to *end*, which must not be in the future.

    Sorted, clipped to the period, merged where they overlap, and including a current gap.
    """
    if start >= end:
        return []
    # The pulse first: an outage recorded between the two queries then appears in both and is merged.
    silent = Pulse.objects.filter(role="web", until__lt=end).values_list("seen_at", flat=True)
    current = [(seen_at, end) for seen_at in silent]
    recorded = Outage.objects.filter(role="web", from_at__lt=end, to_at__gt=start)
    silences = [*current, *recorded.values_list("from_at", "to_at")]
    merged: list[tuple[datetime, datetime]] = []
    for from_at, to_at in sorted((max(start, from_at), min(end, to_at)) for from_at, to_at in silences):
        if merged and from_at <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], to_at))
        else:
            merged.append((from_at, to_at))
    return merged


def prune(*, now: datetime) -> int:
    return Node.objects.filter(seen_at__lt=now - timedelta(days=1)).delete()[0]
