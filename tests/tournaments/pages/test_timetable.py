"""When rounds to come may begin follows from what was played: at its pace, after what leads there, never in the past."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text
from tests.tournaments.test_events import FORMATS
from tournaments.base import event_view
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.pages import agenda, event_parts, page_versions, timetable
from tournaments.pages.timetable import UNKNOWN, Timetable
from tournaments.play import event_control, pairing_jobs
from tournaments.status import Status

MINUTES = 30


@pytest.fixture
def now() -> datetime:
    """Between two full five minutes."""
    return datetime(2031, 5, 3, 19, 32, tzinfo=UTC)


def times(desk: Desk) -> Timetable:
    return timetable.forecast_event(event_view.load_view(desk.fresh()), now=desk.now)


def play_for(desk: Desk, key: str, minutes: int = MINUTES) -> None:
    """Play a match to 5 that was opened so long ago."""
    desk.play(key)
    Pairing.objects.filter(tournament=desk.event, key=key).update(
        opened_at=desk.now - timedelta(minutes=minutes)
    )


def clock(at: datetime | None) -> str:
    return "" if at is None else f"{at:%H:%M}"


def test_a_round_begins_when_what_leads_to_it_is_over(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    first = times(desk)
    assert (first.pace.minutes_a_point, first.pace.matches) == (timetable.USUAL, 0)
    # To 5 at 8 minutes a point, from 19:35: the slower of two matches takes 45 minutes, and five pass until the next.
    assert [clock(first.begins[key]) for key in ("main/2.1", "main/2.2", "main/3.1")] == [
        "20:25",
        "20:25",
        "21:20",
    ]
    assert clock(first.ends_at) == "22:00"

    desk.now += timedelta(minutes=MINUTES)
    for key in ("main/1.1", "main/1.2", "main/1.3"):
        play_for(desk, key)
    then = times(desk)
    assert (then.pace.minutes_a_point, then.pace.matches) == (MINUTES / 5, 3)
    # The fourth match has had its time: it may be over any moment.
    assert clock(then.begins["main/2.2"]) == "20:05"
    assert "main/2.1" not in then.begins
    assert clock(then.begins["main/3.1"]) == "20:45"
    assert clock(then.ends_at) == "21:15"

    legs = agenda.count_progress(event_view.load_view(desk.event), then).legs
    assert [clock(leg.begins_at) for leg in legs] == ["", "20:05", "20:45"]


@pytest.mark.long
def test_nothing_is_said_to_begin_in_the_past_nor_before_what_leads_to_it(desk: Desk) -> None:
    for form in ("double-elimination", "progressive-consolation", "round-robin"):
        event = desk.start(a_plan(form), 6)
        for _ in range(8):
            found = times(desk)
            view = event_view.load_view(event)
            for key, at in found.begins.items():
                play = view.by_key[key]
                assert at > desk.now
                assert at < found.ends_at
                for source in (play.a_key, play.b_key):
                    if source in found.begins:
                        assert found.begins[source] < at
            desk.now += timedelta(minutes=7)
            if ready := desk.open():
                desk.play(ready[0].key)


def test_it_costs_no_query(desk: Desk, django_assert_num_queries: Any) -> None:
    view = event_view.load_view(desk.start(a_plan("progressive-consolation"), 8))
    with django_assert_num_queries(0):
        found = timetable.forecast_event(view, now=desk.now)
        assert found.begins
        assert agenda.count_progress(view, found).ends_at == found.ends_at


def test_the_second_final_is_nobodys_plan(desk: Desk) -> None:
    event = desk.start(a_plan("double-elimination"), 4)
    view = event_view.load_view(event)
    needed = [play for play in view.by_key.values() if play.bracket == "final" and play.a_key == play.b_key]
    assert len(needed) == 1
    assert needed[0].key not in times(desk).begins


def test_planned_rounds_of_a_swiss_have_a_time_before_they_are_paired(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 6)

    found = times(desk)

    assert [(each.number, clock(each.begins_at)) for each in found.to_come] == [(2, "20:30"), (3, "21:25")]
    assert clock(found.ends_at) == "22:15"
    legs = agenda.count_progress(event_view.load_view(desk.event), found).legs
    assert [leg.title for leg in legs] == ["Round 1", "Round 2", "Round 3"]
    assert not any(leg.is_over for leg in legs)


def test_nothing_is_said_where_nobody_can_know(desk: Desk) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    assert times(desk).begins
    desk.do(event_control.pause_event)
    assert times(desk) == UNKNOWN
    desk.do(event_control.resume_event)
    assert times(desk).begins

    # A league has days.
    Pairing.objects.filter(tournament=event, state=PairingState.READY).update(
        deadline_at=desk.now + timedelta(days=7)
    )
    assert times(desk) == UNKNOWN


def test_results_that_were_typed_in_afterwards_are_no_pace(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    for key in ("main/1.1", "main/1.2", "main/1.3"):
        play_for(desk, key, 0)
    found = times(desk)
    assert found.pace.matches == 0

    # Nor are matches that were played over days.
    for key in ("main/1.1", "main/1.2", "main/1.3"):
        Pairing.objects.filter(key=key).update(opened_at=desk.now - timedelta(days=1))
    assert times(desk) == UNKNOWN


def test_the_page_tells_who_is_next_and_when_by_the_clubs_clock(
    desk: Desk, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: desk.now)
    event = desk.start(a_plan("single-elimination"), 4)
    desk.play("main/1.1")
    winner = desk.row("main/1.1").winner

    page = text(client.get(event.get_absolute_url()))

    card = page.partition('aria-labelledby="coming"')[2].partition("</section>")[0]
    assert winner.player.name in card
    assert "8 minutes a point, until enough matches are played" in card
    zone = timezone.zoneinfo.ZoneInfo(event.club.time_zone)
    at = datetime(2031, 5, 3, 20, 20, tzinfo=UTC).astimezone(zone)
    assert f">{at:%H:%M}</time>" in card
    assert page.count(f">{at:%H:%M}</time>") == 2


def shown(desk: Desk, seconds: int = 0) -> Timetable:
    """What pages say, so many seconds from now."""
    return event_parts.load_parts(desk.event.key, now=desk.now + timedelta(seconds=seconds)).times


LARGE = [
    ("single-elimination", 64),
    ("last-chance", 32),
    ("double-elimination", 32),
    ("round-robin", 12),
    ("swiss", 120),
    ("groups", 40),
]


@pytest.mark.long
@pytest.mark.parametrize(("form", "players"), LARGE)
def test_results_of_the_next_seconds_keep_the_forecast_of_a_large_event(
    desk: Desk, form: str, players: int
) -> None:
    desk.start(a_plan(form, rounds=5) if form == "swiss" else a_plan(form), players)
    first = shown(desk)
    assert first == times(desk)
    assert first.ends_at is not None

    for row in desk.open()[:4]:
        play_for(desk, row.key, 50)
    kept = shown(desk)

    waiting = set(Pairing.objects.filter(tournament=desk.event, opened_at=None).values_list("key", flat=True))
    assert (kept.ends_at, kept.early, kept.pace) == (first.ends_at, first.early, first.pace)
    assert kept.begins == {key: at for key, at in first.begins.items() if key in waiting}
    assert shown(desk, 19) == kept
    # Four results have come: the pace is measured, and the end is another one.
    assert times(desk).pace != kept.pace
    desk.play(desk.open()[0].key)
    assert shown(desk, 20) == times(desk)


def test_a_small_event_is_forecast_anew_after_each_result(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 16)
    first = shown(desk)

    for row in desk.open()[:4]:
        play_for(desk, row.key, 50)

    assert shown(desk) == times(desk) != first


@pytest.mark.long
def test_a_round_that_is_paired_is_no_longer_to_come(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 102)
    assert [coming.number for coming in shown(desk).to_come] == [2, 3]

    for row in desk.open():
        desk.play(row.key)
    pairing_jobs.pair_event(tournament_id=desk.pk, now=desk.now)

    assert Pairing.objects.filter(tournament=desk.event, round=2).count() == 51
    assert [coming.number for coming in shown(desk).to_come] == [3]


def test_a_pause_takes_a_kept_forecast_away(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 64)
    first = shown(desk)
    assert first != UNKNOWN

    desk.do(event_control.pause_event)

    assert shown(desk) == UNKNOWN


def test_what_is_said_by_the_clock_makes_a_page_anew(desk: Desk) -> None:
    event = desk.start(a_plan("single-elimination"), 4)

    def mark(minutes: int) -> object:
        return page_versions.compute_event_key(event.key, now=desk.now + timedelta(minutes=minutes))

    assert mark(0) == mark(2)
    assert mark(0) != mark(3)
    desk.play_out()
    assert mark(0) == mark(90)
    assert isinstance(event, Tournament)


@pytest.mark.long
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_kept_forecast_is_of_what_is_to_come(
    desk: Desk, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night of each format, with a pause in it; each result comes some seconds after the one before."""
    monkeypatch.setattr(event_parts, "MANY", 1)
    chance = random.Random(form)
    desk.start(a_plan(form, **({"rounds": 3} if form == "swiss" else {})), 9)
    known = 0
    while desk.fresh().status == Status.RUNNING and (rows := desk.open()):
        if known == 4:
            desk.do(event_control.pause_event)
            check_kept(desk)
            desk.do(event_control.resume_event)
        desk.play(chance.choice(rows).key)
        desk.now += timedelta(seconds=chance.randrange(1, 20))
        known += check_kept(desk)

    assert desk.fresh().status == Status.FINISHED
    assert known > 4 or form == "league", "a league has no forecast"


def check_kept(desk: Desk) -> bool:
    """Compare the forecast on pages with a new one; True if there is one."""
    view = event_view.load_view(desk.fresh())
    kept = event_parts.EventParts(view, desk.now).times
    made = timetable.forecast_event(view, now=desk.now)
    waiting = {play.key for part in view.parts for play in part.plays if play.opened_at is None}
    assert set(kept.begins) <= waiting
    assert [coming.number for coming in kept.to_come] == [coming.number for coming in made.to_come]
    assert (kept == UNKNOWN) == (made == UNKNOWN)
    return kept != UNKNOWN
