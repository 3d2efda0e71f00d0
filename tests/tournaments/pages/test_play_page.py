"""The rules of play on pages: the director chooses them, players see them; a form without them keeps them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from draw.rules_of_play import USUAL, RulesOfPlay
from players.keys import new_key
from tests.tournaments.desk.test_pages_director import settings_form, url
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.settings import Settings
from tournaments.models import Tournament
from tournaments.plan import drawing
from tournaments.plan.settings_forms import PlayForm
from tournaments.play import results

pytestmark = [pytest.mark.django_db, pytest.mark.today]

NOVICES = RulesOfPlay(cube=False, backgammons=False)
BOXES = {
    "play-shown": "on",
    "play-best_of": "0",
    "play-counts": "both",
    "play-clock": "",
    "play-flag_points": "0",
    "play-moves": "legal",
}


def read(sent: dict[str, str]) -> RulesOfPlay:
    form = PlayForm(BOXES | sent, play=USUAL)
    assert form.is_right(), form.errors
    return form.rules()


def announce(desk: Desk, window: Client, template: str, **said: str) -> Any:
    form = {"template": template, "name": "Starters", "starts_at": "2031-03-05T19:30", "match_length": "5"}
    form |= {"rounds": "3", "key": new_key(), "publish": "yes"}
    return window.post(reverse("tournaments:create", args=[desk.club.slug]), form | said)


@pytest.mark.parametrize(
    "play", [USUAL, NOVICES, RulesOfPlay(best_of=11), RulesOfPlay(jacoby=True, clock="fast")]
)
def test_the_form_shows_what_it_is_given(play: RulesOfPlay) -> None:
    shown = PlayForm(None, play=play)
    sent = {
        f"play-{name}": "on" if value is True else str(value)
        for name, value in shown.initial.items()
        if value is not False
    }
    assert shown.rules() == play
    if play.best_of in {0, 3, 5, 7, 9}:
        assert read(sent) == play
    assert bool(shown.fold.summary) == (play != USUAL)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"play-cube": "on"}, RulesOfPlay(crawford=False, pips=False)),
        (
            {"play-counts": "neither"},
            RulesOfPlay(cube=False, crawford=False, gammons=False, backgammons=False, pips=False),
        ),
        ({"play-best_of": "5", "play-pips": "on"}, RulesOfPlay(best_of=5, crawford=False)),
        (
            {"play-cube": "on", "play-flag_points": "2"},
            RulesOfPlay(crawford=False, pips=False, flag_points=2),
        ),
    ],
)
def test_what_is_ticked_is_played(said: dict[str, str], expected: RulesOfPlay) -> None:
    assert read(said) == expected


def test_jacoby_needs_a_cube() -> None:
    for said in ({"play-jacoby": "on"}, {"play-jacoby": "on", "play-cube": "on", "play-best_of": "3"}):
        form = PlayForm(BOXES | said, play=USUAL)
        assert not form.is_right()
        assert "jacoby" in form.errors


def test_a_template_brings_its_rules_and_they_can_be_changed(desk: Desk, window: Client) -> None:
    page = window.get(reverse("tournaments:create", args=[desk.club.slug]), {"template": "novices"})
    assert 'name="play-cube" id="id_play-cube"' in page.content.decode()

    assert announce(desk, window, "novices").status_code == 302
    event = Tournament.objects.get()
    assert RulesOfPlay.from_json(event.play) == NOVICES
    assert event.lateness == [[3, 1], [6, 2], [9, None]]

    Tournament.objects.all().delete()
    announce(desk, window, "novices", **(BOXES | {"play-best_of": "5"}))
    event = Tournament.objects.get()
    assert (RulesOfPlay.from_json(event.play).best_of, event.match_length) == (5, 3)


def test_what_contradicts_itself_is_said_at_the_field(desk: Desk, window: Client) -> None:
    answer = announce(desk, window, "swiss", **(BOXES | {"play-jacoby": "on"}))
    assert answer.status_code == 422
    assert "Without a cube, no one can double." in answer.content.decode()
    assert not Tournament.objects.exists()


def test_players_read_the_rules_before_they_enter(desk: Desk) -> None:
    desk.announce(a_plan("swiss", Settings(play=NOVICES, lateness=((3, 1), (6, None))), rounds=2))

    page = Client().get(desk.event.get_absolute_url()).content.decode()

    for sentence in (
        "No doubling cube.",
        "Gammons count double, and so do backgammons.",
        "After 3 minutes 1 penalty point, after 6 minutes the match",
    ):
        assert sentence in page


@pytest.mark.long
def test_the_format_page_keeps_the_rules_and_changes_them(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("swiss", Settings(play=NOVICES), rounds=2))
    shown = settings_form(window, desk.event.key)
    plain = {name: value for name, value in shown.items() if value not in (None, False)}

    without = {name: value for name, value in plain.items() if not name.startswith("play-")}
    window.post(url("arrange", desk.event.key), without)
    assert RulesOfPlay.from_json(desk.fresh().play) == NOVICES

    window.post(
        url("arrange", desk.event.key),
        without | BOXES | {"play-cube": "on", "play-crawford": "on", "play-pips": "on"},
    )
    assert desk.fresh().play == {}
    assert (
        window.post(url("arrange", desk.event.key), without | BOXES | {"play-jacoby": "on"}).status_code
        == 422
    )


def test_the_match_and_its_board_say_what_is_unusual(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("round-robin", Settings(play=NOVICES)))
    for name in ("Ann", "Ben"):
        desk.entrant(name)
    desk.do(drawing.publish)
    (row,) = desk.open()
    match = results.open_board(tournament_id=desk.pk, key=row.key, user=desk.director, now=desk.now)

    paper = window.get(reverse("tournaments:pairing", args=[desk.event.key, row.key])).content.decode()
    board = window.get(reverse("matches:match", args=[match.key])).content.decode()

    assert "to 5 points, no cube, backgammons count as gammons" in paper
    assert "Rules of this match: no cube, no backgammons." in board
