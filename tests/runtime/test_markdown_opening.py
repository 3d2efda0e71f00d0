"""The first sentence of what a person wrote."""

from __future__ import annotations

import pytest

from runtime.markdown import extract_first_sentence


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("We play **every** Tuesday, at 7.30. Come\nearly!", "We play every Tuesday, at 7.30."),
        ("Montags, z. B. im Hafen. Gäste willkommen.", "Montags, z. B. im Hafen."),
        ("Led by Dr. Lamp since 2019! Come", "Led by Dr. Lamp since 2019!"),
        ("No point at all", "No point at all"),
        ("[Our room](https://example.org) is upstairs. Ring twice.", "Our room is upstairs."),
        ("Two\nlines", "Two lines"),
        ("<b>Bold</b> words. More", "<b>Bold</b> words."),
        ("- a list", ""),
        ("# A heading\n\nMore.", ""),
        ("", ""),
    ],
)
def test_an_opening_is_the_first_sentence_without_its_marks(source: str, said: str) -> None:
    assert extract_first_sentence(source) == said
