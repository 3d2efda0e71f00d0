"""The page of a finished event: the course of the event, the end of the final, and a link to share."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match
from players.models import User
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_boards import conceded, laid_out
from tests.tournaments.support import text
from tournaments.base import event_view
from tournaments.pages import finish, highlights
from tournaments.play import boards, corrections, results

pytestmark = pytest.mark.today


def finished_on_boards(desk: Desk, users: dict[int, User]) -> Match:
    """Decide the semi-finals at the desk and the final at a board, and return that board."""
    for row in desk.open():
        desk.play(row.key)
    final = laid_out(desk, users, "main/2.1")
    conceded(desk, final, users)
    assert boards.sweep(desk.now) == 1
    assert desk.fresh().finished_at
    final.refresh_from_db()
    return final


@pytest.mark.long
def test_the_last_position_of_a_final_that_was_played_live_leads_to_its_replay(
    desk: Desk, users: dict[int, User], client: Client
) -> None:
    final = finished_on_boards(desk, users)

    page = text(client.get(desk.event.get_absolute_url()))
    board = page.partition('class="way__board"')[2].partition("</figure>")[0]

    assert 'class="mini"' in board
    assert f'href="{reverse("matches:match", args=[final.key])}"' in board
    assert "Replay the final" in board
    for score in (final.white_score, final.black_score):
        assert f"{score}</strong>" in board


def test_a_final_that_others_may_not_see_is_not_drawn(desk: Desk, users: dict[int, User]) -> None:
    final = finished_on_boards(desk, users)
    view = event_view.load_view(desk.event)
    shown = finish.find_last_position(view)
    assert shown.key == final.key

    Match.objects.filter(pk=final.pk).update(is_private=True)
    assert finish.find_last_position(view) is None


def test_a_final_at_a_wooden_board_has_no_position(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    page = text(client.get(event.get_absolute_url()))
    assert "way__board" not in page
    assert page.count('class="path__step"') == 2


def test_the_result_can_be_shared_and_copied_by_hand_without_a_script(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    assert 'id="share"' not in text(client.get(event.get_absolute_url()))
    desk.play_out()
    winner = event.entries.get(place=1).player.name

    page = text(client.get(event.get_absolute_url()))

    field = page.partition('id="share"')[2].partition(">")[0]
    assert f'value="http://testserver{event.get_absolute_url()}"' in field
    assert f'data-share="{event.name}: {winner}"' in page


def of_games(*ends: str) -> list[dict[str, Any]]:
    """Return games that a wins 5-0: singles, and these ends before them."""
    worth = {"single": 1, "gammon": 2, "backgammon": 3}
    first = [{"winner": "a", "points": worth[end], "cube": 1, "end": end} for end in ends]
    left = 5 - sum(worth[end] for end in ends)
    return [*first, *({"winner": "a", "points": 1, "cube": 1, "end": "single"} for _ in range(left))]


@pytest.mark.long
def test_the_figures_count_what_was_played_and_follow_a_correction(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    for key, minutes, ends in (
        ("main/1.1", 30, ("gammon",)),
        ("main/1.2", 40, ("backgammon", "gammon")),
        ("main/2.1", 65, None),
    ):
        row = desk.row(key)
        began, a = row.opened_at, row.a
        assert a is not None
        desk.now = began + timedelta(minutes=minutes)
        games = of_games(*ends) if ends is not None else ()
        desk.do(results.enter_result, key=key, score=(row.length, 0), games=games)
    found = highlights.compute_figures(event_view.load_view(desk.fresh()))

    assert (found.matches, found.written, found.games) == (3, 2, 4 + 2)
    assert (found.gammons, found.backgammons) == (2, 1)
    assert found.average == "45 min"
    assert found.longest.took == "1 h 5 min"
    page = text(client.get(desk.event.get_absolute_url()))
    shown = " ".join(page.partition('id="event-figures"')[2].partition("</section>")[0].split())
    for words in ("45 min on average", "1 h 5 min", "in 2 matches recorded game by game"):
        assert words in shown

    # A match that was not played after all is in none of them.
    desk.do(
        corrections.correct_result,
        key="main/2.1",
        winner=desk.row("main/2.1").a.number,
        kind="forfeit",
        reason="left",
    )
    found = highlights.compute_figures(event_view.load_view(desk.fresh()))
    assert (found.matches, found.written, found.average, found.longest) == (2, 2, "", None)
    assert "on average" not in text(client.get(desk.event.get_absolute_url()))


def test_nothing_is_said_of_times_that_nobody_knows(desk: Desk) -> None:
    """Results that were typed in one after the other say nothing of how long the matches took."""
    desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    found = highlights.compute_figures(event_view.load_view(desk.fresh()))
    assert (found.matches, found.games, found.average, found.longest) == (3, 0, "", None)


@pytest.mark.long
def test_the_losers_bracket_is_a_way_to_the_title_and_no_prize(desk: Desk) -> None:
    event = desk.start(a_plan("double-elimination"), 4)
    desk.play_out()
    view = event_view.load_view(event)

    assert finish.list_side_winners(view) == ()
    said = {view.label(play) for play in view.plays if play.bracket == "losers"}
    assert said == {"Losers' bracket · Semi-finals", "Losers' final"}
