"""Adjourned matches: score, clock and position are kept, and nothing is written until they are resumed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Club, NameStyle
from records.base.errors import Adjourned, NotAdjourned
from records.sheets import stored_sheets, tap_storage
from records.sheets.sheet import ADJOURN, TAKE_UP, SheetState, Tap
from tests.clients import signed_in
from tests.records.sheets.test_table_clock import timed, touch
from tests.records.sheets.test_tap_storage import MATCH, shown, sits, tap
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import text, url
from tournaments.base import event_lines
from tournaments.base.errors import BadPosition, OtherScore
from tournaments.models import Decision, Tournament
from tournaments.play import disputes
from tournaments.programme import calendar
from tournaments.status import Status

pytestmark = pytest.mark.today

# The third game at 2-1 to 5: Black on roll, the cube in the middle; White is the upper player.
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:2:0:5:10"
SWAPPED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:5:10"


@pytest.fixture
def two(two: Two) -> Two:
    """Otis and Runa, at 2-1 to five."""
    tap(two, two.users[0], "1 a gammon 1")
    tap(two, two.users[1], "2 b single 1")
    return two


def act(two: Two, do: str, position: str = "", *, key: str = "", who: int = 0) -> SheetState:
    what = Tap(do, 3, position=position)
    by = two.users[who] if who < 2 else two.desk.director
    return tap_storage.store_tap(
        tournament_id=two.desk.pk, match=MATCH, key=key or f"{do}-{who}", what=what, by=by, now=two.desk.now
    )


def test_it_keeps_score_clock_and_position_until_it_is_resumed(two: Two) -> None:
    timed(two)
    touch(two, "start", 1, "a")
    state = act(two, ADJOURN, XGID)

    assert state.clock
    assert (state.score, state.position, state.clock.turn) == ((2, 1), XGID, "a")
    assert not state.clock.is_running
    for _ in range(2):
        with pytest.raises(Adjourned):
            tap(two, two.users[1], "3 a single 1")
    assert act(two, ADJOURN, XGID).is_adjourned, "the same tap again is answered"

    # Also from the desk.
    resumed = act(two, TAKE_UP, who=2)
    assert (resumed.is_adjourned, resumed.position) == (False, XGID)
    with pytest.raises(NotAdjourned):
        act(two, TAKE_UP, who=1)
    assert tap(two, two.users[1], "3 a single 1").position == ""


@pytest.mark.parametrize(("said", "refusal"), [("XGID=nonsense", BadPosition), (SWAPPED, OtherScore)])
def test_a_position_that_does_not_fit_is_refused_and_nothing_changes(
    two: Two, said: str, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        act(two, ADJOURN, said)
    assert not stored_sheets.load_state(two.match(), stored_sheets.find_sheet(two.match())).is_adjourned


@pytest.mark.long
def test_it_stands_on_the_pages_of_club_event_desk_and_match(two: Two) -> None:
    club = f"/clubs/{two.desk.event.club.slug}/events/"
    assert "Adjourned matches" not in two.browsers[0].get(club).text
    act(two, ADJOURN, XGID)

    said = text(two.browsers[0].get(club))
    assert "Adjourned matches" in said
    assert "2\N{EN DASH}1 /5" in said
    # Black is on roll in the position: b.
    assert f"{sits(two)[1].player.public_name} is on roll" in said
    # The club's own page loads the same piece.
    part = two.browsers[0].get(club, headers={"HX-Request": "true"})
    assert "Adjourned matches" in text(part)
    assert f'hx-get="{club}"' in two.browsers[0].get(club.removesuffix("events/")).text
    assert shown(two) == ("2", "1")
    assert "adjourned" in text(two.browsers[0].get(url("schedule", two.key)))
    desk = signed_in(two.desk.director)
    assert "adjourned" in text(desk.get(url("desk", two.key)))
    match = text(desk.get(f"/events/{two.key}/matches/{MATCH}/"))
    assert "Resume it on the score sheet" in match
    assert "cube at 1 in the middle" in match

    act(two, TAKE_UP)
    assert "Adjourned matches" not in two.browsers[0].get(club).text


def test_whose_turn_it_is_is_known_by_the_position_or_else_by_the_clock(two: Two) -> None:
    act(two, ADJOURN)
    assert "turn" not in two.match().running
    act(two, TAKE_UP)
    timed(two)
    touch(two, "start", 1, "a")
    act(two, ADJOURN, key="by the clock")
    assert two.match().running["turn"] == "a"
    act(two, TAKE_UP, key="again")
    act(two, ADJOURN, XGID, key="by the position")
    assert two.match().running["turn"] == "b"
    act(two, TAKE_UP, key="at last")
    assert "turn" not in two.match().running


def test_a_club_with_nothing_adjourned_asks_once_and_without_a_running_event_not_at_all(two: Two) -> None:
    [line] = event_lines.load_lines(Tournament.objects.filter(pk=two.desk.pk), two.users[0], now=two.desk.now)
    with CaptureQueriesContext(connection) as asked:
        assert calendar.list_adjourned([line]) == ()
    assert len(asked) == 1
    act(two, ADJOURN, XGID)
    with CaptureQueriesContext(connection) as asked:
        assert len(calendar.list_adjourned([line])) == 1
    assert len(asked) == 1
    with CaptureQueriesContext(connection) as asked:
        assert calendar.list_adjourned([replace(line, status=Status.FINISHED)]) == ()
    assert len(asked) == 0


def test_the_club_s_page_writes_names_as_the_club_does(two: Two) -> None:
    act(two, ADJOURN, XGID)
    Club.objects.update(name_style=NameStyle.LAST_INITIAL)
    [line] = event_lines.load_lines(Tournament.objects.filter(pk=two.desk.pk), two.users[0], now=two.desk.now)

    [match] = calendar.list_adjourned([line])

    assert {match.a, match.b} == {"Otis F.", "Runa V."}


@pytest.mark.long
def test_the_sheet_adjourns_and_resumes_without_a_script(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    assert "Adjourn the match" in two.browsers[0].get(address).text
    said = {"do": ADJOURN, "number": "3", "key": "adjourn-now", "position": SWAPPED}
    refused = two.browsers[0].post(address, said)
    assert refused.status_code == 409
    assert "The position has 1\N{EN DASH}2 in a match to 5" in refused.text
    assert two.browsers[0].post(address, said | {"position": XGID}).status_code == 302

    page = two.browsers[1].get(address)
    b = sits(two)[1].player.name.split()[-1]
    assert f"{b} is to roll or double; cube at 1 in the middle" in text(page)
    assert '<svg class="mini"' in page.text
    assert (
        two.browsers[1].post(address, {"do": TAKE_UP, "number": "3", "key": "resume-now"}).status_code == 302
    )
    assert "Adjourn the match" in two.browsers[1].get(address).text


def test_a_ruling_to_play_on_sets_up_its_position_until_a_game_is_over(two: Two) -> None:
    disputes.rule_on_match(
        tournament_id=two.desk.pk,
        key=MATCH,
        decision=Decision.PLAY_ON,
        position=XGID,
        reason="The checkers were set up wrongly.",
        by=two.desk.director,
        now=two.desk.now,
    )
    address = f"/events/{two.key}/sheet/{MATCH}/"
    assert '<svg class="mini"' in two.browsers[0].get(address).text

    two.desk.now = two.desk.now.replace(year=two.desk.now.year + 1)
    tap(two, two.users[0], "3 b single 1")
    assert '<svg class="mini"' not in two.browsers[0].get(address).text
