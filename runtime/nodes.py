"""Which of our processes are alive, and when none was.

Every process writes a heartbeat each second. A gap in the pulse of the web role is an outage: it
is written down once, whoever notices, and whoever counts time subtracts it.
"""

from __future__ import annotations

import os
import socket
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import transaction
from django.db.models import Q

from runtime.models import Node, Outage, Pulse

if TYPE_CHECKING:
    from datetime import datetime

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


def is_alive(name: str, *, now: datetime) -> bool:
    """Say whether the node of that name was heard lately (or is this one)."""
    return name == NAME or Node.objects.filter(name=name, seen_at__gt=now - DEAD_AFTER).exists()


def sign_off(name: str = NAME) -> None:
    """Leave: a node that ended by itself is not a dead one."""
    Node.objects.filter(name=name).delete()


def outage_overlap(*, start: datetime, end: datetime, role: str = "web") -> timedelta:
    """Return how much of the stretch from *start* to *end* nobody could reach us."""
    lost = timedelta()
    for from_at, to_at in Outage.objects.filter(Q(role=role), from_at__lt=end, to_at__gt=start).values_list(
        "from_at", "to_at"
    ):
        lost += min(end, to_at) - max(start, from_at)
    return lost


def prune(*, now: datetime) -> int:
    """Forget nodes that have been silent for a day."""
    return Node.objects.filter(seen_at__lt=now - timedelta(days=1)).delete()[0]
