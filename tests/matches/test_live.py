"""What watchers get: the journal again where they missed a line, later where that was agreed, and no secret."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from engine.actions import TakenBack
from engine.side import Side
from matches import commands, journal, live, sources
from matches.models import JournalEntry
from matches.services.lifecycle import Draft, record
from runtime import stream
from runtime.models import Presence
from runtime.stream import events
from runtime.stream.events import MOST_AT_ONCE
from tests.matches.support import Table, club_terms

if TYPE_CHECKING:
    from datetime import datetime

    from pytest_django import DjangoAssertNumQueries

    from matches.facts import Fact
    from matches.models import Match

pytestmark = pytest.mark.django_db
MATCH, LATER = sources.Journals(), sources.DelayedJournals()


@pytest.fixture(autouse=True)
def films(monkeypatch: pytest.MonkeyPatch) -> sources.Films:
    fresh = sources.Films()
    monkeypatch.setattr(sources, "FILMS", fresh)
    return fresh


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object) -> list[stream.Event]:
    """Every event that was told, as it was told."""
    heard: list[stream.Event] = []
    announce = live.announce

    def hear(key: str, frames: list[dict[str, object]]) -> None:
        heard.extend(live.event(key, frame) for frame in frames)
        announce(key, frames)

    monkeypatch.setattr(live, "announce", hear)
    return heard


def at(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our watch show the table's time."""
    monkeypatch.setattr(sources.timezone, "now", lambda: table.now)


def director_writes(table: Table, fact: Fact) -> None:
    with transaction.atomic():
        draft = Draft.of(journal.lock(table.match.pk), now=table.now, with_past=True)
        draft.write(fact, by="director")
        record(draft)


def numbers(found: list[stream.Event]) -> list[int]:
    return [event.seq for event in found]


# The journal is the source


def test_what_was_missed_is_exactly_what_was_told(told: list[stream.Event], now: datetime) -> None:
    table = Table(now)
    table.play_out()
    head = table.row.head
    assert numbers(told) == list(range(1, head + 1))
    topic = live.topic(table.match.key)
    for seq in (head - 1, head - 7, max(0, head - MOST_AT_ONCE)):
        assert MATCH.since(topic, seq, MOST_AT_ONCE) == told[seq:]
    assert MATCH.since(topic, head - 7, 3) == told[head - 7 : head - 4]
    assert MATCH.since(topic, head, MOST_AT_ONCE) == []
    assert MATCH.since(topic, head + 5, MOST_AT_ONCE) == []


def test_a_snapshot_and_what_was_missed_since_is_the_next_snapshot(table: Table) -> None:
    table.begin()
    seen = live.snapshot(table.sitting)
    for _ in range(30):
        table.wait(seconds=1)
        table.act()
    for event in MATCH.since(live.topic(table.match.key), seen["head"], MOST_AT_ONCE):
        seen = live.fold(seen, event.data)
    assert seen == live.snapshot(table.sitting)


def test_more_than_anybody_is_sent_is_not_looked_for(
    table: Table, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table.begin()
    row = table.row
    row.head = MOST_AT_ONCE + 1  # only what is asked for counts
    type(row).objects.filter(pk=row.pk).update(head=row.head)
    with django_assert_num_queries(1):
        assert MATCH.since(live.topic(row.key), 0, MOST_AT_ONCE) == []


def test_heads_are_one_question(
    table: Table, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    other = Table(now, players=(table.white, table.black))
    table.begin()
    topics = [live.topic(key) for key in (table.match.key, other.match.key, "nobody0000")]
    with django_assert_num_queries(1):
        heads = events.heads(topics)
    assert heads == {topics[0]: table.row.head, topics[1]: 2, topics[2]: 0}
    assert MATCH.since(topics[2], 0, 10) == []


def test_many_who_come_back_at_once_cause_one_replay(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    replays = []
    steps = journal.steps
    monkeypatch.setattr(journal, "steps", lambda *a, **k: replays.append(1) or steps(*a, **k))
    topic, head = live.topic(table.match.key), table.row.head
    first = MATCH.since(topic, head - 5, MOST_AT_ONCE)
    for _ in range(10):
        assert MATCH.since(topic, head - 5, MOST_AT_ONCE) == first
    table.act()
    replays.clear()
    assert numbers(MATCH.since(topic, head, MOST_AT_ONCE)) == list(range(head + 1, table.row.head + 1))
    assert replays == [], "a film is taken further"


def test_a_film_that_another_journal_tells_is_not_believed(table: Table, films: sources.Films) -> None:
    """As after a backup was restored and the match went on another way."""
    table.begin()
    topic, head = live.topic(table.match.key), table.row.head
    right = MATCH.since(topic, head - 3, 10)
    film = films.get(live.FAMILY, table.row, upto=head)
    spoiled = replace(film, chained="0" * 64, frames=tuple({**f, "state": {}} for f in film.frames))
    films._kept[live.FAMILY, table.match.pk] = spoiled
    assert MATCH.since(topic, head - 3, 10) == right


def test_a_film_needs_the_past_only_where_something_is_taken_back(
    table: Table, told: list[stream.Event]
) -> None:
    table.begin()
    topic = live.topic(table.match.key)
    table.act()
    MATCH.since(topic, table.row.head - 1, 10)
    head = table.row.head
    director_writes(table, TakenBack(1, "a slip"))
    assert MATCH.since(topic, head, 10) == told[-1:]


def test_only_so_many_films_are_kept(table: Table, films: sources.Films) -> None:
    row = table.row
    for each in range(sources.MOST_FILMS + 5):
        films.get(f"f{each}", row, upto=2)
    assert len(films._kept) == sources.MOST_FILMS
