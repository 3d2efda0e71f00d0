"""A flag that falls on a score sheet is shown at the desk and on the match's page without a tap."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from records.models import ScoreSheet
from records.sheets import sheet_publishing
from records.sheets.table_clock import PAUSE, PRESS, RENEW, START, TAKE_BACK
from runtime.work import sweeps
from tests.records.sheets.test_table_clock import timed, touch
from tests.records.sheets.test_tap_storage import MATCH, shown, sits
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text, url
from tests.tournaments.test_races_in_events import together
from tournaments.play import event_control

pytestmark = pytest.mark.today

SECONDS = 60
# Ten minutes each, and twelve seconds a turn.
FALLS = 10 * SECONDS + 12


@pytest.fixture
def two(two: Two) -> Two:
    """Otis and Runa, with a clock: a flag costs a point, and gives half the time back."""
    return timed(two, flag_points=1)


@pytest.fixture
def director(two: Two) -> Client:
    return Browser(two.desk.director)


def sweep(two: Two, after: float) -> int:
    """Look for flags so many seconds after the beginning, if there is anything to look for."""
    now = two.desk.now + timedelta(seconds=after)
    found = [each for each in sweeps.list_sweeps() if each.name == "records.flags"]
    assert len(found) == 1
    return sheet_publishing.sweep(now) if sweeps.list_with_work(found, now=now) else 0


def pages(two: Two, director: Client) -> tuple[str, str]:
    """The texts of the desk and of the match's page."""
    return text(director.get(url("desk", two.key))), text(director.get(url("pairing", two.key, MATCH)))


@pytest.mark.long
def test_desk_and_match_say_whose_flag_has_fallen(two: Two, director: Client) -> None:
    a, _b = sits(two)
    said = f"{a.player.public_name} has run out of time."
    touch(two, START, 1, "a")
    version = two.desk.fresh().version
    assert sweep(two, FALLS - 1) == 0
    assert all(said not in page for page in pages(two, director))

    assert sweep(two, FALLS) == 1

    assert two.match().running["flag"] == "a"
    assert two.desk.fresh().version > version
    desk, match = pages(two, director)
    # Once, in the list of matches that need the director.
    assert desk.count(said) == 1
    assert "By the rules of the event, this costs 1 point." in desk
    assert said in match
    assert shown(two) == ("0", "0")
    # It is seen once, and nothing is done again.
    assert sweep(two, FALLS + 1) == 0


def test_where_it_costs_the_match_that_is_offered(two: Two, director: Client) -> None:
    timed(two)
    touch(two, START, 1, "b")
    sweep(two, FALLS)

    desk, _match = pages(two, director)
    assert f"{sits(two)[1].player.public_name} has run out of time." in desk
    assert "By the rules of the event, this loses the match." in desk
    assert f"acts/forfeit/?match={MATCH}".replace("/1.1", "%2F1.1") in desk.replace("main/1.1", "main%2F1.1")


def test_it_goes_when_time_is_given_back_or_the_tap_was_made_in_time(two: Two, director: Client) -> None:
    touch(two, START, 1, "a")
    sweep(two, FALLS)
    touch(two, RENEW, 2, "a", after=FALLS + 5)
    assert two.match().running == {}
    assert all("has run out of time" not in page for page in pages(two, director))

    # Half the time is left: it falls again, and then a phone without network sends what was tapped before.
    assert sweep(two, FALLS + 5 + 5 * SECONDS + 12) == 1
    assert two.match().running["flag"] == "a"
    in_time = two.desk.now + timedelta(seconds=FALLS + 60)
    touch(two, PRESS, 3, "a", after=2 * FALLS, at=round(in_time.timestamp() * 1000))
    assert "flag" not in two.match().running


def test_the_other_side_may_fall_sooner(two: Two) -> None:
    touch(two, START, 1, "a")
    touch(two, PRESS, 2, "a", after=FALLS - 1)
    touch(two, PRESS, 3, "b", after=FALLS)
    # One second is left, and the twelve of the turn.
    assert sweep(two, FALLS + 12) == 0
    assert sweep(two, FALLS + 13) == 1
    assert two.match().running["flag"] == "a"


@pytest.mark.parametrize("tap", [(PAUSE, 2, ""), (TAKE_BACK, 2, "")])
def test_a_clock_that_stands_lets_no_flag_fall(two: Two, tap: tuple[str, int, str]) -> None:
    touch(two, START, 1, "a")
    touch(two, *tap, after=20)

    assert ScoreSheet.objects.get().flag_at is None
    assert sweep(two, 10 * FALLS) == 0


def test_while_the_event_is_paused_no_flag_falls(two: Two) -> None:
    touch(two, START, 1, "a")
    two.desk.do(event_control.pause_event)

    assert sweep(two, FALLS) == 0
    assert "flag" not in two.match().running


def test_a_clock_that_just_runs_makes_no_page_anew(two: Two) -> None:
    touch(two, START, 1, "a")
    version = two.desk.fresh().version

    touch(two, PRESS, 2, "a", after=20)

    assert two.desk.fresh().version == version


def test_with_nothing_to_fall_nothing_is_read(two: Two) -> None:
    touch(two, START, 1, "a")
    with CaptureQueriesContext(connection) as asked:
        assert sheet_publishing.sweep(two.desk.now) == 0
    assert len(asked) == 1


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_two_workers_and_a_phone_in_the_same_moment(two: Two) -> None:
    touch(two, START, 1, "a")
    now = two.desk.now + timedelta(seconds=FALLS)

    done = together(
        [
            lambda: sheet_publishing.sweep(now),
            lambda: sheet_publishing.sweep(now),
            lambda: touch(two, RENEW, 2, "a", after=FALLS),
        ]
    )

    assert done == {"done": 3}
    # In each order of the three, the time was given back before the flag was looked for.
    assert "flag" not in two.match().running
    assert ScoreSheet.objects.get().flag_at is not None
