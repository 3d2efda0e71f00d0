"""Watching a match over real sockets: gaps, a Redis that dies, delayed streams, the number of watchers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from matches.journal import journal, live
from matches.models import Absence
from players.keys import digest
from players.models import ApiToken, Player
from runtime import stream
from runtime.models import Attendance, Presence
from runtime.stream import relay
from tests.matches.support import Table, apply_frame
from tests.matches.test_crash import Load, say
from tests.runtime.conftest import (  # noqa: F401
    _services_or_skip,
    apart,
    front,
    migrated_file,
    migrated_postgresql,
    premises,
    static_root,
)
from tests.runtime.premises import ALIAS, Premises, Program, command_of
from tests.runtime.support import Listener, get, until
from tests.services import free_port


class Watcher:
    """A client that looks once and then reads frames."""

    def __init__(self, port: int, key: str) -> None:
        status, body, _ = get(port, f"/api/v1/matches/{key}/", Host="127.0.0.1")
        assert status == 200, body
        found = json.loads(body)
        self.seen: dict[str, Any] = found["snapshot"]
        self.presence: dict[str, Any] = found["presence"]
        self.heard: list[tuple[int, float]] = []
        self.is_lost = False
        self.listener = Listener(port, found["live"]["token"])
        assert self.listener.event() == {"name": "hello"}

    def read_until(self, head: int, *, within: float = 30) -> None:
        deadline = time.monotonic() + within
        while self.seen["head"] < head:
            self.take(self.listener.event(within=max(0.1, deadline - time.monotonic())))

    def take(self, event: dict[str, Any]) -> None:
        match event["name"]:
            case "line":
                assert event["data"]["line"]["seq"] == self.seen["head"] + 1
                self.seen = apply_frame(self.seen, event["data"])
                self.heard.append((event["seq"], time.time()))
            case "presence":
                self.presence |= event["data"]
            case "resync":
                self.is_lost = True


def key_of(player: Player, using: str = "default") -> str:
    """Return by which name an API token of *player*, whose text is their key, holds a stream."""
    keys = ApiToken.objects.using(using)
    made = keys.create(
        user_id=player.user_id, name="x", token_hash=digest(player.key), created_at=timezone.now()
    )
    return f"key.{made.pk}"


def as_json(found: dict[str, Any]) -> Any:
    return json.loads(json.dumps(found))


# In one process


@pytest.fixture
def port(front: int, transactional_db: None) -> Iterator[int]:  # noqa: F811
    """The port of a server; after the test, wait for all watchers to leave before the tables are emptied."""
    yield front
    until(lambda: not (Presence.objects.exists() or Attendance.objects.exists()), within=20)


@pytest.fixture
def playing(transactional_db: None) -> Table:
    table = Table(timezone.now())
    table.begin()
    return table


def play(table: Table, count: int) -> None:
    for _ in range(count):
        if table.state.match.is_over:
            return
        table.now = timezone.now()
        table.act()


def test_a_watcher_who_was_told_nothing_gets_the_lines_from_the_journal(
    port: int,
    playing: Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watcher = Watcher(port, playing.match.key)
    play(playing, 3)
    watcher.read_until(playing.row.head)
    with monkeypatch.context() as deaf:
        deaf.setattr(relay, "broadcast", lambda event: None)
        play(playing, 6)
    missed = playing.row.head
    assert watcher.seen["head"] < missed
    play(playing, 1)
    watcher.read_until(playing.row.head)
    assert watcher.seen == as_json(live.build_snapshot(playing.state))
    assert not watcher.is_lost
    watcher.listener.close()


def test_a_watcher_who_was_away_goes_on_where_it_was(port: int, playing: Table) -> None:
    watcher = Watcher(port, playing.match.key)
    play(playing, 2)
    watcher.read_until(playing.row.head)
    watcher.listener.close()
    play(playing, 8)
    status, body, _ = get(port, f"/api/v1/matches/{playing.match.key}/", Host="127.0.0.1")
    assert status == 200
    token = json.loads(body)["live"]["token"]
    watcher.listener = Listener(port, token, last_event_id=watcher.listener.last_id)
    watcher.read_until(playing.row.head)
    assert watcher.seen == as_json(live.build_snapshot(playing.state))
    watcher.listener.close()


def test_a_player_who_closes_the_page_is_gone_and_comes_back(port: int, playing: Table) -> None:
    key = playing.match.key
    side = playing.state.clock.turn  # type: ignore[union-attr]
    assert side is not None
    owner = playing.player(side)
    who = key_of(owner)
    watcher = Watcher(port, key)
    assert watcher.presence["watching"] == 0
    for is_here in (True, False, True):
        if is_here:
            player = Listener(
                port, stream.create_token([f"seat.{key}.{side.word}"], who=who), api_token=owner.key
            )
            player.event()
        else:
            player.close()
        deadline = time.monotonic() + 20
        while watcher.presence[side.word] is not is_here:
            watcher.take(watcher.listener.event(within=deadline - time.monotonic()))
        assert Absence.objects.filter(match=playing.match, side=side.word).exists() is not is_here
    facts = [line.body()["fact"] for line in journal.list_lines(playing.row)]
    assert [fact["fact"] for fact in facts].count("held") <= 1
    player.close()
    watcher.listener.close()


# Two web processes, a worker, PostgreSQL and Redis


def really(place: Premises) -> Premises:
    """Start the product with its production settings instead of the settings of the runtime tests."""

    def start(*arguments: str, **extra: str) -> Program:
        command = command_of(*arguments, program=("manage.py",))
        program = Program(command, {**place.env, "DJANGO_SETTINGS_MODULE": "config.settings", **extra})
        place.programs.append(program)
        return program

    place.start = start  # type: ignore[method-assign]
    return place


@pytest.mark.long
@pytest.mark.services
def test_with_redis_killed_in_the_middle_every_watcher_of_two_processes_sees_all(
    apart: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    place = really(apart)
    other = free_port()
    place.open("serve", "web")
    place.open("serve", "web", PORT=str(other))
    seeded = say(place, "bench.live_clients", "seed", '{"count": 2, "points": 5}')
    key = seeded[0]["key"]
    watchers = [Watcher(port, key) for port in (place.port, place.port, other, other)]
    load = Load(place, seeded, tmp_path, rate=30, seconds=12)
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(load.wait_for_end()), daemon=True)
    thread.start()
    time.sleep(4)
    place.redis.kill()
    place.redis.wait()
    thread.join(60)
    assert done
    head = journal.Match.objects.using(ALIAS).values_list("head", flat=True).get(key=key)
    assert head > 40
    for port, watcher in zip((place.port, place.port, other, other), watchers, strict=True):
        watcher.read_until(head)
        assert not watcher.is_lost
        status, body, _ = get(port, f"/api/v1/matches/{key}/", Host="127.0.0.1")
        assert status == 200
        assert watcher.seen == json.loads(body)["snapshot"]
        watcher.listener.close()


@pytest.mark.long
@pytest.mark.services
def test_who_sits_at_one_process_is_seen_at_the_other(apart: Any) -> None:  # noqa: F811
    place = really(apart)
    other = free_port()
    place.open("serve", "web")
    second = place.open("serve", "web", PORT=str(other))
    place.start("worker")
    place.start("beat")
    (key,) = say(place, "tests.matches.unattended", "1", "600")
    watcher = Watcher(place.port, key)
    assert (watcher.presence["white"], watcher.presence["black"]) == (False, False)
    row = journal.Match.objects.using(ALIAS).select_related("white", "black").get(key=key)
    white = Listener(
        other, place.token(f"seat.{key}.white", who=key_of(row.white, ALIAS)), api_token=row.white.key
    )
    black = Listener(
        place.port, place.token(f"seat.{key}.black", who=key_of(row.black, ALIAS)), api_token=row.black.key
    )
    gallery = [Listener(port, place.token(f"gallery.{key}")) for port in (place.port, other, other)]

    def wait_for(**wanted: Any) -> None:
        deadline = time.monotonic() + 30
        while any(watcher.presence[name] != value for name, value in wanted.items()):
            watcher.take(watcher.listener.event(within=deadline - time.monotonic()))

    # The watcher is one of them.
    wait_for(white=True, black=True, watching=4)
    second.kill()
    wait_for(white=False, watching=2)
    assert watcher.presence["black"] is True
    assert Absence.objects.using(ALIAS).get(match__key=key).side == "white"
    for each in (white, black, *gallery, watcher.listener):
        each.close()
