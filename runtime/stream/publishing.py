"""Publishing: an event is numbered and kept with the change it tells of, and told when that is committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from runtime.models import TopicEvent
from runtime.stream import relay
from runtime.stream.events import Event

if TYPE_CHECKING:
    from datetime import datetime

COUNT = """INSERT INTO runtime_topic (name, head) VALUES (%s, 1)
    ON CONFLICT (name) DO UPDATE SET head = runtime_topic.head + 1"""
HEAD = "SELECT head FROM runtime_topic WHERE name = %s"


def publish(topic: str, name: str, data: dict[str, Any], *, now: datetime) -> int:
    """Number an event and keep it; readers hear of it when the transaction commits."""
    with transaction.atomic():
        # The row lock makes numbers and commits agree: nobody can publish 6 before 5 is seen.
        seq = _next(topic)
        TopicEvent.objects.create(topic=topic, seq=seq, name=name, data=data, created_at=now)
        event = Event(topic, seq, name, data)
        transaction.on_commit(lambda: relay.announce(event))
    return seq


def _next(topic: str) -> int:
    # With every change of anything, twice: compiling the queries took longer than carrying them out.
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [topic])
        cursor.execute(HEAD, [topic])
        (head,) = cursor.fetchone()
    return int(head)
