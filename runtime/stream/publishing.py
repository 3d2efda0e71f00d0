"""Publishing: an event is numbered and stored in the change's transaction, and broadcast after the commit."""

from __future__ import annotations

import json
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction

from runtime.stream import relay
from runtime.stream.events import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

# Run with every change: building these statements with Django took longer than executing them.
COUNT: Final = """INSERT INTO runtime_topic (name, head) VALUES {rows}
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head + 1 RETURNING name, head"""
HOLD: Final = """INSERT INTO runtime_topic (name, head) VALUES (%s, 0)
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head"""
KEEP: Final = "INSERT INTO runtime_topicevent (topic, seq, name, data, created_at) VALUES {rows}"


def lock_topics(topics: Iterable[str]) -> None:
    """Lock several topics until the transaction ends, sorted by name.

    Two transactions that publish to the same topics in different orders would deadlock.
    """
    with connection.cursor() as cursor:
        for topic in sorted(set(topics)):
            cursor.execute(HOLD, [topic])


def publish(topic: str, name: str, data: dict[str, Any], *, now: datetime) -> int:
    """Store an event and return its number; it is broadcast when the transaction commits."""
    return publish_to([topic], name, data, now=now)[topic]


def publish_to(topics: Sequence[str], name: str, data: dict[str, Any], *, now: datetime) -> dict[str, int]:
    """Publish an event to *topics*, which must be distinct and are locked in order; return the numbers."""
    # No savepoint: if publishing fails, so does the change.
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        # The row lock keeps numbers in commit order: 6 cannot be visible before 5.
        cursor.execute(COUNT.format(rows=", ".join(["(%s, 1)"] * len(topics))), topics)
        numbers: dict[str, int] = dict(cursor.fetchall())
        at, body = connection.ops.adapt_datetimefield_value(now), json.dumps(data)
        rows = [(topic, seq, name, body, at) for topic, seq in numbers.items()]
        cursor.execute(
            KEEP.format(rows=", ".join(["(%s, %s, %s, %s, %s)"] * len(rows))), [*chain.from_iterable(rows)]
        )
        for topic, seq in numbers.items():
            transaction.on_commit(partial(relay.broadcast, Event(topic, seq, name, data)))
    return numbers
