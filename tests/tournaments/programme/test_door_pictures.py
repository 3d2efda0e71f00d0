"""The cards of the front page: pictures of what is there, and of what is the same everywhere."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from config import landing_pages
from engine.board import STANDARD
from engine.side import Side
from engine.svg import svg_board
from matches.models import Match
from matches.models.matches import State
from matches.state.commands import Concede
from players.clubs import clubs
from tests.matches.support import Table, person
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text

pytestmark = [pytest.mark.django_db, pytest.mark.today]


def cards() -> list[str]:
    page = " ".join(text(Client().get("/")).split())
    return page.partition('class="grid doors"')[2].partition("</section>")[0].split("</li>")[:3]


def render_pictures() -> dict[str, str]:
    """The board pictures of the cards, which are stored as files in static/img."""
    situation = landing_pages._build_situation(landing_pages._load_finding())
    return {"opening.svg": f"{svg_board(STANDARD)}\n", "verdict.svg": f"{svg_board(situation)}\n"}


def test_every_file_is_used() -> None:
    page = "".join(cards())
    assert all(f"img/{name.removesuffix('.svg')}" in page for name in render_pictures())


@pytest.mark.parametrize("name", ["opening.svg", "verdict.svg"])
def test_the_files_are_what_the_engine_draws(name: str) -> None:
    assert (settings.BASE_DIR / "static" / "img" / name).read_text() == render_pictures()[name]


def test_the_words_beside_the_verdict_are_those_of_the_referee() -> None:
    found = landing_pages.judge_sample()
    _directors, _players, federations = cards()
    assert f"Line {found['line']}:" in federations
    assert f"<code>{found['played']}</code>" in federations
    assert "52: 13/8 13/10" in str(found["record"]).splitlines()[int(str(found["line"])) - 1]
    assert found["rule"] == "R12"  # only what the dice say
    assert "No legal play with 5-2" in federations


def test_where_there_is_nothing_yet_they_say_what_they_draw(db: Any) -> None:
    directors, players, _federations = cards()
    assert "A knock-out of 16" in directors
    assert directors.count('class="pips__left"') <= 15
    assert "The opening position" in players
    assert "img/opening" in players


def test_a_running_event_is_shown_as_far_as_it_is(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play(desk.open()[0].key)
    directors = cards()[0]
    assert desk.event.name in directors
    assert "<strong>1</strong> match played" in directors
    assert "1 match open" in directors


def test_after_it_its_winner_is(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    directors = cards()[0]
    assert desk.event.name in directors
    assert "Winner" in directors
    assert "4 players" in directors


def test_the_last_match_is_shown_unless_it_stands_at_the_head(now: datetime) -> None:
    clubs.create(owner=person("Olga", now), name="Here", now=now)
    over = Table(now)
    over.begin()
    over.give(Side.WHITE, Concede())
    assert "The opening position" in cards()[1]

    later = now + timedelta(minutes=1)
    Table(later, players=(person("Cleo", now).player, person("Dan", now).player)).begin()
    players = cards()[1]
    assert "Played last" in players
    assert "Ann 0" in players
    assert "Ben 3" in players
    Match.objects.filter(status=State.FINISHED).update(is_private=True)
    assert "The opening position" in cards()[1]
