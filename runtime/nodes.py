"""Which of our processes are alive, and when none was.

Every process writes a heartbeat each second. A gap in the pulse of the web role is an outage: it
is written down once, whoever notices, and whoever counts time subtracts it. While it lasts there is
nobody to write it down, so whoever counts adds the running silence.
"""

from __future__ import annotations

import os
import socket
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import transaction

from runtime.models import Node, Outage, Pulse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

# Short, so that a lease can carry it; random, so that a restart is another node.
NAME = f"{socket.gethostname()[:6]}-{os.getpid()}-{uuid4().hex[:6]}"

BEAT = timedelta(seconds=1)
LONGEST_SILENCE = timedelta(seconds=3)
DEAD_AFTER = timedelta(seconds=8)
# Clocks of two machines differ by less; a pulse from further ahead is from a clock that was put back.
LARGEST_SKEW = timedelta(minutes=5)


def beat(*, role: str, now: datetime, name: str = NAME) -> Outage | None:
    """Say that this process is alive; return the outage that its silence reveals, if any."""
    with transaction.atomic():
        seen = Node.objects.filter(name=name).update(seen_at=now)
        if not seen:
            Node.objects.create(name=name, role=role, started_at=now, seen_at=now)
        return _keep_pulse(role=role, now=now)


def _keep_pulse(*, role: str, now: datetime) -> Outage | None:
    before = Pulse.objects.filter(role=role).values_list("seen_at", flat=True).first()
    if before is None:
        Pulse.objects.bulk_create([Pulse(role=role, seen_at=now)], ignore_conflicts=True)
        return None
    if before > now + LARGEST_SKEW:
        Pulse.objects.filter(role=role, seen_at=before).update(seen_at=now)
        return None
    # Of several nodes that come back at once, the one whose update hits writes the outage.
    won = Pulse.objects.filter(role=role, seen_at=before, seen_at__lt=now).update(seen_at=now)
    if not won or now - before <= LONGEST_SILENCE:
        return None
    return Outage.objects.create(role=role, from_at=before, to_at=now)


def living(*, now: datetime) -> QuerySet[Node]:
    """Return the nodes that were heard lately."""
    return Node.objects.filter(seen_at__gt=now - DEAD_AFTER)


def is_alive(name: str, *, now: datetime) -> bool:
    """Say whether the node of that name was heard lately (or is this one)."""
    return name == NAME or living(now=now).filter(name=name).exists()


def sign_off(name: str = NAME) -> None:
    """Leave: a node that ended by itself is not a dead one."""
    Node.objects.filter(name=name).delete()


def outage_overlap(*, start: datetime, end: datetime, role: str = "web") -> timedelta:
    """Return how much of the stretch from *start* to *end* nobody could reach us; *end* is not yet to come."""
    return sum(
        (to_at - from_at for from_at, to_at in outages_between(start, end, role=role)), start=timedelta()
    )


def outages_between(start: datetime, end: datetime, *, role: str = "web") -> list[tuple[datetime, datetime]]:
    """Return when, from *start* to *end*, nobody could reach us; *end* is not yet to come.

    In order, none touching another, a silence that still runs included.
    """
    if start >= end:
        return []
    # The pulse first: a heartbeat between the two questions then shows as both, and is counted once.
    silences = [*_running_silence(role=role, at=end), *_recorded(start, end, role=role)]
    merged: list[tuple[datetime, datetime]] = []
    for from_at, to_at in sorted((max(start, from_at), min(end, to_at)) for from_at, to_at in silences):
        if merged and from_at <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], to_at))
        else:
            merged.append((from_at, to_at))
    return merged


def _running_silence(*, role: str, at: datetime) -> Iterator[tuple[datetime, datetime]]:
    silent = Pulse.objects.filter(role=role, seen_at__lt=at - LONGEST_SILENCE)
    for seen_at in silent.values_list("seen_at", flat=True):
        yield seen_at, at


def _recorded(start: datetime, end: datetime, *, role: str) -> QuerySet[Outage, tuple[datetime, datetime]]:
    return Outage.objects.filter(role=role, from_at__lt=end, to_at__gt=start).values_list("from_at", "to_at")


def prune(*, now: datetime) -> int:
    """Forget nodes that have been silent for a day."""
    return Node.objects.filter(seen_at__lt=now - timedelta(days=1)).delete()[0]
