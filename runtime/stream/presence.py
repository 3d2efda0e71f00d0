"""Presence: which topics have readers, in all processes together.

Each web process writes a row for every topic of a registered family that it has readers of. A row counts only
while its process sends heartbeats. An `Attendance` row records that a listener was notified of a topic's
readers. Listeners are called under its lock: in order, once, and by the process that notices the change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from runtime import nodes
from runtime.models import Attendance, Presence

Listener = Callable[[str, bool, datetime], None]

log = structlog.get_logger(__name__)

# Two concurrent changes of a topic need two rounds; more are rare.
ROUNDS = 5

_counted: set[str] = set()
_listeners: dict[str, Listener] = {}


def register_presence(family: str, listener: Listener | None = None) -> None:
    """Count the readers of all topics named ``family.…``; notify *listener* of the first and the last.

    *listener* is called with the topic, whether it has readers, and the time: in a worker thread, inside the
    transaction that records the notification, so that its writes happen once. If it raises, the next sweep
    calls it again. It should be quick; use the outbox for slow work. The end of the readers is notified after
    two to three seconds, or, if their process died, when that is noticed.
    """
    _counted.add(family)
    if listener is not None:
        _listeners[family] = listener


def is_counted(topic: str) -> bool:
    return _get_family(topic) in _counted


def count_readers(topic: str, *, now: datetime) -> int:
    rows = _query_living(now).filter(topic=topic)
    return rows.aggregate(n=Sum("readers"))["n"] or 0


def list_present(topics: Iterable[str], *, now: datetime) -> set[str]:
    return set(_query_living(now).filter(topic__in=list(topics)).values_list("topic", flat=True))


def query_readers_since(family: str, at: Any) -> QuerySet[Presence]:
    """Select the rows of a family last updated at or before *at*, including those of dead processes."""
    return Presence.objects.filter(topic__startswith=f"{family}.", seen_at__lte=at)


def count_readers_by_topic(family: str, *, now: datetime) -> dict[str, int]:
    rows = _query_living(now).filter(topic__startswith=f"{family}.")
    return dict(rows.values_list("topic").annotate(n=Sum("readers")).order_by("topic"))


def count_totals(*, now: datetime) -> tuple[int, int]:
    found = _query_living(now).aggregate(topics=Count("topic", distinct=True), readers=Sum("readers"))
    return found["topics"], found["readers"] or 0


# Written by each web process


def write_counts(counts: Mapping[str, int], *, now: datetime, node: str = nodes.NAME) -> None:
    """Write this process's number of readers of each topic, and notify the listeners."""
    with transaction.atomic():
        _write_rows(counts, now=now, node=node)
    notify_changes(counts, now=now)


def renew_counts(counts: Mapping[str, int], *, now: datetime, node: str = nodes.NAME) -> None:
    """Renew this process's rows; *counts* is what they should contain."""
    ours = Presence.objects.filter(node=node)
    if ours.update(seen_at=now) == len(counts):
        return
    # A sweep took this process for dead, or a write was interrupted.
    with transaction.atomic():
        stale = set(ours.values_list("topic", flat=True))
        ours.delete()
        _write_rows(counts, now=now, node=node)
    notify_changes(stale | counts.keys(), now=now)


def _write_rows(counts: Mapping[str, int], *, now: datetime, node: str) -> None:
    if gone := [topic for topic, count in counts.items() if not count]:
        Presence.objects.filter(node=node, topic__in=gone).delete()
    Presence.objects.bulk_create(
        (
            Presence(topic=topic, node=node, readers=count, seen_at=now)
            for topic, count in sorted(counts.items())
            if count
        ),
        update_conflicts=True,
        unique_fields=["topic", "node"],
        update_fields=["readers", "seen_at"],
    )


# Notification of listeners


def notify_changes(topics: Iterable[str], *, now: datetime) -> None:
    waiting = [topic for topic in topics if _get_family(topic) in _listeners]
    # A process may not see another's uncommitted change; the other checks again after its commit, so one of
    # the two sees both.
    for _ in range(ROUNDS):
        waiting = [topic for topic in _list_unsent(waiting, now=now) if _notify_or_log(topic, now=now)]
        if not waiting:
            return


def _list_unsent(topics: list[str], *, now: datetime) -> list[str]:
    if not topics:
        return []
    attended = set(Attendance.objects.filter(topic__in=topics).values_list("topic", flat=True))
    here = list_present(topics, now=now)
    return sorted(topic for topic in topics if (topic in attended) != (topic in here))


def _notify_or_log(topic: str, *, now: datetime) -> bool:
    try:
        _notify_listeners(topic, now=now)
    except Exception:
        log.exception("presence.not_told", topic=topic)
        return False
    return True


def _notify_listeners(topic: str, *, now: datetime) -> None:
    with transaction.atomic():
        # One topic per transaction, so that the locks of listeners do not add up.
        row, is_new = Attendance.objects.select_for_update().get_or_create(
            topic=topic, defaults={"since": now}
        )
        is_here = bool(list_present([topic], now=now))
        if not is_here:
            row.delete()
        if is_here == is_new:
            _listeners[_get_family(topic)](topic, is_here, now)


def sweep(now: datetime) -> int:
    """Delete the rows of dead processes, and notify listeners of changes that they have not heard of."""
    lost = Presence.objects.exclude(_filter_living(now)).delete()[0]
    notify_changes(
        sorted(
            {*_query_left().values_list("topic", flat=True), *_query_new().values_list("topic", flat=True)}
        ),
        now=now,
    )
    return lost


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    yield Presence.objects.exclude(_filter_living(at))
    yield _query_left()
    yield _query_new().filter(seen_at__lte=at)


def _query_left() -> QuerySet[Attendance]:
    return Attendance.objects.filter(~Exists(Presence.objects.filter(topic=OuterRef("topic"))))


def _query_new() -> QuerySet[Presence]:
    is_told = Q(pk__in=[])
    for family in _listeners:
        is_told |= Q(topic__startswith=f"{family}.")
    return Presence.objects.filter(is_told, ~Exists(Attendance.objects.filter(topic=OuterRef("topic"))))


def _query_living(now: datetime) -> QuerySet[Presence]:
    return Presence.objects.filter(_filter_living(now))


def _filter_living(now: Any) -> Q:
    """Filter rows of live processes, and new rows, whose process may not have a heartbeat yet."""
    alive = nodes.list_living(now=now).values("name")
    return Q(seen_at__gt=now - nodes.DEAD_AFTER) | Q(node=nodes.NAME) | Q(node__in=alive)


def _get_family(topic: str) -> str:
    return topic.partition(".")[0]
