"""The pages of help, and the search in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.urls import reverse
from django.utils.translation import override

from help.files import ARTICLES, PAGES, get_language_code
from help.sections import Section, load_sections
from players.names import fold

MOST_FOUND: Final = 30
# The seven headings of rule R67: a text, and the section in which it is.
HEADINGS: Final = (
    ("history", ""),
    ("play", "set-up"),
    ("play", "aim"),
    ("play", "moving"),
    ("play", "hitting"),
    ("play", "bearing-off"),
    ("articles", ""),
)
# Only the caption of a diagram is searched.
FENCE: Final = re.compile(r"^```.*$", re.MULTILINE)
# Markdown syntax: link addresses and marks.
MARKS: Final = re.compile(r"\]\([^)]*\)|[*_`\[|]")


@dataclass(frozen=True, slots=True)
class HelpPage:
    name: str
    lead: Section
    sections: tuple[Section, ...]

    @property
    def url(self) -> str:
        return reverse(f"help:{self.name}")

    @property
    def is_article(self) -> bool:
        return self.name in ARTICLES


@dataclass(frozen=True, slots=True)
class FoundSection:
    title: str
    page: str
    url: str
    text: str


def list_other_pages() -> tuple[HelpPage, ...]:
    """Return the pages in the reader's language, except those that a heading links as a whole."""
    whole = {name for name, anchor in HEADINGS if not anchor}
    return tuple(load_page(name) for name in PAGES if name not in whole)


def list_articles() -> tuple[HelpPage, ...]:
    return tuple(load_page(name) for name in ARTICLES)


def list_headings() -> list[tuple[str, str]]:
    return [
        (section.title, reverse(f"help:{name}") + (f"#{anchor}" if anchor else ""))
        for name, anchor in HEADINGS
        for section in load_sections(name)
        if section.anchor == anchor
    ]


def load_page(name: str) -> HelpPage:
    first, *rest = load_sections(name)
    return HelpPage(name, first, tuple(rest))


def load_lead(name: str) -> Section:
    return load_sections(name)[0]


def search_sections(query: str) -> tuple[FoundSection, ...]:
    """Find sections with all words of the query; matches in titles first."""
    words = fold(query).split()
    if not words:
        return ()
    ranked = [
        (rank, found)
        for found, title, text in _load_index(get_language_code())
        if (rank := _rank_section(words, title, text)) is not None
    ]
    return tuple(found for _rank_of, found in sorted(ranked, key=lambda one: one[0])[:MOST_FOUND])


def _rank_section(words: list[str], title: str, text: str) -> int | None:
    if not all(word in title or word in text for word in words):
        return None
    in_title = all(word in title for word in words)
    return 0 if in_title and title.startswith(words[0]) else 1 if in_title else 2


@cache
def _load_index(code: str) -> tuple[tuple[FoundSection, str, str], ...]:
    """Load all sections in a language, each with its title and words folded for the search."""
    with override(code):
        return tuple(_list_all_sections())


def _list_all_sections() -> Iterator[tuple[FoundSection, str, str]]:
    for name in ("glossary", "rules", "exercises", "articles", *PAGES, *ARTICLES):
        first, *rest = load_sections(name)
        for section in (first, *rest):
            text = MARKS.sub("", FENCE.sub("", section.source)).strip()
            if not text:
                continue
            anchor = f"#{section.anchor}" if section.anchor else ""
            number = section.anchor if name == "rules" else ""
            title = f"{number} {section.title}".strip()
            found = FoundSection(
                title, first.title if name != "rules" else "", reverse(f"help:{name}") + anchor, text
            )
            yield found, fold(f"{title} {section.forms}"), fold(text)
