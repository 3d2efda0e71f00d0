"""The frames and snapshots that watchers get: complete after a gap, and without secrets."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from engine.actions import TakenBack
from engine.fair import Party
from engine.side import Side
from matches.journal import journal, live
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play import match_access, sources
from matches.state.facts import Asked, Fact, Line
from players.clubs import clubs
from players.models import User
from runtime import stream
from runtime.stream import events, tokens
from runtime.stream.events import MOST_AT_ONCE
from tests.matches.http import Caller
from tests.matches.support import Table, apply_frame, club_terms, person

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side
MATCH = sources.JournalSource()


@pytest.fixture(autouse=True)
def films(monkeypatch: pytest.MonkeyPatch) -> sources.RecentFramesCache:
    fresh = sources.RecentFramesCache()
    monkeypatch.setattr(sources, "FILMS", fresh)
    return fresh


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[stream.Event]:
    """Every announced event, in the order of announcement."""
    heard: list[stream.Event] = []
    announce = live.announce

    def hear(key: str, frames: list[dict[str, object]]) -> None:
        heard.extend(live.build_event(key, frame) for frame in frames)
        announce(key, frames)

    monkeypatch.setattr(live, "announce", hear)
    return heard


def director_writes(table: Table, fact: Fact) -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now, with_past=True)
        draft.write(fact, by="director")
        record(draft)


def numbers(found: list[stream.Event]) -> list[int]:
    return [event.seq for event in found]


# The journal is the source


@pytest.mark.long
def test_what_was_missed_is_exactly_what_was_told(announced: list[stream.Event], now: datetime) -> None:
    table = Table(now)
    table.play_out()
    head = table.row.head
    assert numbers(announced) == list(range(1, head + 1))
    topic = live.get_topic(table.match.key)
    for seq in (head - 1, head - 7, max(0, head - MOST_AT_ONCE)):
        assert MATCH.since(topic, seq, MOST_AT_ONCE) == announced[seq:]
    assert MATCH.since(topic, head - 7, 3) == announced[head - 7 : head - 4]
    assert MATCH.since(topic, head, MOST_AT_ONCE) == []
    assert MATCH.since(topic, head + 5, MOST_AT_ONCE) == []


@pytest.mark.long
def test_a_snapshot_and_what_was_missed_since_is_the_next_snapshot(table: Table) -> None:
    table.begin()
    seen = live.build_snapshot(table.state)
    for _ in range(30):
        table.wait(seconds=1)
        table.act()
    for event in MATCH.since(live.get_topic(table.match.key), seen["head"], MOST_AT_ONCE):
        seen = apply_frame(seen, event.data)
    assert seen == live.build_snapshot(table.state)


def test_more_than_anybody_is_sent_is_not_looked_for(
    table: Table, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table.begin()
    row = table.row
    row.head = MOST_AT_ONCE + 1  # only what is requested counts
    type(row).objects.filter(pk=row.pk).update(head=row.head)
    with django_assert_num_queries(1):
        assert MATCH.since(live.get_topic(row.key), 0, MOST_AT_ONCE) == []


def test_heads_are_one_question(
    table: Table, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    other = Table(now, players=(table.white, table.black))
    table.begin()
    topics = [live.get_topic(key) for key in (table.match.key, other.match.key, "nobody0000")]
    with django_assert_num_queries(1):
        heads = events.load_heads(topics)
    assert heads == {topics[0]: table.row.head, topics[1]: 2, topics[2]: 0}
    assert MATCH.since(topics[2], 0, 10) == []


def test_many_who_come_back_at_once_cause_one_replay(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.begin()
    replays = []
    steps = journal.iterate_steps
    monkeypatch.setattr(journal, "iterate_steps", lambda *a, **k: replays.append(1) or steps(*a, **k))
    topic, head = live.get_topic(table.match.key), table.row.head
    first = MATCH.since(topic, head - 5, MOST_AT_ONCE)
    for _ in range(10):
        assert MATCH.since(topic, head - 5, MOST_AT_ONCE) == first
    table.act()
    replays.clear()
    assert numbers(MATCH.since(topic, head, MOST_AT_ONCE)) == list(range(head + 1, table.row.head + 1))
    assert replays == [], "a film is taken further"


def test_a_film_that_another_journal_tells_is_not_believed(
    table: Table, films: sources.RecentFramesCache
) -> None:
    """As after a backup was restored and the match went on another way."""
    table.begin()
    topic, head = live.get_topic(table.match.key), table.row.head
    right = MATCH.since(topic, head - 3, 10)
    film = films.get(table.row, upto=head)
    spoiled = replace(film, chained="0" * 64, frames=tuple({**f, "state": {}} for f in film.frames))
    films._kept[table.match.pk] = spoiled
    assert MATCH.since(topic, head - 3, 10) == right


def test_a_film_needs_the_past_only_where_something_is_taken_back(
    table: Table, announced: list[stream.Event]
) -> None:
    table.begin()
    topic = live.get_topic(table.match.key)
    table.act()
    MATCH.since(topic, table.row.head - 1, 10)
    head = table.row.head
    director_writes(table, TakenBack(1, "a slip"))
    assert MATCH.since(topic, head, 10) == announced[-1:]


def test_only_so_many_films_are_kept(
    table: Table, films: sources.RecentFramesCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MOST_FILMS", 2)
    others = [Table(table.now, players=(table.white, table.black)) for _ in range(2)]
    for each in (table, *others):
        films.get(each.row, upto=1)
    assert list(films._kept) == [each.match.pk for each in others]


# Secrets


class Spy:
    """Records every announced frame, and every deposited share and salt."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[tuple[Line, str]] = []
        self.deposited: set[str] = set()
        self.salts: set[str] = set()
        announce = live.announce

        def hear(key: str, frames: list[dict[str, Any]]) -> None:
            row = Match.objects.get(key=key)
            self.look(row)
            first = frames[0]["line"]["seq"] - 1
            for line, frame in zip(journal.list_lines(row, after=first), frames, strict=True):
                self.told.append((line, live.build_event(key, frame).wire.decode()))
            announce(key, frames)

        monkeypatch.setattr(live, "announce", hear)

    def look(self, row: Match) -> None:
        self.salts |= set(row.salts)
        self.deposited |= {link for given in row.deposits.values() for link in given.values()}

    def firsts(self) -> dict[str, int]:
        """The index of the announced frame in which each share, commitment or other secret first appears."""
        found: dict[str, int] = {}
        for i, (_, text) in enumerate(self.told):
            for word in re.findall(r"[0-9a-f]{64}", text):
                found.setdefault(word, i)
        return found


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_no_frame_holds_a_secret(seed: int, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share is published with its roll, or when its owner requested that roll. Unused shares never are."""
    spy = Spy(monkeypatch)
    chained = [(WHITE, BLACK), (WHITE,), (BLACK, WHITE)][seed % 3]
    table = Table(now, seed=seed, chained=chained, agreed=club_terms(1))
    while not table.state.match.is_over:
        table.wait(seconds=1)
        state = table.state
        side = table.rng.choice(state.owing)
        if side in state.sealing:
            table.act()
        else:  # the next roll's share, and more or less of those to come
            shares = table.shares(side, table.rng.choice([1, 2, 3]))
            table.give(side, table.next_command(side), shares=shares)
        spy.look(table.row)
    used, firsts = set(), spy.firsts()
    for i, (line, _) in enumerate(spy.told):
        for link in () if line.thrown is None else map(line.thrown.links.__getitem__, Party):
            if link is None:
                continue
            used.add(link.hex())
            first = firsts[link.hex()]
            asked = spy.told[first][0].fact
            is_asked = isinstance(asked, Asked) and asked.number == line.thrown.number
            assert first == i or is_asked, f"line {first + 1} tells a share of line {i + 1}"
    assert len(spy.salts) >= 1
    assert spy.deposited & used
    everything = "".join(text for _, text in spy.told)
    for secret in (spy.deposited - used) | spy.salts:
        assert secret not in everything


def test_neither_snapshot_nor_journal_over_http_holds_a_share_that_lies_in_a_drawer(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    table.give(side, table.next_command(side), shares=table.shares(side, 3))
    row, dicing = table.row, table.state.dicing
    unused = [link for given in row.deposits.values() for n, link in given.items() if int(n) >= dicing.next]
    assert unused
    users = [table.player(side.other).user, table.player(side).user, None]
    for user in users:
        for path in (f"matches/{row.key}/", f"matches/{row.key}/journal/", "matches/"):
            text = json.dumps(Caller(user).get(path))
            assert not any(secret in text for secret in (*unused, *row.salts)), path


# Rights to watch


def test_a_delay_in_the_terms_of_a_journal_is_hashed_and_changes_nothing(now: datetime) -> None:
    table = Table(now, agreed=club_terms(delay=60_000))
    table.begin()
    assert list(journal.find_problems(table.row)) == []
    seen = Caller(None).get(f"matches/{table.match.key}/")
    assert seen["snapshot"]["head"] == table.row.head
    assert seen["terms"]["delay"] == 60_000


def test_a_private_match_is_nobodys_business(now: datetime) -> None:
    club = clubs.create(owner=person("Owner", now), name="Here", now=now)
    table = Table(now, is_private=True, club=club)
    stranger = person("Cid", now)
    for user in (None, stranger):
        assert match_access.load_view(table.row, user or AnonymousUser()) is None
        Caller(user).get(f"matches/{table.match.key}/", status=404)
        Caller(user).get(f"matches/{table.match.key}/chat/", status=404)
    for user in (table.white.user, User.objects.get(player__name="Owner")):
        assert match_access.load_view(table.row, user) is not None


def test_everybody_reads_their_own_streams(now: datetime) -> None:
    owner = person("Owner", now)
    table = Table(now, club=clubs.create(owner=owner, name="Here", now=now))
    key = table.match.key
    every = {"presence"}
    expected = {
        table.white.user: {f"match.{key}", f"seat.{key}.white", f"chat.{key}.players"},
        table.black.user: {f"match.{key}", f"seat.{key}.black", f"chat.{key}.players"},
        owner: {f"match.{key}", f"chat.{key}.players", f"chat.{key}.gallery"},
        person("Cid", now): {f"match.{key}", f"gallery.{key}", f"chat.{key}.gallery"},
        None: {f"match.{key}", f"gallery.{key}"},
    }
    for user, topics in expected.items():
        found = tokens.verify_token(Caller(user).get(f"matches/{key}/")["live"]["token"]).positions
        assert set(found) == topics | {f"{name}.{key}" for name in every}


def test_a_director_who_plays_is_a_player(now: datetime) -> None:
    table = Table(now)
    club = clubs.create(owner=table.white.user, name="Here", now=now)
    Match.objects.filter(pk=table.match.pk).update(club=club)
    seen = match_access.load_view(Match.objects.get(pk=table.match.pk), table.white.user)
    assert (seen.role, seen.reads) == (match_access.Role.PLAYER, ("players",))
