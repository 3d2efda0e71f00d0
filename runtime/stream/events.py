"""Events of a topic: written with the change they tell of, numbered without gaps."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

from django.db.models import Min

from runtime.models import Topic, TopicEvent
from runtime.work import portions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

# A phone that was in a pocket this long starts afresh.
KEPT_FOR = timedelta(minutes=30)
MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered hint, with its text ready for the wire."""

    topic: str
    seq: int
    name: str
    data: dict[str, Any]
    wire: bytes = field(init=False, compare=False)

    def __post_init__(self) -> None:
        body = {"topic": self.topic, "seq": self.seq, "name": self.name, "data": self.data}
        # JSON without raw line breaks: one data line is enough.
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        object.__setattr__(self, "wire", b"data: " + text.encode() + b"\n\n")

    def as_json(self) -> str:
        """Return the event as it travels between our processes."""
        return json.dumps([self.topic, self.seq, self.name, self.data], separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> Event:
        """Rebuild an event that travelled."""
        topic, seq, name, data = json.loads(text)
        return cls(topic, seq, name, data)


class Source(Protocol):
    """Where the events of a family of topics are kept."""

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return the last number of each topic that has one."""

    def since(self, topic: str, seq: int, limit: int) -> list[Event]:
        """Return what came after *seq*, oldest first, as far as it is kept."""


class StoredEvents:
    """The source of every topic that has no better one: the recent events in the database."""

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return the last number of each topic that has one."""
        return dict(Topic.objects.filter(name__in=topics).values_list("name", "head"))

    def since(self, topic: str, seq: int, limit: int) -> list[Event]:
        """Return what came after *seq*, oldest first, as far as it is kept."""
        rows = TopicEvent.objects.filter(topic=topic, seq__gt=seq).order_by("seq")[:limit]
        return [Event(row.topic, row.seq, row.name, row.data) for row in rows]


_sources: dict[str, Source] = {}
_stored = StoredEvents()


def register_source(family: str, source: Source) -> None:
    """Let *source* answer for every topic called ``family.…`` (a journal is its own source)."""
    _sources[family] = source


def source_of(topic: str) -> Source:
    """Return where the events of *topic* are kept."""
    return _sources.get(topic.partition(".")[0], _stored)


def heads(topics: Sequence[str]) -> dict[str, int]:
    """Return the last number of each of *topics*; 0 where nothing happened yet."""
    found = dict.fromkeys(topics, 0)
    by_source: dict[Source, list[str]] = {}
    for topic in found:
        by_source.setdefault(source_of(topic), []).append(topic)
    for source, names in by_source.items():
        found.update(source.heads(names))
    return found


@dataclass(frozen=True, slots=True)
class Watch:
    """Topics and where they stood when a page began to read: nothing after that is missed."""

    positions: tuple[tuple[str, int], ...]


def watch(*topics: str) -> Watch:
    """Note where *topics* stand; call it before reading what the page will show."""
    return Watch(tuple(heads(topics).items()))


def prune(*, now: datetime) -> int:
    """Forget events nobody will ask for any more: of each topic all before the first that is recent.

    Whatever the clock said when they were written, what is kept of a topic leaves no gap and ends at its head.
    """
    recent = TopicEvent.objects.filter(created_at__gte=now - KEPT_FOR).order_by()
    first = dict(recent.values("topic").annotate(first=Min("seq")).values_list("topic", "first"))
    old = TopicEvent.objects.filter(created_at__lt=now - KEPT_FOR).order_by("seq")
    rows = old.values_list("pk", "topic", "seq")
    gone = [pk for pk, topic, seq in rows.iterator() if topic not in first or seq < first[topic]]
    return portions.delete_keys(TopicEvent, gone)
