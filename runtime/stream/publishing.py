"""Publishing: an event is numbered and kept with the change it tells of, and told when that is committed."""

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

# With every change of anything, twice: to have Django build these statements took longer than carrying them out.
COUNT: Final = """INSERT INTO runtime_topic (name, head) VALUES {rows}
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head + 1 RETURNING name, head"""
HOLD: Final = """INSERT INTO runtime_topic (name, head) VALUES (%s, 0)
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head"""
KEEP: Final = "INSERT INTO runtime_topicevent (topic, seq, name, data, created_at) VALUES {rows}"


def hold(topics: Iterable[str]) -> None:
    """Hold the numbers of several topics until the transaction ends, in the one order of their names.

    Two who tell each other's readers, each its own topic first, would wait for each other until one is killed.
    """
    with connection.cursor() as cursor:
        for topic in sorted(set(topics)):
            cursor.execute(HOLD, [topic])


def publish(topic: str, name: str, data: dict[str, Any], *, now: datetime) -> int:
    """Number an event and keep it; readers hear of it when the transaction commits."""
    return publish_to([topic], name, data, now=now)[topic]


def publish_to(topics: Sequence[str], name: str, data: dict[str, Any], *, now: datetime) -> dict[str, int]:
    """Number an event in each of *topics*, which are different and locked in their order; return the numbers."""
    # No savepoint: a change of which nobody hears is not made.
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        # The row lock makes numbers and commits agree: nobody can publish 6 before 5 is seen.
        cursor.execute(COUNT.format(rows=", ".join(["(%s, 1)"] * len(topics))), topics)
        numbers: dict[str, int] = dict(cursor.fetchall())
        at, body = connection.ops.adapt_datetimefield_value(now), json.dumps(data)
        rows = [(topic, seq, name, body, at) for topic, seq in numbers.items()]
        cursor.execute(
            KEEP.format(rows=", ".join(["(%s, %s, %s, %s, %s)"] * len(rows))), [*chain.from_iterable(rows)]
        )
        for topic, seq in numbers.items():
            transaction.on_commit(partial(relay.announce, Event(topic, seq, name, data)))
    return numbers
