"""Exercises: the engine decides, every one can be solved and failed, and it works without script."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import override

from help import exercises
from help.files import list_languages
from help.positions import load_positions
from help.sections import load_sections

PREFIX = "ex-"
NAMES = [name.removeprefix(PREFIX) for name in load_positions() if name.startswith(PREFIX)]


def test_there_are_ten_and_every_language_asks_all() -> None:
    assert len(NAMES) == 10
    for code in list_languages():
        with override(code):
            assert [section.anchor for section in load_sections("exercises")[1:]] == NAMES


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_each_is_solved_by_a_legal_play_and_failed_by_another(client: Client, name: str) -> None:
    position = load_positions()[f"{PREFIX}{name}"]
    assert position.legal
    assert position.illegal
    for play in position.legal:
        text = client.get("/help/exercises/", {"exercise": name, "play": play}).text
        assert text.count("Right: this play is legal.") == 1
    for play, rule in position.illegal.items():
        text = client.get("/help/exercises/", {"exercise": name, "play": play}).text
        assert "Right: this play is legal." not in text
        assert f'<a href="/help/rules/#{rule}">{rule}</a>' in text


@pytest.mark.django_db
def test_what_cannot_be_read_is_said_and_escaped(client: Client) -> None:
    text = client.get("/help/exercises/", {"exercise": NAMES[0], "play": "<b>?"}).text

    assert "That cannot be read." in text
    assert "<b>?" not in text
    assert exercises.check_play(NAMES[0], "x" * 5000).written == "x" * exercises.LONGEST


@pytest.mark.django_db
def test_nothing_is_said_before_anything_was_tried(client: Client) -> None:
    text = client.get("/help/exercises/").text

    assert "Right:" not in text
    assert text.count('<form class="stack') == 10
    assert client.get("/help/exercises/", {"exercise": "none", "play": "6/5"}).status_code == 200
