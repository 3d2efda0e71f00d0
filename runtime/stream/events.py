"""Events of a topic: written in the transaction of the change, numbered without gaps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Min

from runtime.models import Topic, TopicEvent
from runtime.rows import delete_keys

# A reader that was away for longer has to reload.
KEPT_FOR = timedelta(minutes=30)
MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Event:
    """A numbered event, with its serialized form."""

    topic: str
    seq: int
    name: str
    data: dict[str, Any]
    wire: bytes = field(init=False, compare=False)

    def __post_init__(self) -> None:
        body = {"topic": self.topic, "seq": self.seq, "name": self.name, "data": self.data}
        # JSON contains no raw line breaks, so one data line is enough.
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        object.__setattr__(self, "wire", b"data: " + text.encode() + b"\n\n")

    def as_json(self) -> str:
        return json.dumps([self.topic, self.seq, self.name, self.data], separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> Event:
        topic, seq, name, data = json.loads(text)
        return cls(topic, seq, name, data)


class Source:
    """Storage of the events of a family of topics: here recent events in the database."""

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return the last number of each topic that has one."""
        return dict(Topic.objects.filter(name__in=topics).values_list("name", "head"))

    def since(self, topic: str, seq: int, limit: int) -> list[Event]:
        """Return the stored events after *seq*, oldest first."""
        rows = TopicEvent.objects.filter(topic=topic, seq__gt=seq).order_by("seq")[:limit]
        return [Event(row.topic, row.seq, row.name, row.data) for row in rows]


_sources: dict[str, Source] = {}
_stored = Source()


def register_source(family: str, source: Source) -> None:
    """Use *source* for all topics named ``family.…`` (such as a match's journal)."""
    _sources[family] = source


def find_source(topic: str) -> Source:
    return _sources.get(topic.partition(".")[0], _stored)


def load_heads(topics: Sequence[str]) -> dict[str, int]:
    """Return the number of the last event of each topic, 0 if it has none."""
    found = dict.fromkeys(topics, 0)
    by_source: dict[Source, list[str]] = {}
    for topic in found:
        by_source.setdefault(find_source(topic), []).append(topic)
    for source, names in by_source.items():
        found.update(source.heads(names))
    return found


@dataclass(frozen=True, slots=True)
class TopicPositions:
    """Topics and their positions before a page read its data, so that no later event is missed."""

    positions: tuple[tuple[str, int], ...]


def record_positions(*topics: str) -> TopicPositions:
    """Record the positions of *topics*. Call it before reading the data of the page."""
    return TopicPositions(tuple(load_heads(topics).items()))


def prune(*, now: datetime) -> int:
    """Delete old events: of each topic all before the first recent one.

    The remaining events of a topic have no gap and end at its head, even if the clock was changed.
    """
    recent = TopicEvent.objects.filter(created_at__gte=now - KEPT_FOR).order_by()
    first = dict(recent.values("topic").annotate(first=Min("seq")).values_list("topic", "first"))
    old = TopicEvent.objects.filter(created_at__lt=now - KEPT_FOR).order_by("seq")
    rows = old.values_list("pk", "topic", "seq")
    gone = [pk for pk, topic, seq in rows.iterator() if topic not in first or seq < first[topic]]
    return delete_keys(TopicEvent, gone)
