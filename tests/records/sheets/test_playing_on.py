"""A ruling that two play on from a position: it fits the sheet, and sheet, pages and notices say the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Notice
from records.sheets import tap_storage
from records.sheets.sheet import ADJOURN, TAKE_UP, Tap
from tests.records.sheets.test_tap_storage import MATCH, shown, sits, tap
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text, url
from tournaments.base.errors import OtherScore
from tournaments.models import Decision, Report, Ruling, RulingKind
from tournaments.play import disputes, incidents

pytestmark = pytest.mark.today

MINUTE = timedelta(minutes=1)


def xgid(a: int, b: int, length: int = 5) -> str:
    """Return a position at this score, Black on roll."""
    return f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{b}:{a}:0:{length}:10"


@pytest.fixture
def director(two: Two) -> Client:
    return Browser(two.desk.director)


def finished(two: Two) -> None:
    """Keep a match of two games: 2-0, then 5-0, which is reported."""
    tap(two, two.users[0], "1 a gammon 1")
    tap(two, two.users[1], "2 a backgammon 1")


def play_on(two: Two, position: str) -> None:
    said: dict[str, Any] = {"key": MATCH, "decision": Decision.PLAY_ON, "position": position}
    two.desk.do(disputes.rule_on_match, **said, reason="The second game was not over")


def adjourn(two: Two, position: str, do: str = ADJOURN) -> None:
    """Adjourn a match in its third game, or resume it."""
    what = Tap(do, 3, position=position)
    said = {
        "tournament_id": two.desk.pk,
        "match": MATCH,
        "key": f"{do}-{two.desk.now:%H%M%S}-{len(position)}",
    }
    tap_storage.store_tap(**said, what=what, by=two.users[0], now=two.desk.now)


@pytest.mark.parametrize("position", [xgid(2, 0), xgid(0, 0, 7)])
def test_a_position_at_a_score_that_the_match_was_never_at_is_refused(two: Two, position: str) -> None:
    with pytest.raises(OtherScore, match="the score sheet 0\N{EN DASH}0 in a match to 5"):
        play_on(two, position)
    assert not Ruling.objects.filter(act=RulingKind.RULED).exists()


def test_a_finished_match_goes_on_at_a_score_that_its_games_passed(two: Two) -> None:
    finished(two)
    for wrong in (xgid(0, 2), xgid(1, 0), xgid(3, 0)):
        with pytest.raises(OtherScore, match="the score sheet 5\N{EN DASH}0 in a match to 5"):
            play_on(two, wrong)
    assert Report.objects.get().status == "open"

    play_on(two, xgid(2, 0))

    assert Ruling.objects.get(act=RulingKind.RULED).data["position"] == xgid(2, 0)
    assert Report.objects.get().status == "dropped"


def test_the_form_says_what_does_not_fit(two: Two, director: Client) -> None:
    said = {"match": MATCH, "decision": "play-on", "position": xgid(2, 0), "reason": "They disagree"}

    answer = director.post(url("act", two.key, "rule"), said)

    assert answer.status_code == 422
    assert (
        "The position has 2\N{EN DASH}0 in a match to 5, the score sheet 0\N{EN DASH}0 in a match to 5."
        in answer.content.decode()
    )


def test_both_are_told_in_words_and_led_to_the_sheet(two: Two) -> None:
    finished(two)
    Notice.objects.all().delete()

    play_on(two, xgid(2, 0))

    for user, score in zip(sits(two), ("2\N{EN DASH}0", "0\N{EN DASH}2"), strict=True):
        notice = Notice.objects.get(user=user)
        assert f"You play on at {score} from the position on your score sheet." in notice.text
        assert "XGID" not in notice.text
        assert notice.url == f"/events/{two.key}/sheet/{MATCH}/"


@pytest.mark.long
def test_a_finished_sheet_shows_the_position_until_it_is_played_from(two: Two) -> None:
    finished(two)
    play_on(two, xgid(2, 0))
    sheet = f"/events/{two.key}/sheet/{MATCH}/"

    page = two.browsers[0].get(sheet)
    assert '<svg class="mini"' in page.text
    assert "Undo games until the score is 2\N{EN DASH}0." in text(page)

    two.desk.now += MINUTE
    tap(two, two.users[0], "undo 2")
    page = two.browsers[0].get(sheet)
    assert '<svg class="mini"' in page.text
    assert "Undo games" not in text(page)
    # At another score it is no position of this match any more.
    tap(two, two.users[0], "undo 1")
    assert '<svg class="mini"' not in two.browsers[0].get(sheet).text
    tap(two, two.users[0], "1 a gammon 1")
    assert '<svg class="mini"' not in two.browsers[0].get(sheet).text


@pytest.mark.long
def test_a_ruling_replaces_the_position_of_an_adjournment_and_the_other_way_round(two: Two) -> None:
    tap(two, two.users[0], "1 a gammon 1")
    tap(two, two.users[1], "2 b single 1")
    sheet = f"/events/{two.key}/sheet/{MATCH}/"
    adjourn(two, xgid(2, 1))
    two.desk.now += MINUTE
    play_on(two, xgid(2, 0))

    assert xgid(2, 0) in two.browsers[0].get(sheet).text
    assert two.match().running["score"] == [2, 0]
    assert "adjourned" in two.match().running

    two.desk.now += MINUTE
    adjourn(two, "", TAKE_UP)
    assert xgid(2, 0) in two.browsers[0].get(sheet).text
    adjourn(two, xgid(2, 1))
    assert xgid(2, 1) in two.browsers[0].get(sheet).text


@pytest.mark.parametrize(
    ("position", "score"), [(xgid(2, 0), ("2", "0")), (xgid(0, 0), ("0", "0")), ("", ("", ""))]
)
def test_no_page_shows_the_score_of_before(two: Two, position: str, score: tuple[str, str]) -> None:
    finished(two)
    assert shown(two) == ("5", "0")
    version = two.desk.fresh().version

    play_on(two, position)

    assert shown(two) == score
    assert two.desk.fresh().version > version


def test_without_a_position_the_score_of_an_unfinished_match_stays(two: Two) -> None:
    tap(two, two.users[0], "1 a gammon 1")

    play_on(two, "")

    assert shown(two) == ("2", "0")


def test_penalty_points_are_in_the_score_from_which_they_play_on(two: Two) -> None:
    late = two.match().b
    penalty = {"key": MATCH, "entry": late.number}
    two.desk.do(incidents.penalise_lateness, **penalty, points=1)
    tap(two, two.users[0], "1 a single 1")
    tap(two, two.users[1], "2 a backgammon 1")

    play_on(two, xgid(2, 0))
    assert shown(two) == ("2", "0")
    two.desk.do(incidents.penalise_lateness, **penalty, points=2)
    assert shown(two) == ("3", "0")
