"""Names and texts: one spelling, nothing hidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players import names
from players.errors import EmptyName, HiddenCharacters, InvalidText, TooLong, UnknownTimeZone


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada   Okafor ", "Ada Okafor"),
        ("\uff21\uff44\uff41", "Ada"),
        ("Zoe\u0308", "Zoë"),
        ("ﬁona", "fiona"),
        ("山田 太郎", "山田 太郎"),
        ("O\u2019Brien", "O\u2019Brien"),
        ("Ada\u00a0Okafor", "Ada Okafor"),
        ("=1+1", "=1+1"),
        ("<b>Ada</b>", "<b>Ada</b>"),
    ],
)
def test_a_name_has_one_spelling(typed: str, kept: str) -> None:
    assert names.clean_name(typed, limit=80) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "Ada\x00",
        "Ada\u202eofakO",
        "Ad\u200ba",
        "Ad\u2060a",
        "\ufeffAda",
        "Ada\x07",
        "Ada\nOkafor",
        "Ad\u00ada",
        "\u2066Ada\u2069",
        "Ada\ue000",
        "Ada\ud800",
        "A" + "\u0301" * 9 + "da",
        "Ada\u3164",
    ],
)
def test_what_shows_nothing_is_refused(typed: str) -> None:
    with pytest.raises(HiddenCharacters):
        names.clean_name(typed, limit=80)


@pytest.mark.parametrize("typed", ["", "   ", "...", "🎲🎲", "-"])
def test_a_name_can_be_read_aloud(typed: str) -> None:
    with pytest.raises(EmptyName):
        names.clean_name(typed, limit=80)


def test_length_counts_what_is_kept() -> None:
    # One character that is written out as eighteen.
    with pytest.raises(TooLong):
        names.clean_name("\ufdfa" * 5, limit=80)

    assert names.clean_name("a" * 80, limit=80) == "a" * 80


def test_prose_keeps_its_lines() -> None:
    assert names.clean_prose(" Thursdays\r\nat seven 👩‍👧 ", limit=100) == "Thursdays\nat seven 👩‍👧"

    with pytest.raises(HiddenCharacters):
        names.clean_prose("Thursdays\u202e", limit=100)


def test_a_time_zone_is_a_place() -> None:
    assert names.clean_time_zone("Europe/London") == "Europe/London"
    for text in ("", "Mars/Olympus", "../../etc/passwd", "posixrules"):
        with pytest.raises(UnknownTimeZone):
            names.clean_time_zone(text)


@pytest.mark.parametrize(
    ("name", "letters"), [("Ada Okafor", "AO"), ("Ada", "A"), ("ada van der Berg", "AB"), ("(x) y", "Y")]
)
def test_initials(name: str, letters: str) -> None:
    assert names.build_initials(name) == letters


@given(st.text(max_size=90))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    try:
        once = names.clean_name(text, limit=80)
    except InvalidText:
        return

    assert names.clean_name(once, limit=80) == once
