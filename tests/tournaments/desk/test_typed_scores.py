"""Scores typed at the desk: the row shows the length of its match, and the loser's points can be enough."""

from __future__ import annotations

from typing import Any

import pytest

from players.models import User
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tournaments.base import scores
from tournaments.base.errors import BadScore
from tournaments.base.settings import Settings
from tournaments.desk import typed_scores
from tournaments.models import Tournament
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import entering, results

pytestmark = pytest.mark.today

KEY = "main/1.1"
SHORTER = StagePlan(format="progressive-consolation", rules=({"bracket": "consolation", "length": 3},))


def begin(desk: Desk, **settings: Any) -> tuple[User, User]:
    """Begin an event of two members; return them, a first."""
    users = [desk.member(name) for name in ("Ann", "Ben")]
    desk.announce(a_plan("single-elimination", Settings(**settings)))
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()
    row = desk.row(KEY)
    return (users[0], users[1]) if row.a.player_id == users[0].player.pk else (users[1], users[0])


def two_lengths(desk: Desk) -> Tournament:
    """Begin an event whose main draw and consolation are both being played."""
    event = desk.start(a_plan([SHORTER]), 8)
    for match in range(1, 5):
        desk.play(f"main/1.{match}")
    return event


@pytest.mark.parametrize(("winner", "score"), [("a", (7, 5)), ("b", (5, 7))])
def test_the_losers_points_are_enough_where_the_winner_is_known(winner: str, score: tuple[int, int]) -> None:
    assert scores.parse_score("5", 7, winner=winner) == score
    assert scores.parse_score("7 5", 7, winner=winner) == (7, 5), "a whole score is read as it is typed"


@pytest.mark.parametrize("typed", ["7", "8", "", "x"])
def test_what_no_loser_has_is_refused(typed: str) -> None:
    with pytest.raises(BadScore):
        scores.parse_score(typed, 7, winner="a")


def test_an_example_ends_a_match_of_its_length() -> None:
    for length in range(1, 26):
        assert max(scores.parse_score(scores.build_example(length), length)) == length


def test_a_row_of_the_desk_says_how_long_its_match_is(desk: Desk) -> None:
    event = two_lengths(desk)

    page = text(Browser(desk.director).get(url("desk", event.key)))

    lengths = [row.length for row in desk.open()]
    assert set(lengths) == {3, 5}
    for length in (3, 5):
        assert page.count(f'<span class="small muted">to {length} points</span>') == lengths.count(length)


@pytest.mark.long
@pytest.mark.share
def test_the_example_of_a_score_fits_its_match(desk: Desk) -> None:
    event = two_lengths(desk)
    window = Browser(desk.director)
    for row in desk.open():
        page = text(window.get(url("act", event.key, "result"), {"match": row.key}))
        assert f": {scores.build_example(row.length)}" in page
        assert "7 5" not in page


def test_the_desk_takes_the_losers_points_beside_the_winners_name(desk: Desk) -> None:
    begin(desk, scores_needed=False)
    row = desk.row(KEY)

    Browser(desk.director).post(
        url("enter_result", desk.event.key), {"match": KEY, "score": "3", "winner": row.b.number}
    )

    row = desk.row(KEY)
    assert (row.score_a, row.score_b, row.winner_id) == (3, 5, row.b_id)


def test_the_desk_takes_the_losers_points_where_both_players_name_the_same_winner(desk: Desk) -> None:
    ann, ben = begin(desk, reporting="both")
    who: dict[str, Any] = {"tournament_id": desk.pk, "key": KEY, "now": desk.now}
    results.report_result(user=ann, score=(5, 2), **who)
    results.report_result(user=ben, score=(5, 4), **who)

    Browser(desk.director).post(url("enter_result", desk.event.key), {"match": KEY, "score": "4"})

    row = desk.row(KEY)
    assert (row.score_a, row.score_b, row.winner_id) == (5, 4, row.a_id)


def test_one_number_is_refused_where_nobody_says_who_won_or_they_disagree(desk: Desk) -> None:
    ann, ben = begin(desk, reporting="both")
    with pytest.raises(BadScore):
        typed_scores.parse_score(desk.event, KEY, "3")
    who: dict[str, Any] = {"tournament_id": desk.pk, "key": KEY, "now": desk.now}
    results.report_result(user=ann, score=(5, 2), **who)
    assert typed_scores.parse_score(desk.event, KEY, "3") == (5, 3)
    results.report_result(user=ben, score=(2, 5), **who)
    with pytest.raises(BadScore):
        typed_scores.parse_score(desk.event, KEY, "3")
