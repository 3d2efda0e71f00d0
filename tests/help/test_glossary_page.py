"""The glossary: enough terms, the same in every language, in order, and linked where they occur."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils.translation import override

from help import sections
from help.files import list_languages
from help.markdown import render_section
from help.sections import load_sections
from players.names import fold

LEAST_TERMS = 120


def list_anchors(code: str) -> list[str]:
    with override(code):
        return [term.anchor for letter in sections.list_letters() for term in letter.terms]


@pytest.mark.parametrize("code", list_languages())
def test_there_are_enough_terms_each_once_and_explained(code: str) -> None:
    with override(code):
        terms = [term for letter in sections.list_letters() for term in letter.terms]

    assert len(terms) >= LEAST_TERMS
    assert len({term.anchor for term in terms}) == len(terms) == len({term.title for term in terms})
    for term in terms:
        assert len(term.source) > 20, term.anchor


def test_languages_explain_the_same_terms() -> None:
    first, *others = (sorted(list_anchors(code)) for code in list_languages())

    assert all(other == first for other in others)


@pytest.mark.parametrize("code", list_languages())
def test_terms_stand_in_the_order_of_their_language(code: str) -> None:
    with override(code):
        letters = sections.list_letters()
        titles = [fold(term.title) for letter in letters for term in letter.terms]

    assert titles == sorted(titles)
    assert [letter.letter for letter in letters] == sorted({title[0].upper() for title in titles})


def test_a_term_is_linked_where_it_comes_first_in_a_section() -> None:
    made = render_section("A blot is hit. Two blots are hit.\n\nHitting a blot.", "en")

    assert made.count('<a href="/help/glossary/#blot" class="term">blot</a>') == 1
    assert made.count("#blot") == made.count("#hit") == 1


@pytest.mark.parametrize(
    ("code", "words", "anchors"),
    [
        ("en", "Doubling cubes", ["cube"]),
        ("en", "The main draw", ["main-draw"]),
        ("en", "[a blot](/help/)", []),
        ("en", "A blotter", []),
        ("de", "Deine Steine im Heim", ["checker", "home-board"]),
        ("de", "Im Uhrzeigersinn", []),
        ("de", "ein K.-o.-Turnier", []),
    ],
)
def test_terms_are_found_as_they_are_written(code: str, words: str, anchors: list[str]) -> None:
    with override(code):
        assert re.findall(r"#([\w-]+)\"", render_section(words, code)) == anchors


def test_a_term_does_not_link_to_itself() -> None:
    with override("en"):
        for term in load_sections("glossary"):
            assert f'#{term.anchor}" class="term"' not in term.html or not term.anchor


@pytest.mark.django_db
def test_without_script_the_field_searches_all_of_help(client: Client) -> None:
    text = client.get("/help/glossary/").text

    assert re.search(r'<form class="inline-form" method="get" role="search" action="/help/"', text)
    assert 'id="blot"' in text
