"""Sheets of matches that are declared void, and played again."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from records.sheets import stored_sheets
from tests.records.sheets.test_tap_storage import MATCH, tap
from tests.tournaments.pages.test_pages_player import Two
from tournaments.models import Decision
from tournaments.play import corrections, disputes, incidents
from tournaments.play.corrections import undo_act

pytestmark = pytest.mark.today

VOID = (
    partial(incidents.void_match, reason="The wrong length"),
    partial(disputes.rule_on_match, decision=Decision.VOID, reason="The wrong length"),
    partial(corrections.correct_result, kind="void", reason="The wrong length"),
)


@pytest.fixture
def two(two: Two) -> Two:
    two.desk.now += timedelta(minutes=5)
    tap(two, two.users[0], "1 a gammon 1")
    return two


@pytest.mark.parametrize("act", VOID)
def test_a_match_that_is_played_again_has_an_empty_sheet(two: Two, act: partial[object]) -> None:
    if act.func is corrections.correct_result:
        # The last game enters the result, and ends the event.
        tap(two, two.users[0], "2 a backgammon 1")
    two.desk.now += timedelta(minutes=5)
    two.desk.do(act, key=MATCH)
    row = two.desk.row(MATCH)
    assert (row.state, row.kind, row.running) == ("ready", "void", {})
    assert stored_sheets.load_state(row, stored_sheets.find_sheet(row)).score == (0, 0)

    two.desk.now += timedelta(minutes=5)
    state = tap(two, two.users[1], "1 b single 1")
    assert state.score == (0, 1)
    assert two.desk.row(MATCH).running["score"] == [0, 1]


def test_its_games_are_back_when_the_ruling_is_taken_back(two: Two) -> None:
    two.desk.now += timedelta(minutes=5)
    two.desk.do(incidents.void_match, key=MATCH, reason="The wrong length")
    ruling = two.desk.event.rulings.latest("pk")
    two.desk.do(undo_act, ruling_id=ruling.pk, reason="It was the right one")

    row = two.desk.row(MATCH)
    assert row.running["score"] == [2, 0]
    assert stored_sheets.load_state(row, stored_sheets.find_sheet(row)).score == (2, 0)


def test_taps_count_where_the_clock_of_the_server_was_set_back(two: Two) -> None:
    two.desk.now -= timedelta(hours=1)
    assert tap(two, two.users[1], "2 b single 1").score == (2, 1)


def test_what_was_tapped_until_the_ruling_was_taken_back_does_not_count(two: Two) -> None:
    two.desk.now += timedelta(minutes=5)
    two.desk.do(incidents.void_match, key=MATCH, reason="The wrong length")
    ruling = two.desk.event.rulings.latest("pk")
    two.desk.now += timedelta(minutes=5)
    tap(two, two.users[1], "1 b single 1")
    two.desk.now += timedelta(minutes=5)
    two.desk.do(undo_act, ruling_id=ruling.pk, reason="It was the right one")

    assert two.desk.row(MATCH).running["score"] == [2, 0]
    assert tap(two, two.users[1], "2 b single 1").score == (2, 1)
