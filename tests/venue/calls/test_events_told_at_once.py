"""Two events in one room with results at the same moment: each updates the other's pages; no deadlock."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.db import OperationalError

from runtime import stream
from runtime.models import TopicEvent
from tests.runtime.support import together
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.plan import drawing
from tournaments.play import directing, results
from venue.calls import calling, seats
from venue.models import CallMode
from venue.rooms import room_settings, rooms

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def db_desk(transactional_db: None, now: datetime) -> Desk:
    """A desk whose deeds the threads can see."""
    return Desk(now)


def two_events(desk: Desk) -> Iterator[tuple[Tournament, str]]:
    """Begin two events in one room, with other people in each; give each with the match that is called in it."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)
    for table in room.tables.order_by("position"):
        desk.announce(a_plan("single-elimination"))
        desk.do(directing.admit_named, names=[f"Guest {table} {number}" for number in range(4)])
        desk.do(drawing.publish)
        event = desk.fresh()
        room_settings.set_room(
            event=event, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
        )
        key = Pairing.objects.filter(tournament=event, state=PairingState.READY).order_by("key")[0].key
        calling.call(table=table, event=event, key=key, by=desk.director, now=desk.now)
        yield event, key


def race(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Tournament, str]]:
    """Enter both results, of which each waits with its first news until the other has some too, if it can."""
    both = list(two_events(desk))
    met, mine, publish = threading.Barrier(2), threading.local(), stream.publish

    def publish_and_wait(topic: str, *told: Any, **named: Any) -> int:
        number = publish(topic, *told, **named)
        if not hasattr(mine, "is_past"):
            mine.is_past = True
            with contextlib.suppress(threading.BrokenBarrierError):
                met.wait(timeout=1)
        return number

    monkeypatch.setattr(stream, "publish", publish_and_wait)

    def enter(place: int) -> None:
        event, key = both[place]
        results.enter_result(tournament_id=event.pk, key=key, score=(5, 0), by=desk.director, now=desk.now)

    together(2, enter)
    return both


def test_both_results_stand_and_all_pages_are_told(db_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for event, key in race(db_desk, monkeypatch):
        assert Pairing.objects.get(tournament=event, key=key).state == PairingState.DECIDED
        told = TopicEvent.objects.filter(topic=f"event.{event.key}").order_by("seq")
        assert [row.seq for row in told] == list(range(1, len(told) + 1))
        assert told.filter(name=seats.ROOM).exists()


def test_where_topics_are_held_in_any_order_one_is_killed(
    db_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard off: each holds what the other waits for."""
    monkeypatch.setattr(seats, "lock_event_topics", lambda _keys: None)
    with pytest.raises(OperationalError, match="deadlock"):
        race(db_desk, monkeypatch)
