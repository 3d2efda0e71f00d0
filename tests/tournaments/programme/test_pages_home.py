"""Tonight's event on the front page and in lists: what is open, and the one thing to do about it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from players.clubs import clubs
from players.models import Club
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import event_lines
from tournaments.models import Tournament
from tournaments.plan import drawing, setup
from tournaments.play import corrections, event_control
from tournaments.programme import home_page

pytestmark = pytest.mark.today


def test_everybody_is_led_to_what_concerns_them(desk: Desk, client: Client) -> None:
    desk.announce(a_plan("single-elimination"), 3)
    otis = desk.entrant("Otis Fenn")
    director, player = signed_in(desk.director), signed_in(otis)
    assert url("roster", desk.event.key) in text(director.get("/"))

    desk.do(drawing.publish)

    assert url("desk", desk.event.key) in text(director.get("/"))
    page = text(player.get("/"))
    assert "My next match" in page
    assert "2 matches open" in page
    assert url("desk", desk.event.key) not in page
    assert "2 matches open" in text(client.get("/"))
    assert "2 matches open" in text(client.get(url("club_events", desk.club.slug)))
    assert "#finish" not in text(director.get("/"))


def test_a_member_hears_of_every_club_even_of_one_without_an_event(desk: Desk) -> None:
    other = clubs.create(owner=desk.director, name="Aarhus", now=desk.now)
    assert home_page.load_member_home(desk.director, now=desk.now).topics == [
        f"club.{other.slug}",
        f"club.{desk.club.slug}",
    ]
    desk.announce(a_plan("single-elimination"), 3)
    shown_first = home_page.load_member_home(desk.director, now=desk.now).topics
    assert shown_first == [f"club.{desk.club.slug}", f"club.{other.slug}"]


def test_a_paused_event_says_so(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.do(event_control.pause_event, reason="Dinner")

    assert re.search(r">\s*paused\s*<", text(client.get("/")))


def test_who_waits_for_a_place_is_not_counted_as_in(desk: Desk, client: Client) -> None:
    desk.announce(a_plan("single-elimination"), 3)
    desk.event.entries.filter(number=3).update(waits=True)

    assert "2 in" in text(client.get("/"))


def test_a_night_does_not_end_at_midnight(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"))
    late, early = datetime(2026, 3, 5, 23, 40, tzinfo=UTC), datetime(2026, 3, 6, 0, 30, tzinfo=UTC)
    Club.objects.filter(pk=desk.club.pk).update(time_zone="UTC")

    def is_tonight(starts_at: datetime, now: datetime) -> bool:
        Tournament.objects.filter(pk=desk.pk).update(starts_at=starts_at)
        (line,) = event_lines.load_lines(event_lines.query_visible(desk.director), desk.director, now=now)
        return line.is_tonight

    assert is_tonight(early, late), "it begins within the hour"
    assert is_tonight(late, early), "it should have begun within the hour"
    assert not is_tonight(early + timedelta(hours=18), late)
    assert not is_tonight(early, early - timedelta(days=1))


@pytest.mark.long
def test_an_archived_event_leaves_the_latest_results_until_it_runs_again(desk: Desk, client: Client) -> None:
    """It stays in the calendar."""
    event = desk.start(a_plan("single-elimination"), 2)
    desk.play_out()
    latest = ("/", url("club_events", desk.club.slug), f"{url('club_events', desk.club.slug)}?past=all")
    assert all(event.get_absolute_url() in text(client.get(page)) for page in latest)

    desk.do(setup.archive)

    assert not any(event.get_absolute_url() in text(client.get(page)) for page in latest)
    assert event.get_absolute_url() in text(client.get(url("calendar"), {"when": "past"}))

    (row,) = desk.event.pairings.all()
    desk.do(corrections.correct_result, key=row.key, kind="", reason="not played yet")
    desk.play(row.key)

    assert all(event.get_absolute_url() in text(client.get(page)) for page in latest)
