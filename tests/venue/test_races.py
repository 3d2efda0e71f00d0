"""Two events call one player at the same moment: one is refused, even if both read the state before."""

from __future__ import annotations

import contextlib
import threading

import pytest
from django.db import connection, connections
from django.utils import timezone

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing
from tournaments.play import directing
from venue.calls import calling, queue_input, seats, table_filling, tables
from venue.errors import PlayerBusy, TableTaken
from venue.models import Assignment, CallMode, Chair, QueueRun, Room
from venue.rooms import room_settings, rooms

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
PLAYERS = 12


def two_events(desk: Desk) -> tuple[Tournament, Tournament]:
    """Begin two events with the same twelve people."""
    first = desk.start(a_plan("swiss", rounds=3), PLAYERS)
    desk.announce(a_plan("swiss", rounds=3), seed="8")
    desk.do(directing.admit_members, player_keys=list(first.entries.values_list("player__key", flat=True)))
    desk.do(drawing.publish)
    return first, desk.fresh()


def run_the_race(desk: Desk) -> None:
    """Call all matches of each event from a separate thread, to the event's tables."""
    events = two_events(desk)
    labels = f"1-{PLAYERS}"
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels=labels, now=desk.now)
    tables = list(room.tables.order_by("position"))
    start, problems = threading.Barrier(2), []

    def call_all(event: Tournament, mine: list) -> None:
        try:
            keys = Pairing.objects.filter(tournament=event, state="ready").order_by("key")
            keys = list(keys.values_list("key", flat=True))
            start.wait(timeout=20)
            for table, key in zip(mine, keys, strict=True):
                try:
                    calling.call(table=table, event=event, key=key, by=desk.director, now=timezone.now())
                except (PlayerBusy, TableTaken):
                    continue
        except Exception as problem:
            problems.append(problem)
        finally:
            connections.close_all()

    half = PLAYERS // 2
    threads = [
        threading.Thread(target=call_all, args=(event, tables[at * half : (at + 1) * half]))
        for at, event in enumerate(events)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert problems == []


def seated() -> list[int]:
    return list(Chair.objects.filter(ended_at__isnull=True).values_list("player_id", flat=True))


def test_nobody_is_in_two_places(db_desk: Desk) -> None:
    run_the_race(db_desk)
    assert len(seated()) == len(set(seated())) > 0
    assert Assignment.objects.filter(ended_at__isnull=True).count() * 2 == len(seated())
    assert list(tables.verify_tables()) == []


def test_without_the_index_and_the_look_somebody_is(db_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard off: the race is a race."""
    monkeypatch.setattr(seats, "_require_free", lambda players: None)
    constraint = next(each for each in Chair._meta.constraints if each.name == "one_open_chair_per_player")
    with connection.schema_editor() as editor:
        editor.remove_constraint(Chair, constraint)
    try:
        run_the_race(db_desk)
        assert len(seated()) > len(set(seated()))
    finally:
        Chair.objects.all().delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(Chair, constraint)


def two_workers_fill(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two workers look at one room at once: each waits for the other after it has read the room, if it can."""
    events = two_events(desk)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-4", now=desk.now)
    for event in events:
        room_settings.set_room(
            event=event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
        )
    met, problems, read = threading.Barrier(2), [], queue_input.load_queue_input

    def read_and_wait(*given: object, **named: object) -> object:
        found = read(*given, **named)
        with contextlib.suppress(threading.BrokenBarrierError):
            met.wait(timeout=2)
        return found

    monkeypatch.setattr(queue_input, "load_queue_input", read_and_wait)

    def work() -> None:
        try:
            table_filling.fill(room_id=room.pk, now=timezone.now())
        except Exception as problem:
            problems.append(problem)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert problems == []


def test_two_workers_call_each_match_once(db_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    two_workers_fill(db_desk, monkeypatch)
    assert Assignment.objects.count() == 4
    assert QueueRun.objects.count() == 1
    assert len(seated()) == len(set(seated())) == 8


def test_without_holding_the_room_both_call(db_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard off: the second sees no call of the first and answers as it did."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite writes one after the other")

    def look(room_id: int) -> table_filling.LockedRoom:
        events = Tournament.objects.filter(played_in__room=room_id)
        return table_filling.LockedRoom(Room.objects.get(pk=room_id), events.in_bulk())

    monkeypatch.setattr(table_filling, "_lock_room", look)
    two_workers_fill(db_desk, monkeypatch)
    assert QueueRun.objects.count() == 2


@pytest.fixture
def db_desk(transactional_db: None) -> Desk:
    """A director at work, in transactions that others see."""
    return Desk(timezone.now())
