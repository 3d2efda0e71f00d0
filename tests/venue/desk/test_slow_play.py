"""Slow matches: shown at their table and the desk, which refreshes when a match becomes slow."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from tests.tournaments.event_desk import Desk
from tests.venue.desk.test_end_forecast import begin
from tournaments.models import Pairing
from tournaments.play import event_control
from venue.calls import calling, calls
from venue.desk import slow_play
from venue.desk.slow_play import SlowMatches
from venue.models import Assignment, Room

pytestmark = pytest.mark.long


def played(desk: Desk, players: int = 4) -> Room:
    """Begin an event whose matches are to 5 and played from now on."""
    room = begin(desk, "single-elimination", players, "1-4")
    Assignment.objects.update(started_at=desk.now)
    return room


def found(desk: Desk, room: Room) -> SlowMatches:
    return slow_play.find_slow_matches(room, calls.list_calls(room), now=desk.now)


def test_it_is_slow_at_the_moment_that_was_told_and_not_before(desk: Desk) -> None:
    room = played(desk)
    length = Pairing.objects.filter(tournament=desk.event, table="1").values_list("length", flat=True)[0]
    whole = 8 * length
    first = found(desk, room)
    assert not first.matches
    assert first.changes_in == round(whole * 1.25 * 60)
    desk.now += timedelta(seconds=first.changes_in - 1)
    assert not found(desk, room).matches
    desk.now += timedelta(seconds=1)
    second = found(desk, room)
    assert len(second.matches) == 2
    assert {(each.is_very, each.minutes) for each in second.matches.values()} == {(False, whole)}
    assert second.changes_in is not None
    desk.now += timedelta(seconds=second.changes_in)
    third = found(desk, room)
    assert all(each.is_very for each in third.matches.values())
    assert third.changes_in is None


def test_a_score_shows_it_early_and_a_good_score_lets_it_be(desk: Desk) -> None:
    room = played(desk)
    for table, score in (("1", [0, 0]), ("2", [1, 2])):
        row = Pairing.objects.get(tournament=desk.event, table=table)
        row.running = {"seats": [row.a_id, row.b_id], "score": score}
        row.save(update_fields=["running"])
    desk.now += timedelta(minutes=24)
    slow_ones = found(desk, room).matches.values()
    assert [(each.call.table, each.score) for each in slow_ones] == [("1", "0–0")]  # noqa: RUF001


def test_a_moved_match_began_at_its_first_table_and_one_called_again_begins_anew(desk: Desk) -> None:
    room = played(desk)
    desk.now += timedelta(minutes=60)
    moved, again = Assignment.objects.select_related("pairing").order_by("pk")
    since = moved.started_at
    calling.move(
        table=room.tables.get(label="4"),
        event=desk.event,
        key=moved.pairing.key,
        by=desk.director,
        now=desk.now,
    )
    calling.withdraw_call(assignment=again, by=desk.director, now=desk.now)
    desk.now += timedelta(minutes=1)
    table = room.tables.get(label="3")
    calling.call(table=table, event=desk.event, key=again.pairing.key, by=desk.director, now=desk.now)
    Assignment.objects.filter(ended_at=None).update(started_at=desk.now)
    slow_ones = list(found(desk, room).matches.values())
    assert [(each.call.match, each.since) for each in slow_ones] == [(moved.pairing.key, since)]


def test_who_has_not_come_and_a_paused_event_are_not_slow(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 4, "1-4")
    desk.now += timedelta(hours=3)
    assert found(desk, room) == slow_play.SlowMatches()
    Assignment.objects.update(started_at=desk.now - timedelta(hours=3))
    assert found(desk, room).matches
    desk.do(event_control.pause_event)
    assert not found(desk, room).matches


def test_the_time_of_a_pause_does_not_count_as_played(desk: Desk) -> None:
    room = played(desk)
    began = desk.now
    first = found(desk, room)
    desk.now += timedelta(minutes=10)
    desk.do(event_control.pause_event)
    desk.now += timedelta(hours=2)
    desk.do(event_control.resume_event)
    then = found(desk, room)
    assert not then.matches
    assert then.changes_in == first.changes_in - 10 * 60
    desk.now += timedelta(seconds=then.changes_in)
    slow_ones = list(found(desk, room).matches.values())
    assert slow_ones
    for each in slow_ones:
        assert each.since == began
        assert each.usually_over_at == began + timedelta(hours=2, minutes=each.minutes)


def test_the_desk_shows_it_and_asks_the_director_to_look(desk: Desk, client: Client) -> None:
    played(desk)
    client.force_login(desk.director)
    address = reverse("tournaments:desk", args=[desk.event.key])
    usual = Assignment.objects.earliest("pk").pairing.length * 8
    with time_machine.travel(desk.now, tick=False):
        page = client.get(address).content.decode()
    assert f'data-changes-in="{round(usual * 1.25 * 60)}"' in page
    assert "slow" not in re.sub(r"<script.*?</script>|<link[^>]*>", "", page, flags=re.DOTALL)
    with time_machine.travel(desk.now + timedelta(minutes=usual * 1.3), tick=False):
        page = client.get(address).content.decode()
    assert page.count("usually over by") == 2
    assert "Such a match takes" not in page
    with time_machine.travel(desk.now + timedelta(minutes=usual * 1.5), tick=False):
        page = client.get(address).content.decode()
    assert page.count(f"Such a match takes about {usual} minutes tonight.") == 2
    assert '<span class="count">2</span>' in page
    assert "data-changes-in" not in page
    assert page.count("to 5 points.") == 2
    Pairing.objects.update(length=1)
    with time_machine.travel(desk.now + timedelta(minutes=usual * 1.5), tick=False):
        assert client.get(address).content.decode().count("to 1 point.") == 2
