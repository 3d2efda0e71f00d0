"""Help's pages: every format and tie-break is explained by its name, and words are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils.translation import gettext, override, pgettext

from draw.formats import FORMATS
from draw.standings.registry import TIE_BREAKS
from help.selectors import pages
from help.selectors.files import ARTICLES, PAGES, list_languages
from help.selectors.texts import load_sections

if TYPE_CHECKING:
    from django.test import Client


def titles(name: str) -> dict[str, str]:
    return {section.anchor: section.title for section in pages.load_page(name).sections}


@pytest.mark.parametrize("code", list_languages())
def test_every_format_is_explained_by_its_name(code: str) -> None:
    with override(code):
        assert titles("formats") == {
            name: pgettext("event format", one.label) for name, one in FORMATS.items()
        }


@pytest.mark.parametrize("code", list_languages())
def test_every_tie_break_is_explained_by_its_name(code: str) -> None:
    with override(code):
        assert titles("tie-breaks") == {name: gettext(one.title) for name, one in TIE_BREAKS.items()}


@pytest.mark.parametrize("name", [*PAGES, *ARTICLES])
def test_languages_have_the_same_sections(name: str) -> None:
    told = []
    for code in list_languages():
        with override(code):
            told.append([section.anchor for section in load_sections(name)])

    assert all(anchors == told[0] for anchors in told)
    assert len(set(told[0])) == len(told[0]) >= 4


def found(code: str, query: str) -> list[str]:
    with override(code):
        return [one.url for one in pages.search_sections(query)]


def test_titles_come_before_words() -> None:
    assert found("en", "Crawford")[0] == "/help/glossary/#crawford-game"
    assert "/help/rules/#R51" in found("en", "crawford game")
    assert found("en", "R51")[0] == "/help/rules/#R51"


def test_every_word_must_stand_there_in_any_order_and_without_marks() -> None:
    assert "/help/night/#check-in" in found("en", "arrive check")
    assert found("en", "checker zebra") == []
    assert "/help/rules/#R28" in found("de", "felder blockiert sechs")
    assert "/help/glossary/#runner" in found("de", "laufer")


@pytest.mark.django_db
def test_the_page_shows_what_was_found_and_says_so_if_nothing_was(client: Client) -> None:
    text = client.get("/help/", {"q": "beaver"}).text
    nothing = client.get("/help/", {"q": "<zebra>"}).text

    assert 'href="/help/glossary/#beaver"' in text
    assert "&lt;zebra&gt;" in nothing
    assert "Try fewer words" in nothing
    assert "<zebra>" not in nothing
