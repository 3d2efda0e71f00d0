"""Who is there: which topics somebody reads, in all our processes together.

Each web process keeps a row for every topic of a registered family that it has readers of. A process
may die without a word, so a row counts while its process is heard. Whether a family has been told
that a topic is read is a row of its own, under whose lock it is told: in order, once, and by
whichever process found out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, Sum

from runtime import nodes
from runtime.models import Attendance, Presence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    Listener = Callable[[str, bool, datetime], None]

log = structlog.get_logger(__name__)

# Two processes that change the same topic at the same moment look again; a third time is chance.
ROUNDS = 5

_counted: set[str] = set()
_listeners: dict[str, Listener] = {}


def register_presence(family: str, listener: Listener | None = None) -> None:
    """Have the readers of every topic called ``family.…`` counted, and *listener* told of first and last.

    It is called with the topic, whether somebody reads it now, and the time: in a worker thread, inside
    the transaction that notes it was told, so that what it writes happens once. If it raises, it is
    told again by the next sweep. It should be quick; what takes long belongs in the outbox. That nobody
    reads a topic any more is told two to three seconds late, or as long as a process takes to be found dead.
    """
    _counted.add(family)
    if listener is not None:
        _listeners[family] = listener


def is_counted(topic: str) -> bool:
    """Say whether the family of *topic* wants its readers counted."""
    return _family(topic) in _counted


def readers(topic: str, *, now: datetime) -> int:
    """Return how many read *topic*, in all our processes together."""
    rows = _living(now).filter(topic=topic)
    return rows.aggregate(n=Sum("readers"))["n"] or 0


def present(topics: Iterable[str], *, now: datetime) -> set[str]:
    """Return those of *topics* that somebody reads."""
    return set(_living(now).filter(topic__in=list(topics)).values_list("topic", flat=True))


def read_since(family: str, at: Any) -> QuerySet[Presence]:
    """Return the rows of a family that have been there since then, of the dead as well."""
    return Presence.objects.filter(topic__startswith=f"{family}.", seen_at__lte=at)


def audiences(family: str, *, now: datetime) -> dict[str, int]:
    """Return every topic of a family that somebody reads, with how many do."""
    rows = _living(now).filter(topic__startswith=f"{family}.")
    return dict(rows.values_list("topic").annotate(n=Sum("readers")).order_by("topic"))


def totals(*, now: datetime) -> tuple[int, int]:
    """Return how many topics of the counted families are read, and by how many."""
    found = _living(now).aggregate(topics=Count("topic", distinct=True), readers=Sum("readers"))
    return found["topics"], found["readers"] or 0


# What a web process says of itself


def note(counts: Mapping[str, int], *, now: datetime, node: str = nodes.NAME) -> None:
    """Write how many readers this process has on each of these topics, and tell who must know."""
    with transaction.atomic():
        _write(counts, now=now, node=node)
    settle(counts, now=now)


def stamp(counts: Mapping[str, int], *, now: datetime, node: str = nodes.NAME) -> None:
    """Say that this process still has the readers it had; *counts* is what was written before."""
    ours = Presence.objects.filter(node=node)
    if ours.update(seen_at=now) == len(counts):
        return
    # We were silent for so long that a sweep took us for dead, or died half way through a change.
    with transaction.atomic():
        stale = set(ours.values_list("topic", flat=True))
        ours.delete()
        _write(counts, now=now, node=node)
    settle(stale | counts.keys(), now=now)


def _write(counts: Mapping[str, int], *, now: datetime, node: str) -> None:
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


# Telling


def settle(topics: Iterable[str], *, now: datetime) -> None:
    """Tell the listeners of *topics* what they have not been told yet."""
    waiting = [topic for topic in topics if _family(topic) in _listeners]
    # Who sees nothing to tell may have looked at another's change before it was done; that other looks
    # again afterwards, so one of the two sees both.
    for _ in range(ROUNDS):
        waiting = [topic for topic in _untold(waiting, now=now) if _tell_or_log(topic, now=now)]
        if not waiting:
            return


def _untold(topics: list[str], *, now: datetime) -> list[str]:
    if not topics:
        return []
    told = set(Attendance.objects.filter(topic__in=topics).values_list("topic", flat=True))
    here = present(topics, now=now)
    return sorted(topic for topic in topics if (topic in told) != (topic in here))


def _tell_or_log(topic: str, *, now: datetime) -> bool:
    try:
        _tell(topic, now=now)
    except Exception:
        log.exception("presence.not_told", topic=topic)
        return False
    return True


def _tell(topic: str, *, now: datetime) -> None:
    with transaction.atomic():
        # One topic a transaction: what the listener locks, it locks for itself alone.
        row, is_new = Attendance.objects.select_for_update().get_or_create(
            topic=topic, defaults={"since": now}
        )
        is_here = bool(present([topic], now=now))
        if not is_here:
            row.delete()
        if is_here == is_new:
            _listeners[_family(topic)](topic, is_here, now)


def sweep(now: datetime) -> int:
    """Forget the readers of processes that died, and tell what nobody has told."""
    lost = Presence.objects.exclude(_is_living(now)).delete()[0]
    settle(
        sorted({*_left().values_list("topic", flat=True), *_came().values_list("topic", flat=True)}), now=now
    )
    return lost


def waiting(at: Any) -> Iterator[QuerySet[Any]]:
    """Ask whether anything has been left to the sweep since then."""
    yield Presence.objects.exclude(_is_living(at))
    yield _left()
    yield _came().filter(seen_at__lte=at)


def _left() -> QuerySet[Attendance]:
    return Attendance.objects.filter(~Exists(Presence.objects.filter(topic=OuterRef("topic"))))


def _came() -> QuerySet[Presence]:
    is_told = Q(pk__in=[])
    for family in _listeners:
        is_told |= Q(topic__startswith=f"{family}.")
    return Presence.objects.filter(is_told, ~Exists(Attendance.objects.filter(topic=OuterRef("topic"))))


def _living(now: datetime) -> QuerySet[Presence]:
    return Presence.objects.filter(_is_living(now))


def _is_living(now: Any) -> Q:
    """Choose the rows of processes that are heard, or that wrote them just now: a new one's heart beats late."""
    alive = nodes.living(now=now).values("name")
    return Q(seen_at__gt=now - nodes.DEAD_AFTER) | Q(node=nodes.NAME) | Q(node__in=alive)


def _family(topic: str) -> str:
    return topic.partition(".")[0]
