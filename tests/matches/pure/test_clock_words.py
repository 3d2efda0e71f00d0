"""Clocks in words: every preset, every timing, and no raw name anywhere."""

from __future__ import annotations

import pytest
from django.utils import translation

from engine.clock import DAY, MINUTE, PRESETS, SECOND, DelayMethod, TimeControl
from engine.rules import Rules
from matches.state import clock_words
from matches.state.terms import build_terms

SAID = {
    "blitz": "20 s a point + 8 s delay",
    "fast": "1 min a point + 10 s delay",
    "club": "2 min a point + 12 s delay",
    "slow": "3 min a point + 15 s delay",
    "us-2013": "2 min a point (1 min less for each point won) + 12 s delay",
    "us-2013-doubles": "2 min 30 s a point (1 min 15 s less for each point won) + 18 s delay",
    "unified-2001": "6 min a point (3 min less for each point won), no delay",
    "correspondence": "10 days + 2 days a move",
}


def test_every_preset_has_a_name_and_says_its_figures() -> None:
    assert {name: clock_words.describe_preset(name) for name in PRESETS} == SAID
    for name in PRESETS:
        assert clock_words.get_preset_name(name) == f"{clock_words.NAMES[name]}: {SAID[name]}"


@pytest.mark.parametrize(
    ("control", "words"),
    [
        (TimeControl(DelayMethod.PLAIN, 90 * MINUTE), "1 h 30 min, no delay"),
        (TimeControl(DelayMethod.SIMPLE, 90 * SECOND), "1 min 30 s, no delay"),
        (TimeControl(DelayMethod.SIMPLE, 10 * MINUTE, 12 * SECOND), "10 min + 12 s delay"),
        (TimeControl(DelayMethod.SIMPLE, 0, 30 * SECOND), "30 s a move"),
        (TimeControl(DelayMethod.FISCHER, 5 * MINUTE, 5 * SECOND), "5 min + 5 s increment"),
        (TimeControl(DelayMethod.BRONSTEIN, 5 * MINUTE, 5 * SECOND), "5 min + 5 s Bronstein delay"),
        (TimeControl(DelayMethod.SIMPLE, DAY, 2 * DAY), "1 day + 2 days a move"),
    ],
)
def test_an_own_clock_is_told_by_its_figures(control: TimeControl | None, words: str) -> None:
    assert clock_words.describe_clock(control) == words
    assert clock_words.describe_terms(build_terms(Rules(length=5), control).to_json()) == words


def test_no_clock_says_how_long_a_move_may_take() -> None:
    terms = build_terms(Rules(length=5), None)
    assert clock_words.describe_terms(terms.to_json()) == "No clock, 14 days a move at most"
    # A bot needs no limit, and matches agreed before there were limits had none.
    assert clock_words.describe_terms(terms.practice().to_json()) == "No clock"


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_match_with_a_preset_is_told_by_the_preset(name: str) -> None:
    terms = build_terms(Rules(length=5), PRESETS[name].control(5), name)
    assert clock_words.describe_terms(terms.to_json()) == SAID[name]


def test_words_come_in_the_language_of_the_reader() -> None:
    with translation.override("de"):
        assert clock_words.describe_clock(None) == "Ohne Uhr"
