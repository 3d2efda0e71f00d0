"""Plain English in docstrings and comments, also of tests, scripts and style sheets, in documents and on pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import phrases


@pytest.mark.long
@pytest.mark.parametrize(
    ("texts", "most"),
    [
        (phrases.read_code, 2),
        (phrases.read_tests, 2),
        (phrases.read_scripts_and_styles, 2),
        (phrases.read_documents, 1),
        (phrases.read_templates, 1),
    ],
)
def test_odd_phrases_are_rare(texts: Callable[[], Iterator[tuple[Path, int, str]]], most: float) -> None:
    found = phrases.count_phrases(texts())
    assert found.words > 8_000
    assert found.per_thousand <= most, "\n".join(
        [f"{found.per_thousand:.1f} odd phrases in a thousand words, at most {most}:", *found.places]
    )


def test_the_places_of_odd_phrases_are_named() -> None:
    path = phrases.ROOT / "README.md"
    found = phrases.count_phrases(
        iter([(path, 7, "The server is told of it. Nobody waits."), (path, 8, "Plain.")])
    )
    assert [place.split(": ")[0:2] for place in found.places] == [
        ["README.md:7", "somebody, nobody"],
        ["README.md:7", "is told"],
    ]
    assert found.words == 9
