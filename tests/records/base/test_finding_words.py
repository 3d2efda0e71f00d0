"""Findings of the referee are shown in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.utils import translation

from engine.finding_codes import CODES
from engine.verdict import judge
from records.base.finding_words import translate_finding
from tests import samples

FIELD = re.compile(r"\{(\w+)\}")
FAULTS = Path(samples.__file__).parent / "faults"


def write(code: str) -> tuple[str, list[str]]:
    """Return the sentence of a code with a value for each field, and the values."""
    names = FIELD.findall(CODES[code].sentence)
    return CODES[code].sentence.format(**{name: f"{name}-1/2" for name in names}), [
        f"{name}-1/2" for name in names
    ]


@pytest.mark.parametrize("code", CODES)
def test_every_sentence_of_the_referee_is_translated_with_its_facts(code: str) -> None:
    sentence, facts = write(code)
    with translation.override("de"):
        said = translate_finding(code, f"Game 2, roll 7: {sentence} R40.", "R40")

    assert said.startswith("Spiel 2, Wurf 7: ")
    assert all(fact in said for fact in facts)
    assert sentence not in said


def test_places_facts_and_what_may_follow_are_translated_too() -> None:
    with translation.override("de"):
        said = [
            translate_finding(
                "wrong-points",
                "Game 1: the record gives Bo 4 points, but the game was worth 1 point. R49.",
                "R49",
            ),
            translate_finding(
                "partial-play",
                "Game 1, roll 3: with 6-1 Ann played nothing and left out a 1 that could be played. "
                "This may follow from roll 2. R19.",
                "R19",
            ),
        ]

    assert said == [
        "Spiel 1: Die Aufzeichnung gibt Bo 4 Punkte, das Spiel zählte aber 1 Punkt.",
        "Spiel 1, Wurf 3: Ann hat mit 6-1 nichts gespielt und eine spielbare 1 ausgelassen. "
        "Das kann von Wurf 2 kommen.",
    ]


@pytest.mark.parametrize("path", sorted(FAULTS.glob("*.mat")), ids=lambda path: path.stem)
def test_the_findings_of_a_record_are_translated(path: Path) -> None:
    for one in (finding for verdict in judge(path.read_bytes()) for finding in verdict.findings):
        english = translate_finding(one.code, one.message, one.rule)
        assert one.message.startswith(english)
        with translation.override("de"):
            assert translate_finding(one.code, one.message, one.rule) != english


def test_the_words_of_a_reader_are_kept() -> None:
    with translation.override("de"):
        assert translate_finding("ruling", "The file says so.", "") == "The file says so."
        assert translate_finding("of-another-version", "It is odd. R01.", "R01") == "It is odd."
