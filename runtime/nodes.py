"""Which of our processes are alive, and when none was.

Every process writes a heartbeat, and with it by when the next one comes: each second while somebody's clock may
run, else seldom. A gap in the pulse of the web role that is longer than was promised is an outage: it is written down
once, whoever notices, and whoever counts time subtracts it. While it lasts there is nobody to write it down, so
whoever counts adds the running silence.
"""

from __future__ import annotations

import os
import socket
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.conf import settings
from django.db import connection, transaction

from runtime.models import Node, Outage, Pulse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from runtime.batched_exists import Question

# Short, so that a lease can carry it; random, so that a restart is another node.
NAME = f"{socket.gethostname()[:6]}-{os.getpid()}-{uuid4().hex[:6]}"

BEAT = timedelta(seconds=1)
LONGEST_SILENCE = timedelta(seconds=3)
DEAD_AFTER = timedelta(seconds=8)
# While no clock runs. On SQLite each beat writes some 20 KB to what may be an SD card.
SLOW_BEAT = timedelta(seconds=10)
SLOW_BEAT_ON_SQLITE = timedelta(seconds=30)
# Clocks of two machines differ by less; a pulse from further ahead is from a clock that was put back.
LARGEST_SKEW = timedelta(minutes=5)


def beat(*, role: str, now: datetime, name: str = NAME, pace: timedelta = BEAT) -> Outage | None:
    """Say that this process is alive and beats again after *pace*; return the outage that its silence reveals, if any."""
    until = now + pace + DEAD_AFTER - BEAT
    with transaction.atomic():
        seen = Node.objects.filter(name=name).update(seen_at=now, until=until)
        if not seen:
            Node.objects.create(name=name, role=role, started_at=now, seen_at=now, until=until)
        # Who begins and finds nobody alive knows that the last promise was broken, even if it still runs.
        is_first = not seen and not _others(role, name, now=now).exists()
        return _keep_pulse(role=role, now=now, pace=pace, is_first=is_first)


def _others(role: str, name: str, *, now: datetime) -> QuerySet[Node]:
    return living(now=now).filter(role=role).exclude(name=name)


def _keep_pulse(*, role: str, now: datetime, pace: timedelta, is_first: bool) -> Outage | None:
    until = now + pace + LONGEST_SILENCE - BEAT
    before = Pulse.objects.filter(role=role).first()
    if before is None:
        Pulse.objects.bulk_create([Pulse(role=role, seen_at=now, until=until)], ignore_conflicts=True)
        return None
    as_read = Pulse.objects.filter(role=role, seen_at=before.seen_at)
    if before.seen_at > now + LARGEST_SKEW:
        as_read.update(seen_at=now, until=until)
        return None
    # Of several nodes that come back at once, the one whose update hits writes the outage.
    won = as_read.filter(seen_at__lt=now).update(seen_at=now, until=until)
    is_broken = now > before.until or (is_first and now - before.seen_at > LONGEST_SILENCE)
    if not won or not is_broken:
        return None
    return Outage.objects.create(role=role, from_at=before.seen_at, to_at=now)


class Heart:
    """Beats for this process, as seldom as may be."""

    def __init__(self, role: str, *, is_alone: bool = False) -> None:
        self._role = role
        # Who holds the only place of an installation knows that all others have ended.
        self._is_alone = is_alone
        self._next: datetime | None = None

    def tick(self, now: datetime, *, is_hurried: bool) -> None:
        """Beat if it is time, or if somebody's clock may run; called each second."""
        pace = BEAT if is_hurried else _slow_beat()
        if self._is_alone and self._next is None:
            Node.objects.all().delete()
        if is_hurried or self._next is None or not self._next - pace < now < self._next:
            beat(role=self._role, now=now, pace=pace)
            self._next = now + pace - BEAT  # ahead of what was promised
            if settings.PULSE_FILE is not None:
                settings.PULSE_FILE.touch()


def _slow_beat() -> timedelta:
    return SLOW_BEAT_ON_SQLITE if connection.vendor == "sqlite" else SLOW_BEAT


# Whether somebody's clock may run: asked of whoever registered that here.
hurries: list[Question] = []


def is_hurried(at: Any) -> Iterator[QuerySet[Any]]:
    """Ask whether the pulse must be quick."""
    for question in hurries:
        yield from question(at)


def living(*, now: Any) -> QuerySet[Node]:
    """Return the nodes that have broken no promise."""
    return Node.objects.filter(until__gt=now)


def work_is_done(*, now: datetime) -> bool:
    """Say whether anybody carries out what waits: a worker, or the one process that is all of them."""
    role = "worker" if settings.REDIS_URL else "web"
    return living(now=now).filter(role=role).exists()


def is_alive(name: str, *, now: datetime) -> bool:
    """Say whether the node of that name is alive (this one is)."""
    return name == NAME or living(now=now).filter(name=name).exists()


def sign_off(*, now: datetime, name: str = NAME) -> None:
    """Leave: a node that ended by itself is not a dead one, and takes back what it promised."""
    with transaction.atomic():
        for node in Node.objects.filter(name=name):
            node.delete()
            if not _others(node.role, name, now=now).exists():
                pulse = Pulse.objects.filter(role=node.role, seen_at__lte=now)
                pulse.update(seen_at=now, until=now + LONGEST_SILENCE)


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
    silent = Pulse.objects.filter(role=role, until__lt=at)
    for seen_at in silent.values_list("seen_at", flat=True):
        yield seen_at, at


def _recorded(start: datetime, end: datetime, *, role: str) -> QuerySet[Outage, tuple[datetime, datetime]]:
    return Outage.objects.filter(role=role, from_at__lt=end, to_at__gt=start).values_list("from_at", "to_at")


def prune(*, now: datetime) -> int:
    """Forget nodes that have been silent for a day."""
    return Node.objects.filter(seen_at__lt=now - timedelta(days=1)).delete()[0]
