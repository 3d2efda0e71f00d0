"""A ruling that two play on from a position: it fits the sheet, and sheet, pages and notices say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests.records.test_keeping import MATCH, tap
from tests.tournaments.desk import Desk
from tests.tournaments.support import Browser, text, url
from tests.tournaments.test_pages_player import Two
from tournaments.errors import OtherScore
from tournaments.models import Decision, Report, Ruling, RulingKind
from tournaments.services import disputes

if TYPE_CHECKING:
    from django.test import Client


def xgid(a: int, b: int, length: int = 5) -> str:
    """Return a position at this score, Black on roll."""
    return f"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{b}:{a}:0:{length}:10"


@pytest.fixture
def two(db: None) -> Two:
    """Otis and Runa, about to play to five."""
    return Two(Desk(timezone.now().replace(microsecond=0))).start()


@pytest.fixture
def director(two: Two) -> Client:
    """The director's browser."""
    browser = Browser()
    browser.force_login(two.desk.director)
    return browser


def finished(two: Two) -> None:
    """Keep a match of two games: 2-0, then 5-0, which is reported."""
    tap(two, two.users[0], "1 a gammon 1")
    tap(two, two.users[1], "2 a backgammon 1")


def play_on(two: Two, position: str) -> None:
    said: dict[str, Any] = {"key": MATCH, "decision": Decision.PLAY_ON, "position": position}
    two.desk.do(disputes.rule, **said, reason="The second game was not over")


@pytest.mark.parametrize("position", [xgid(2, 0), xgid(0, 0, 7)])
def test_a_position_at_a_score_that_the_match_was_never_at_is_refused(two: Two, position: str) -> None:
    with pytest.raises(OtherScore, match="the sheet at 0\N{EN DASH}0 to 5"):
        play_on(two, position)
    assert not Ruling.objects.filter(act=RulingKind.RULED).exists()


def test_a_finished_match_goes_on_at_a_score_that_its_games_passed(two: Two) -> None:
    finished(two)
    for wrong in (xgid(0, 2), xgid(1, 0), xgid(3, 0)):
        with pytest.raises(OtherScore, match="the sheet at 5\N{EN DASH}0 to 5"):
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
        "The position stands at 2\N{EN DASH}0 to 5, the sheet at 0\N{EN DASH}0 to 5."
        in answer.content.decode()
    )
