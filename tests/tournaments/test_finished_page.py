"""The page of a finished event: how it was won, how the final stood at its end, and a link to share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.models import Match
from tests.tournaments.desk import a_plan
from tests.tournaments.support import text
from tests.tournaments.test_boards import conceded, laid_out
from tournaments.selectors import event_view, finish
from tournaments.services import boards

if TYPE_CHECKING:
    from datetime import datetime

    from django.test import Client

    from players.models import User
    from tests.tournaments.desk import Desk


@pytest.fixture
def now() -> datetime:
    """The pages read the clock themselves."""
    return timezone.now().replace(microsecond=0)


def finished_on_boards(desk: Desk, users: dict[int, User]) -> Match:
    """Let the semi-finals be decided at the desk and the final at a board; return that board."""
    for row in desk.open():
        desk.play(row.key)
    final = laid_out(desk, users, "main/2.1")
    conceded(desk, final, users)
    assert boards.sweep(desk.now) == 1
    assert desk.fresh().finished_at
    final.refresh_from_db()
    return final


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
    view = event_view.read(desk.event)
    shown = finish.last_position(view)
    assert shown is not None
    assert shown.key == final.key

    Match.objects.filter(pk=final.pk).update(terms={**final.terms, "delay": 60})
    assert finish.last_position(view) is None
    Match.objects.filter(pk=final.pk).update(terms=final.terms, is_private=True)
    assert finish.last_position(view) is None


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
