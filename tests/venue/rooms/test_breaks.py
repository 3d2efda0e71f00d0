"""Breaks: they warn and are counted, no match is called by itself in one, and a director's key still calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from players.accounts import accounts
from players.keys import new_key
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.desk.test_end_forecast import begin, outlook
from tests.venue.forms import kept
from tournaments.base.errors import ChangedMeanwhile, NotDirector
from tournaments.plan import setup
from venue.calls import table_filling
from venue.desk import room_queue
from venue.errors import BadBreak, BreaksOverlap, TooManyBreaks
from venue.models import Assignment, Break, EventRoom
from venue.rooms import breaks
from venue.rooms.breaks import PlannedBreak, find_conflict

MINUTE = timedelta(minutes=1)
START = datetime(2026, 3, 28, 19, tzinfo=ZoneInfo("Europe/London"))
MINUTES = st.integers(0, 300)


def plan(desk: Desk, begins: int, ends: int, name: str = "", saw: str | None = None) -> None:
    """Plan a break between two times, in minutes from now."""
    span = PlannedBreak(desk.now + begins * MINUTE, desk.now + ends * MINUTE, name)
    breaks.change_breaks(
        event=desk.event, change=lambda before: [*before, span], by=desk.director, now=desk.now, saw=saw
    )


@pytest.fixture
def clock(desk: Desk) -> Iterator[None]:
    """The evening of the event."""
    with time_machine.travel(desk.now, tick=False):
        yield


@given(st.lists(st.tuples(MINUTES, MINUTES), max_size=4), MINUTES, st.integers(1, 100))
def test_no_match_runs_into_a_break_untold(pairs: list[tuple[int, int]], ready: int, takes: int) -> None:
    spans = sorted(PlannedBreak(START + a * MINUTE, START + b * MINUTE) for a, b in pairs if a < b)
    begins = START + ready * MINUTE
    ends = begins + takes * MINUTE
    found = find_conflict(spans, begins, ends)
    minutes = (begins + minute * MINUTE for minute in range(takes))
    assert (found is not None) == any(span.is_on(at) for at in minutes for span in spans)


@pytest.mark.long
def test_a_machine_calls_nobody_in_a_break_and_goes_on_after_it(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 8, "1-2")
    assert Assignment.objects.filter(ended_at=None).count() == 2
    plan(desk, 0, 45, "Dinner")
    desk.now += 10 * MINUTE
    first, second = Assignment.objects.filter(ended_at=None).select_related("pairing")
    for row in (first, second):
        desk.play(row.pairing.key)
    assert table_filling.fill(room_id=room.pk, now=desk.now) == []
    # It warns, and a director may all the same.
    table_filling.call_next(room=room, by=desk.director, now=desk.now)
    assert Assignment.objects.filter(ended_at=None).count() == 1
    assert breaks.fill_after_breaks(desk.now) == 0
    desk.now += 35 * MINUTE
    assert next(breaks.query_due(desk.now)).exists()
    assert breaks.fill_after_breaks(desk.now) == 1
    assert Assignment.objects.filter(ended_at=None).count() == 2
    # Once.
    assert breaks.fill_after_breaks(desk.now) == 0


@pytest.mark.long
def test_dropping_a_break_that_is_on_calls_who_waits(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 8, "1-2")
    plan(desk, 0, 45)
    row = Assignment.objects.filter(ended_at=None).select_related("pairing")[0]
    desk.play(row.pairing.key)
    table_filling.fill(room_id=room.pk, now=desk.now)
    assert Assignment.objects.filter(ended_at=None).count() == 1
    breaks.change_breaks(event=desk.event, change=lambda _before: [], by=desk.director, now=desk.now)
    table_filling.fill(room_id=room.pk, now=desk.now)
    assert Assignment.objects.filter(ended_at=None).count() == 2


@pytest.mark.long
def test_the_forecast_and_the_queue_count_it(desk: Desk) -> None:
    room = begin(desk, "single-elimination", 8, "1-2")
    used = EventRoom.objects.get(room=room)
    early, before = room_queue.compute_queue(used, now=desk.now).queue, outlook(desk).evenings.forecast
    plan(desk, 30, 90)
    late, then = room_queue.compute_queue(used, now=desk.now).queue, outlook(desk).evenings.forecast
    assert all(each.into_break is None for each in early)
    # Two begin when the first two are over, which is in the break: they begin after it.
    assert [each.likely_at for each in late] != [each.likely_at for each in early]
    assert all(each.likely_at is None or each.likely_at >= desk.now + 90 * MINUTE for each in late)
    assert then.over_at() - before.over_at() >= 30 * MINUTE
    plan(desk, 95, 100)
    assert all(each.into_break is not None for each in room_queue.compute_queue(used, now=desk.now).queue)


def test_what_no_break_can_be_is_refused(desk: Desk) -> None:
    desk.announce(a_plan("swiss"))
    plan(desk, 60, 90)
    for begins, ends in ((30, 30), (30, 10), (100, 100 + 12 * 60 + 1)):
        with pytest.raises(BadBreak):
            plan(desk, begins, ends)
    with pytest.raises(BreaksOverlap, match="already"):
        plan(desk, 80, 100)
    seen = breaks.compute_version_key(desk.event)
    plan(desk, 90, 100, saw=seen)
    with pytest.raises(ChangedMeanwhile):
        plan(desk, 200, 210, saw=seen)
    for number in range(8):
        plan(desk, 300 + 10 * number, 305 + 10 * number)
    with pytest.raises(TooManyBreaks):
        plan(desk, 600, 601)
    stranger = accounts.register(email="bo@example.org", password=None, name="Bo Lind", now=desk.now)
    with pytest.raises(NotDirector):
        breaks.change_breaks(event=desk.event, change=lambda _before: [], by=stranger, now=desk.now)
    assert Break.objects.count() == 10


def test_the_same_again_has_its_breaks_at_the_same_hours(desk: Desk) -> None:
    desk.announce(a_plan("swiss"))
    zone = ZoneInfo("Europe/London")
    desk.club.time_zone = zone.key
    desk.club.save()
    type(desk.event).objects.filter(pk=desk.pk).update(starts_at=START)
    desk.fresh()
    # The night on which the clocks are put on.
    spans = [
        PlannedBreak(START + 60 * MINUTE, START + 90 * MINUTE, "Dinner"),
        PlannedBreak(START + 330 * MINUTE, START + 350 * MINUTE),
    ]
    breaks.change_breaks(event=desk.event, change=lambda _before: spans, by=desk.director, now=desk.now)
    again = setup.clone(tournament_id=desk.pk, by=desk.director, key=new_key(), now=START)
    found = [(each.begins_at.astimezone(zone), each.name) for each in breaks.list_breaks(again)]
    assert [(f"{at:%d %H:%M}", name) for at, name in found] == [("04 20:00", "Dinner"), ("05 00:30", "")]


def test_a_break_in_the_hour_that_summer_time_skips_is_not_copied(desk: Desk) -> None:
    desk.announce(a_plan("swiss"))
    desk.club.time_zone = "Europe/London"
    desk.club.save()
    type(desk.event).objects.filter(pk=desk.pk).update(starts_at=START - 24 * 60 * MINUTE)
    desk.fresh()
    night = START - 18 * 60 * MINUTE
    spans = [PlannedBreak(night + 30 * MINUTE, night + 60 * MINUTE)]
    breaks.change_breaks(event=desk.event, change=lambda _before: spans, by=desk.director, now=desk.now)
    details = replace(setup.build_details(desk.fresh()), starts_at=START)
    setup.edit(tournament_id=desk.pk, by=desk.director, details=details, now=desk.now)
    assert breaks.list_breaks(desk.event) == []


def test_an_event_that_is_moved_to_another_day_takes_its_breaks_along(desk: Desk) -> None:
    desk.announce(a_plan("swiss"))
    zone = ZoneInfo("Europe/London")
    desk.club.time_zone = zone.key
    desk.club.save()
    type(desk.event).objects.filter(pk=desk.pk).update(starts_at=START)
    desk.fresh()
    dinner = PlannedBreak(START + 60 * MINUTE, START + 90 * MINUTE, "Dinner")
    breaks.change_breaks(event=desk.event, change=lambda _before: [dinner], by=desk.director, now=desk.now)
    seen = breaks.compute_version_key(desk.event)

    def begin_at(starts_at: datetime) -> list[str]:
        details = replace(setup.build_details(desk.fresh()), starts_at=starts_at)
        setup.edit(tournament_id=desk.pk, by=desk.director, details=details, now=desk.now)
        return [f"{each.begins_at.astimezone(zone):%d %H:%M}" for each in breaks.list_breaks(desk.event)]

    # An hour later on the same day: dinner is still at eight.
    assert begin_at(START + 60 * MINUTE) == ["28 20:00"]
    assert breaks.compute_version_key(desk.event) == seen
    # The clocks are put on in the night between.
    assert begin_at(datetime(2026, 3, 30, 19, tzinfo=zone)) == ["30 20:00"]
    with pytest.raises(ChangedMeanwhile):
        plan(desk, 90, 100, saw=seen)


@pytest.mark.long
def test_a_director_plans_and_drops_one_and_everybody_reads_it(
    desk: Desk, client: Client, clock: None
) -> None:
    begin(desk, "single-elimination", 8, "1-2")
    # The director's time zone differs from the club's: breaks are typed and shown in the club's.
    accounts.change(user=desk.director, now=desk.now, time_zone="Asia/Tokyo")
    client.force_login(desk.director)
    room, add, drop = (
        reverse(f"venue:{name}", args=[desk.event.key]) for name in ("event_room", "plan_break", "drop_break")
    )
    wall = desk.now.astimezone(ZoneInfo(desk.club.time_zone)) + 60 * MINUTE
    typed = {"begins": f"{wall:%Y-%m-%dT%H:%M}", "minutes": "45", "name": "Dinner"}
    fields = kept(client, room, add)
    assert client.post(add, {**fields, **typed}).status_code == 302
    told = f"{wall:%H:%M}–{wall + 45 * MINUTE:%H:%M}"  # noqa: RUF001
    for page in (room, reverse("tournaments:desk", args=[desk.event.key]), desk.event.get_absolute_url()):
        assert told in client.get(page).content.decode(), page
    assert (
        f"would run into the break at {wall:%H:%M}"
        in client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    )
    # A director with an outdated page adds nothing, and has to confirm again.
    late = client.post(add, {**fields, **typed, "minutes": "10"})
    assert late.status_code == 422
    assert "Another director has changed this" in late.content.decode()
    wrong = client.post(add, {**kept(client, room, add), **typed})
    assert wrong.status_code == 422
    assert f"There is a break at that time already: {told}." in wrong.content.decode()
    assert client.post(drop, kept(client, room, drop)).status_code == 302
    assert not Break.objects.exists()


def test_a_program_sets_them_and_reads_them(desk: Desk, client: Client) -> None:
    desk.announce(a_plan("swiss"))
    address = f"/api/v1/events/{desk.event.key}/breaks/"
    assert client.get(address).json() == {"seen": "", "breaks": []}
    one = {"begins_at": "2027-01-05T19:00:00Z", "ends_at": "2027-01-05T19:30:00Z", "name": "Dinner"}
    sent = {"saw": "", "breaks": [one]}
    assert client.put(address, sent, content_type="application/json").status_code in (401, 403)
    client.force_login(desk.director)
    answer = client.put(address, sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["breaks"] == [one]
    assert client.put(address, sent, content_type="application/json").json()["code"] == "changed_meanwhile"
    back = {**one, "ends_at": one["begins_at"]}
    wrong = client.put(
        address, {"saw": answer.json()["seen"], "breaks": [back]}, content_type="application/json"
    )
    assert (wrong.status_code, wrong.json()["code"]) == (409, "bad_break")
    sent = {"saw": answer.json()["seen"], "breaks": [{**one, "name": "Din\u200bner"}]}
    wrong = client.put(address, sent, content_type="application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid")
    for begins, ends in (
        ("9999-12-31T20:00:00Z", "9999-12-31T21:00:00Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T01:00:00Z"),
    ):
        sent = {"saw": answer.json()["seen"], "breaks": [{"begins_at": begins, "ends_at": ends}]}
        wrong = client.put(address, sent, content_type="application/json")
        assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid")
