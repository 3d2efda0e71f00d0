"""A match game by game: the score follows from the games, with script and without, for players and directors."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text, url
from tournaments.base import scores
from tournaments.base.errors import AlreadyDone, BadGames
from tournaments.base.scores import Game
from tournaments.base.settings import Settings
from tournaments.models import Pairing, Report, ReportedBy, Ruling
from tournaments.play import corrections, incidents, results

pytestmark = pytest.mark.today

MATCH = "main/1.1"
# Two points, four by a gammon: a match to five is over at 5 to 2.
SAID = [{"winner": "b", "points": 2, "cube": 2}, {"winner": "a", "points": 8, "cube": 8}]
GAMES = ("b 2 single", "a 2 gammon", "a 1 single")


@pytest.fixture
def window(desk: Desk) -> Client:
    desk.start(a_plan("single-elimination"), 4)
    return Browser(desk.director)


def typed(*games: str, do: str = "save", **more: str) -> dict[str, str]:
    """The fields that the form sends: typed("a 2 gammon"); "- 1 single" for a game without a winner yet."""
    said = {"rows": str(len(games)), "do": do} | more
    for number, game in enumerate(games, 1):
        winner, cube, end = game.split()
        said |= {f"g{number}-cube": cube, f"g{number}-end": end}
        if winner != "-":
            said[f"g{number}-winner"] = winner
    return said


def page_of(desk: Desk) -> str:
    return url("games", desk.fresh().key, MATCH)


def send(client: Client, desk: Desk, *games: str, **more: str) -> HttpResponse:
    return client.post(page_of(desk), typed(*games, **more))


def row_of(answer: HttpResponse, number: int) -> Any:
    return answer.context["rows"][number - 1]


# The pure half


def test_the_crawford_game_is_one_and_never_comes_again() -> None:
    games = [Game("a", 4, 4), Game("b", 1), Game("b", 2, 2), Game("a", 1)]

    steps = list(scores.list_game_steps(games, (0, 0), 5))

    assert [step.is_crawford for step in steps] == [False, True, False, False]
    assert [step.after for step in steps] == [(4, 0), (4, 1), (4, 3), (5, 3)]


def test_who_begins_one_point_away_begins_with_the_crawford_game() -> None:
    assert next(scores.list_game_steps([Game("b", 1)], (4, 0), 5)).is_crawford
    assert not scores.is_crawford_at((0, 0), 1), "a match to one point has no such game"


def test_penalty_points_may_come_after_a_game_with_the_cube() -> None:
    games = [Game("a", 2, 1, "gammon"), Game("a", 1), Game("b", 2, 2), Game("b", 1)]

    steps = list(scores.list_game_steps(games, (1, 0), 5))

    assert [step.is_crawford for step in steps] == [False, False, False, True]
    assert steps[-1].before == (4, 2)


# The director


def test_the_result_is_computed_from_the_games(desk: Desk, window: Client) -> None:
    answer = send(window, desk, *GAMES)

    assert answer.status_code == 302
    row = desk.row(MATCH)
    assert (row.state, row.score_a, row.score_b) == ("decided", 5, 2)
    assert row.games == [
        {"winner": "b", "points": 2, "cube": 2, "end": "single"},
        {"winner": "a", "points": 4, "cube": 2, "end": "gammon"},
        {"winner": "a", "points": 1, "cube": 1, "end": "single"},
    ]


def test_nobody_gets_more_points_than_the_match_has(desk: Desk, window: Client) -> None:
    send(window, desk, "a 2 gammon", "b 1 single", "a 1 backgammon")

    row = desk.row(MATCH)
    assert (row.score_a, row.score_b) == (5, 1)


def test_a_drop_counts_the_cube_before_it(desk: Desk, window: Client) -> None:
    answer = send(window, desk, "a 2 drop", do="add")

    assert answer.status_code == 200
    assert (row_of(answer, 1).points, row_of(answer, 1).score) == (2, (2, 0))


def test_a_row_more_and_a_row_less_without_script(desk: Desk, window: Client) -> None:
    more = send(window, desk, "a 2 gammon", do="add")
    assert [row.number for row in more.context["rows"]] == [1, 2]
    assert more.context["total"] == (4, 0)
    assert row_of(more, 2).is_crawford, "one point away: the next game is marked before it is played"
    assert 'name="rows" value="2"' in text(more)

    less = send(window, desk, "a 2 gammon", "- 1 single", do="remove")
    assert [row.number for row in less.context["rows"]] == [1]
    assert row_of(less, 1).form["end"].value() == "gammon"
    assert Pairing.objects.get(pk=desk.row(MATCH).pk).state == "ready", "nothing is saved by it"


@pytest.mark.parametrize(
    ("games", "number", "said"),
    [
        (("a 2 gammon", "a 2 single"), 2, "Crawford game"),
        (("a 2 gammon", "b 1 drop", "a 1 single"), 2, "Crawford game"),
        (("a 2 backgammon", "b 1 single"), 2, "was over before this game"),
        (("a 1 single", "- 1 single", "a 2 gammon"), 2, "Choose who won this game"),
        (("a 3 single", "a 4 single"), 1, "not one of the available choices"),
        (("x 1 single",), 1, "not one of the available choices"),
    ],
)
def test_what_cannot_be_stands_at_its_game(
    desk: Desk, window: Client, games: tuple[str, ...], number: int, said: str
) -> None:
    answer = send(window, desk, *games)

    assert answer.status_code == 422
    assert said in str(row_of(answer, number).problem)
    assert [bool(row.problem) for row in answer.context["rows"]].count(True) == 1
    page = answer.content.decode()
    assert f'id="g{number}-problem"' in page
    # Nothing that was typed is lost.
    assert [row.form["end"].value() for row in answer.context["rows"]] == [game.split()[2] for game in games]
    assert desk.row(MATCH).state == "ready"


def test_a_match_that_is_not_over_is_no_result(desk: Desk, window: Client) -> None:
    answer = send(window, desk, "a 1 single", "- 1 single")

    assert answer.status_code == 422
    assert "The match is not over" in answer.content.decode()
    assert len(answer.context["rows"]) == 1


def test_nonsense_breaks_nothing(desk: Desk, window: Client) -> None:
    for rows in ("", "-3", "99999", "x", "\u0665"):
        answer = window.post(page_of(desk), {"rows": rows, "do": "save"})
        assert answer.status_code == 422
        assert len(answer.context["rows"]) <= 9


def test_penalty_points_are_where_the_match_begins(desk: Desk, window: Client) -> None:
    row = desk.row(MATCH)
    desk.do(incidents.penalise_lateness, key=MATCH, entry=row.a.number, points=2)

    page = text(window.get(page_of(desk)))
    assert "0 – 2" in page  # noqa: RUF001
    assert 'data-begun-b="2"' in page
    send(window, desk, "b 2 single", "b 1 single")

    row = desk.row(MATCH)
    assert (row.score_a, row.score_b) == (0, 5)


def test_a_refusal_of_the_service_loses_nothing(desk: Desk, window: Client) -> None:
    desk.do(results.enter_result, key=MATCH, score=(0, 5))
    page = window.get(page_of(desk))
    assert page.context["why"] is not None

    answer = send(window, desk, *GAMES, reason="Written down late")

    assert answer.status_code == 422
    assert "the result is 0–5" in answer.content.decode()  # noqa: RUF001
    assert "Written down late" in answer.content.decode()


@pytest.mark.long
def test_the_games_are_written_down_after_the_result(desk: Desk, window: Client) -> None:
    desk.do(results.enter_result, key=MATCH, score=(5, 2))
    assert "Enter the games that led to the result." in text(
        window.get(url("pairing", desk.event.key, MATCH))
    )

    assert send(window, desk, *GAMES).status_code == 422, "it wants a reason"
    assert send(window, desk, *GAMES, reason="From the sheet").status_code == 302

    row = desk.row(MATCH)
    assert (row.score_a, row.score_b, len(row.games)) == (5, 2, 3)
    assert Ruling.objects.filter(act="CORRECTED", reason="From the sheet").count() == 1
    shown = text(window.get(url("pairing", desk.event.key, MATCH)))
    assert 'class="told"' in shown
    assert "gammon, cube 2" in shown


# A correction


def test_games_of_a_wrong_result_go_with_it(desk: Desk, window: Client) -> None:
    send(window, desk, *GAMES)

    desk.do(corrections.correct_result, key=MATCH, score=(5, 3), reason="Misread")

    assert desk.row(MATCH).games == []


def test_games_of_the_right_one_come_with_it(desk: Desk, window: Client) -> None:
    send(window, desk, *GAMES)
    said = [{"winner": "b", "points": 4, "cube": 4, "end": "drop"}, {"winner": "b", "points": 1}]

    with pytest.raises(BadGames):
        desk.do(corrections.correct_result, key=MATCH, score=(5, 0), games=said, reason="Misread")
    desk.do(corrections.correct_result, key=MATCH, score=(0, 5), games=said, reason="Misread")

    assert desk.row(MATCH).games == said
    with pytest.raises(AlreadyDone):
        desk.do(corrections.correct_result, key=MATCH, score=(0, 5), games=said, reason="Again")


# Players


@pytest.mark.long
@pytest.mark.share
def test_a_player_reports_game_by_game_and_the_other_confirms(desk: Desk) -> None:
    two = Two(desk).start()
    assert url("games", two.key, MATCH) in two.page(0)
    mine = "a" if two.match().a.player.user == two.users[0] else "b"
    theirs = "b" if mine == "a" else "a"

    answer = send(two.browsers[0], desk, f"{mine} 2 gammon", f"{theirs} 1 single", f"{mine} 1 single")

    assert answer.status_code == 302
    report = Report.objects.get()
    assert {report.score_a, report.score_b} == {5, 1}
    assert len(report.games) == 3
    assert two.match().state == "ready"
    assert "gammon, cube 2" in two.page(1), "who confirms sees what was written down"
    assert two.post(1, "confirm") == 302
    assert len(two.match().games) == 3
    public = text(Browser().get(url("bracket", two.key)))
    assert 'class="match__games"' in public
    assert "Game by game" in public
    assert "gammon, cube 2" in text(Browser().get(page_of(desk)))


def test_who_has_written_it_down_finds_it_again(desk: Desk) -> None:
    two = Two(desk, Settings(reporting=ReportedBy.BOTH)).start()
    send(two.browsers[0], desk, *GAMES)

    mine, theirs = (browser.get(page_of(desk)).context["rows"] for browser in two.browsers)

    assert [row.points for row in mine] == [2, 4, 1]
    assert [row.points for row in theirs] == [None], "each says it by himself"


def test_the_director_begins_with_what_was_reported(desk: Desk) -> None:
    two = Two(desk, Settings(reporting=ReportedBy.BOTH)).start()
    send(two.browsers[0], desk, *GAMES)
    window = Browser(desk.director)

    assert [row.points for row in window.get(page_of(desk)).context["rows"]] == [2, 4, 1]


def test_only_where_players_report(desk: Desk) -> None:
    two = Two(desk, Settings(reporting=ReportedBy.DIRECTOR)).start()

    assert "This match was not recorded" in text(two.browsers[0].get(page_of(desk)))
    assert send(two.browsers[0], desk, *GAMES).status_code == 403
    assert url("games", two.key, MATCH) not in two.page(0)


def test_everybody_else_only_reads(desk: Desk, window: Client) -> None:
    assert "This match was not recorded" in text(Browser().get(page_of(desk)))
    assert "/accounts/login/" in Browser().post(page_of(desk), typed(*GAMES))["Location"]
    assert Browser().get(url("games", desk.event.key, "main/9.9")).status_code == 404
    assert Browser().get(url("games", "nosuchkey0", MATCH)).status_code == 404
    assert desk.row(MATCH).state == "ready"


def test_reading_costs_no_query_a_match(desk: Desk, window: Client) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert Browser().get(url("bracket", desk.event.key)).status_code == 200
        return len(queries)

    cost()
    desk.do(results.enter_result, key=MATCH, score=(5, 2))
    without = cost()
    desk.do(corrections.correct_result, key=MATCH, score=(5, 2), games=SAID, reason="From the sheet")

    # The first visitor fills the cache; later visitors get the cached page.
    assert cost() == without
    assert "match__games" in text(Browser().get(url("bracket", desk.event.key)))
